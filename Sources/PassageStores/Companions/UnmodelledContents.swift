/// What a store holds that its model does not describe. None of it is ever dropped silently.
public struct UnmodelledContents: Sendable, Hashable, Codable {
  /// The kinds of such contents.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Core Data's persistent history: `ACHANGE`, `ATRANSACTION`, `ATRANSACTIONSTRING`.
    case history
    /// The state of CloudKit mirroring: tables whose names begin with `ANSCK`.
    case cloudKit
    /// A table that Core Data created for an entity or many-to-many relationship of an earlier
    /// model.
    case formerTable
    /// A column that Core Data created for an earlier model and that still holds values.
    case formerColumn
    /// A table that Core Data did not create.
    case appTable
    /// A view; Core Data creates no views.
    case view
    /// A trigger that Core Data did not create.
    case trigger
    /// An index of a table of the model that Core Data did not create.
    case index
  }

  /// One table, column, view, trigger or index.
  public struct Item: Sendable, Hashable, Codable {
    /// The kind of the item.
    public var kind: Kind
    /// The name in the store; for a column, the table's name, a dot, and the column's name.
    public var name: String
    /// The number of rows of a table, or of values of a column; `nil` for views, triggers,
    /// indexes and virtual tables.
    public var rows: Int64?

    /// Creates an item.
    public init(kind: Kind, name: String, rows: Int64?) {
      self.kind = kind
      self.name = name
      self.rows = rows
    }
  }

  /// The items in the order of the store's schema, columns of earlier models last.
  public var items: [Item]

  /// Creates a list of items, given in the order of the schema.
  public init(items: [Item] = []) { self.items = items }

  /// The items of one kind, in order.
  public subscript(kind: Kind) -> [Item] { items.filter { $0.kind == kind } }
}
