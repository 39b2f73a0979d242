/// How the objects of one entity are stored.
package struct EntityLayout: Sendable, Hashable {
  package var name: String
  /// The entity's number in `Z_ENT`, from 1.
  package var number: Int
  /// The parent's number, 0 for a root: what `Z_SUPER` holds.
  package var parentNumber: Int
  package var isAbstract: Bool
  /// The topmost ancestor, which owns the table and the sequence of keys.
  package var rootName: String
  package var tableName: String
  /// The numbers of the entity and all its descendants, which follow it without a gap.
  package var familyNumbers: ClosedRange<Int>

  var columns: [String: String]
  var storages: [String: RelationshipStorage]

  /// Whether other entities inherit from this one.
  package var hasSubentities: Bool { familyNumbers.count > 1 }

  /// The column of a stored attribute, inherited ones included; `nil` when the entity has no stored
  /// attribute of this name.
  ///
  /// - Complexity: O(1).
  package func columnName(ofAttribute name: String) -> String? { columns[name] }

  /// Where a relationship's links are, inherited ones included; `nil` when the entity has no stored
  /// relationship of this name.
  ///
  /// - Complexity: O(1).
  package func storage(ofRelationship name: String) -> RelationshipStorage? { storages[name] }
}
