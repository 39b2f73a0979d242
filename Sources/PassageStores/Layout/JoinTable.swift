internal import PassageSQLite

/// The table that holds the pairs of a many-to-many relationship and its inverse.
package struct JoinTable: Sendable, Hashable {
  /// One end: the relationship as seen from the entity that declares it.
  package struct End: Sendable, Hashable {
    /// The entity that declares the relationship.
    package var entityName: String
    package var relationshipName: String
    /// The column with the keys of the objects the relationship starts from.
    package var column: String
    /// The column with the position of the destination in the ordered relationship; `nil` if the
    /// relationship is not ordered.
    package var orderColumn: String?

    package init(
      entityName: String, relationshipName: String, column: String, orderColumn: String? = nil
    ) {
      self.entityName = entityName
      self.relationshipName = relationshipName
      self.column = column
      self.orderColumn = orderColumn
    }
  }

  /// The name in the store.
  package var name: String
  /// The end after which the table is named. Its column comes first.
  package var owner: End
  /// The inverse of the owner's relationship. If the relationship is its own inverse, it differs
  /// from ``owner`` only in its column.
  package var other: End

  package init(name: String, owner: End, other: End) {
    self.name = name
    self.owner = owner
    self.other = other
  }

  /// Whether the relationship is its own inverse.
  package var isSelfInverse: Bool {
    owner.entityName == other.entityName && owner.relationshipName == other.relationshipName
  }

  /// All columns in the order of the table.
  ///
  /// An order column is named after the key column whose objects it orders, so the other end's
  /// order column comes first: it is named after the owner's column.
  package var columns: [String] {
    [owner.column, other.column] + [other.orderColumn, owner.orderColumn].compactMap(\.self)
  }

  /// The statement that creates the table, as Core Data writes it.
  package var createStatement: String {
    let definitions = columns.map { "\($0.layoutIdentifier) INTEGER" }.joined(separator: ", ")
    let key = "\(owner.column.layoutIdentifier), \(other.column.layoutIdentifier)"
    return "CREATE TABLE \(name.layoutIdentifier) ( \(definitions), PRIMARY KEY (\(key)) )"
  }

  /// The index for following the relationship from the other end to the owner.
  package var index: IndexLayout {
    IndexLayout(
      name: "\(name)_\(other.column)_INDEX", tableName: name,
      elements: [
        IndexLayout.Element(column: other.column), IndexLayout.Element(column: owner.column),
      ])
  }
}
