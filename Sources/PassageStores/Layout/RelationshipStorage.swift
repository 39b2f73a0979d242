/// Where the links of a relationship are, seen from the entity that has it.
package enum RelationshipStorage: Sendable, Hashable {
  /// A to-one relationship: `column` of the entity's own table holds the key of the related object.
  ///
  /// `entityColumn` holds its entity number when the destination has subentities; `orderColumn`
  /// holds this object's place when the inverse is an ordered to-many relationship.
  case foreignKey(column: String, entityColumn: String?, orderColumn: String?)

  /// A to-many relationship whose key is in the related objects' table: the column of its to-one
  /// inverse, or a column of its own when it has no inverse.
  ///
  /// `column` holds this object's key, `entityColumn` its entity number when the inverse leads to
  /// an entity with subentities, `orderColumn` the related object's place when the relationship is
  /// ordered.
  case inverseForeignKey(
    table: String, column: String, entityColumn: String?, orderColumn: String?)

  /// A many-to-many relationship: `thisColumn` of the join table holds this object's key,
  /// `otherColumn` the related object's, `orderColumn` the related object's place when the
  /// relationship is ordered.
  case joinTable(JoinTable, thisColumn: String, otherColumn: String, orderColumn: String?)
}
