/// Where the links of a relationship are stored, seen from the entity that has it.
package enum RelationshipStorage: Sendable, Hashable {
  /// A to-one relationship: `column` of the entity's own table holds the key of the related object.
  ///
  /// `entityColumn` holds the entity number of the related object if the destination has
  /// subentities; `orderColumn` holds this object's position if the inverse is an ordered to-many
  /// relationship.
  case foreignKey(column: String, entityColumn: String?, orderColumn: String?)

  /// A to-many relationship whose key is in the table of the related objects: the column of its
  /// to-one inverse, or a separate column if it has no inverse.
  ///
  /// `column` holds this object's key. `entityColumn` holds this object's entity number if the
  /// inverse leads to an entity with subentities. `orderColumn` holds the related object's position
  /// if the relationship is ordered.
  case inverseForeignKey(
    table: String, column: String, entityColumn: String?, orderColumn: String?)

  /// A many-to-many relationship. In the join table, `thisColumn` holds this object's key and
  /// `otherColumn` the related object's key. `orderColumn` holds the related object's position if
  /// the relationship is ordered.
  case joinTable(JoinTable, thisColumn: String, otherColumn: String, orderColumn: String?)
}
