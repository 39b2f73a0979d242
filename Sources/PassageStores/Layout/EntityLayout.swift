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
  /// The numbers of the entity and all its descendants, which are consecutive.
  package var familyNumbers: ClosedRange<Int>

  var columns: [String: String]
  var storages: [String: RelationshipStorage]

  /// Whether other entities inherit from this one.
  package var hasSubentities: Bool { familyNumbers.count > 1 }

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
