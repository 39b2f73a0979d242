internal import Passage
internal import PassageTesting

/// One store with its model, as plain SQL sees it.
struct StoreSide {
  let model: Model
  let layout: StoreLayout
  let query: StoreQuery

  /// - Throws: `StoreError` when the store is not of the model.
  init(path: String, model: Model) throws {
    self.model = model
    layout = try StoreFile.open(path: path).layout(of: model)
    query = try StoreQuery(path: path)
  }

  /// The pairs of a relationship of one entity's objects, without its subentities' objects: the
  /// object's key, the related object's key, and its place when `isRanked`, by the keys.
  ///
  /// - Parameter targets: only related objects of these entities count.
  /// - Returns: `nil` for a relationship that is not stored.
  func pairs(
    of entity: Entity, _ relationship: Relationship, targets: [Entity], isRanked: Bool,
    isReversed: Bool = false
  ) -> String? {
    guard let place = layout.entity(named: entity.name),
      let storage = place.storage(ofRelationship: relationship.name),
      let end = layout.entity(named: relationship.destinationEntityName)
    else { return nil }
    let own = StoreQuery.identifier(place.tableName)
    let ends = StoreQuery.identifier(end.tableName)
    let owner: String
    let target: String
    let from: String
    var order: String?
    switch storage {
    case .foreignKey(let column, _, _):
      (owner, target) = ("o.Z_PK", "o.\(StoreQuery.identifier(column))")
      from = "\(own) AS o JOIN \(ends) AS t ON t.Z_PK = \(target)"
    case .inverseForeignKey(let table, let column, _, let orderColumn):
      (owner, target) = ("t.\(StoreQuery.identifier(column))", "t.Z_PK")
      from = "\(StoreQuery.identifier(table)) AS t JOIN \(own) AS o ON o.Z_PK = \(owner)"
      order = orderColumn.map { "t.\(StoreQuery.identifier($0))" }
    case .joinTable(let table, let this, let other, let orderColumn):
      (owner, target) = ("j.\(StoreQuery.identifier(this))", "j.\(StoreQuery.identifier(other))")
      from =
        "\(StoreQuery.identifier(table.name)) AS j JOIN \(own) AS o ON o.Z_PK = \(owner) "
        + "JOIN \(ends) AS t ON t.Z_PK = \(target)"
      order = orderColumn.map { "j.\(StoreQuery.identifier($0))" }
    }
    let numbers = targets.compactMap { layout.entity(named: $0.name)?.number }
    let rank =
      isRanked
      ? ", row_number() OVER (PARTITION BY \(owner) ORDER BY \(order ?? target), \(target))" : ""
    let keys = isReversed ? "\(target), \(owner)" : "\(owner), \(target)"
    return "SELECT \(keys)\(rank) FROM \(from) WHERE o.Z_ENT = \(place.number) AND t.Z_ENT IN "
      + "(\(numbers.map(String.init).joined(separator: ", "))) ORDER BY 1, 2"
  }
}
