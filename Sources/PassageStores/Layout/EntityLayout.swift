/// How the objects of one entity are stored.
package struct EntityLayout: Sendable, Hashable {
  package var name: String
  /// The entity's number in `Z_ENT`, from 1.
  package var number: Int
  /// The parent's number, 0 for a root entity. `Z_SUPER` holds it.
  package var parentNumber: Int
  package var isAbstract: Bool
  /// The root entity, which owns the table and the sequence of keys.
  package var rootName: String
  package var tableName: String
  /// The schema of a table that is not in the store itself; `nil` for one of the store.
  package var schemaName: String?
  /// The numbers of the entity and all its descendants, which are consecutive.
  package var familyNumbers: ClosedRange<Int>

  var columns: [String: String]
  var storages: [String: RelationshipStorage]

  /// Whether other entities inherit from this one.
  package var hasSubentities: Bool { familyNumbers.count > 1 }

  /// Whether no other entity has objects in the table. Every row of it is then an object of this
  /// entity: Core Data ignores the number in `Z_ENT`, which may be that of another entity.
  package var isAlone: Bool { parentNumber == 0 && !hasSubentities }

  /// The SQL condition that a row is an object of the entity itself, not of a subentity.
  ///
  /// - Parameter row: the row's alias; `nil` if there is only one table.
  package func isOwn(_ row: String?) -> String {
    isAlone ? "1" : "\(Self.numberColumn(row)) = \(number)"
  }

  /// The SQL condition that a row is an object of the entity or of one of its descendants.
  ///
  /// - Parameter row: the row's alias; `nil` if there is only one table.
  package func isKind(_ row: String?) -> String {
    isAlone
      ? "1"
      : "\(Self.numberColumn(row)) BETWEEN \(familyNumbers.lowerBound) AND "
        + "\(familyNumbers.upperBound)"
  }

  /// The number of a row's entity in SQL, for any row of the entity's table.
  ///
  /// - Parameter row: the row's alias; `nil` if there is only one table.
  package func numberSQL(_ row: String?) -> String {
    isAlone ? "\(number)" : Self.numberColumn(row)
  }

  private static func numberColumn(_ row: String?) -> String {
    (row.map { "\($0)." } ?? "") + "\"Z_ENT\""
  }

  /// The column of a stored attribute, inherited ones included; `nil` if the entity has no stored
  /// attribute with this name.
  ///
  /// - Complexity: O(1).
  package func columnName(ofAttribute name: String) -> String? { columns[name] }

  /// Where a relationship's links are stored, inherited ones included; `nil` if the entity has no
  /// stored relationship with this name.
  ///
  /// - Complexity: O(1).
  package func storage(ofRelationship name: String) -> RelationshipStorage? { storages[name] }
}
