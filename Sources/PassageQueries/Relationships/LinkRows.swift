package import PassageStores

/// The links of a relationship as the rows of one table, however it is stored: one column holds the
/// owner's key and another the related object's.
package struct LinkRows {
  /// The rows that store the links.
  package enum Row {
    /// The owner's row: a to-one relationship.
    case owner
    /// The related object's row: a to-many relationship with a to-one inverse, or without an
    /// inverse.
    case related
    /// A row of a join table.
    case pair
  }

  package let row: Row
  package let table: String
  /// The column with the owner's key.
  package let owner: String
  /// The column with the related object's key.
  package let related: String
  /// The column with the related object's place among those of its owner; `nil` without an order.
  package let place: String?
  /// The column with the owner's place among those of the related object; `nil` without an order.
  package let ownerPlace: String?

  /// - Parameters:
  ///   - storage: how the links are stored.
  ///   - entity: the entity that owns the relationship.
  package init(_ storage: RelationshipStorage, of entity: EntityLayout) {
    switch storage {
    case .foreignKey(let column, _, let order):
      (row, table) = (.owner, entity.tableName)
      (owner, related) = ("Z_PK", column)
      (place, ownerPlace) = (nil, order)
    case .inverseForeignKey(let holder, let column, _, let order):
      (row, table) = (.related, holder)
      (owner, related) = (column, "Z_PK")
      (place, ownerPlace) = (order, nil)
    case .joinTable(let pairs, let this, let other, let order):
      (row, table) = (.pair, pairs.name)
      (owner, related) = (this, other)
      place = order
      ownerPlace =
        pairs.owner.column == this ? pairs.other.orderColumn : pairs.owner.orderColumn
    }
  }

  /// The links of a relationship; `nil` when it is not stored.
  package init?(ofRelationship name: String, of entity: EntityLayout) {
    guard let storage = entity.storage(ofRelationship: name) else { return nil }
    self.init(storage, of: entity)
  }
}
