/// What a store holds that its model does not describe: nothing of it is ever dropped silently.
public struct UnmodelledContents: Sendable, Hashable, Codable {
  /// The kinds of such contents.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Core Data's persistent history: `ACHANGE`, `ATRANSACTION`, `ATRANSACTIONSTRING`.
    case history
    /// The state of CloudKit mirroring: tables whose names begin with `ANSCK`.
    case cloudKit
    /// A table Core Data made for an earlier model, of an entity or a many-to-many relationship.
    case formerTable
    /// A column Core Data made for an earlier model that still holds values.
    case formerColumn
    /// A table that Core Data did not make.
    case appTable
    /// A view; Core Data makes none.
    case view
    /// A trigger that Core Data did not make.
    case trigger
  }

  /// One table, column, view or trigger.
  public struct Item: Sendable, Hashable, Codable {
    /// What it is.
    public var kind: Kind
    /// The name as it is in the store; a column follows its table's name and a dot.
    public var name: String
    /// The rows of a table, the values of a column; `nil` for views, triggers and virtual tables.
    public var rows: Int64?

    /// Describes an item.
    public init(kind: Kind, name: String, rows: Int64?) {
      self.kind = kind
      self.name = name
      self.rows = rows
    }
  }

  /// In the order of the store's schema, the columns of former models last.
  public var items: [Item]

  /// Puts items together, in the order of the schema.
  public init(items: [Item] = []) { self.items = items }

  /// The items of one kind, in order.
  public subscript(kind: Kind) -> [Item] { items.filter { $0.kind == kind } }
}
