internal import PassageSQLite

/// The table that holds the pairs of a many-to-many relationship and its inverse.
public struct JoinTable: Sendable, Hashable {
  /// One end: the relationship as seen from the entity that declares it.
  public struct End: Sendable, Hashable {
    /// The entity that declares the relationship.
    public var entityName: String
    public var relationshipName: String
    /// The column with the keys of the objects the relationship starts from.
    public var column: String
    /// The column with the destination's place in the ordered relationship; `nil` when the
    /// relationship has no order.
    public var orderColumn: String?

    public init(
      entityName: String, relationshipName: String, column: String, orderColumn: String? = nil
    ) {
      self.entityName = entityName
      self.relationshipName = relationshipName
      self.column = column
      self.orderColumn = orderColumn
    }
  }

  /// The name as it stands in the store.
  public var name: String
  /// The end that gives the table its name; its column comes first.
  public var owner: End
  /// The inverse of the owner's relationship; equal to ``owner`` but for its column when the
  /// relationship is its own inverse.
  public var other: End

  public init(name: String, owner: End, other: End) {
    self.name = name
    self.owner = owner
    self.other = other
  }

  /// Whether the relationship is its own inverse.
  public var isSelfInverse: Bool {
    owner.entityName == other.entityName && owner.relationshipName == other.relationshipName
  }

  /// All columns in the order of the table.
  ///
  /// An order column is named after the key column it orders, so the other end's comes first: it
  /// belongs to the owner's column.
  public var columns: [String] {
    [owner.column, other.column] + [other.orderColumn, owner.orderColumn].compactMap(\.self)
  }

  /// The statement that makes the table, in the words Core Data writes.
  public var createStatement: String {
    let definitions = columns.map { "\($0.layoutIdentifier) INTEGER" }.joined(separator: ", ")
    let key = "\(owner.column.layoutIdentifier), \(other.column.layoutIdentifier)"
    return "CREATE TABLE \(name.layoutIdentifier) ( \(definitions), PRIMARY KEY (\(key)) )"
  }

  /// The index that leads from the other end to the owner's.
  public var index: IndexLayout {
    IndexLayout(
      name: "\(name)_\(other.column)_INDEX", tableName: name,
      elements: [
        IndexLayout.Element(column: other.column), IndexLayout.Element(column: owner.column),
      ])
  }
}
