internal import Passage
internal import PassageSQLite

/// Reads the objects of a store by its layout.
struct ContentsReader {
  private let connection: Connection
  private let model: Model
  private let layout: StoreLayout

  init(path: String, model: Model) throws {
    connection = try Connection.reading(path)
    self.model = model
    layout = StoreLayout(model: model)
  }

  func objects(of entity: Entity) throws -> [StoreContents.Object] {
    guard let place = layout.entity(named: entity.name) else { return [] }
    let attributes = model.attributes(of: entity).compactMap { attribute in
      place.columnName(ofAttribute: attribute.name).map { (name: attribute.name, column: $0) }
    }
    let columns = (["Z_PK"] + attributes.map(\.column)).map(\.quotedIdentifier)
      .joined(separator: ", ")
    let rows = try connection.rows(
      "SELECT \(columns) FROM \(place.tableName.quotedIdentifier) NOT INDEXED "
        + "WHERE Z_ENT = \(place.number) ORDER BY Z_PK")
    return try rows.map { row in
      var object = StoreContents.Object(entityName: entity.name, key: row[0].integer ?? 0)
      for (attribute, value) in zip(attributes, row.dropFirst()) {
        object.attributes[attribute.name] = value
      }
      for relationship in model.relationships(of: entity) where !relationship.isTransient {
        object.related[relationship.name] = try related(relationship, of: object.key, place)
      }
      return object
    }
  }

  private func related(
    _ relationship: Relationship, of key: Int64, _ place: EntityLayout
  ) throws -> [ObjectReference]? {
    guard let storage = place.storage(ofRelationship: relationship.name),
      let target = layout.entity(named: relationship.destinationEntityName)
    else { return nil }
    let table = target.tableName.quotedIdentifier
    let query: String
    switch storage {
    case .foreignKey(let column, _, _):
      query =
        "SELECT t.Z_ENT, o.\(column.quotedIdentifier) "
        + "FROM \(place.tableName.quotedIdentifier) AS o LEFT JOIN \(table) AS t "
        + "ON t.Z_PK = o.\(column.quotedIdentifier) "
        + "WHERE o.Z_PK = ? AND o.\(column.quotedIdentifier) IS NOT NULL"
    case .inverseForeignKey(let holder, let column, _, let order):
      let by = relationship.isOrdered ? order.map { "\($0.quotedIdentifier), " } ?? "" : "Z_ENT, "
      query =
        "SELECT Z_ENT, Z_PK FROM \(holder.quotedIdentifier) NOT INDEXED "
        + "WHERE \(column.quotedIdentifier) = ? ORDER BY \(by)Z_PK"
    case .joinTable(let joinTable, let this, let other, let order):
      let by =
        relationship.isOrdered ? order.map { "j.\($0.quotedIdentifier), " } ?? "" : "t.Z_ENT, "
      query =
        "SELECT t.Z_ENT, j.\(other.quotedIdentifier) "
        + "FROM \(joinTable.name.quotedIdentifier) AS j NOT INDEXED "
        + "LEFT JOIN \(table) AS t ON t.Z_PK = j.\(other.quotedIdentifier) "
        + "WHERE j.\(this.quotedIdentifier) = ? ORDER BY \(by)j.\(other.quotedIdentifier)"
    }
    return try connection.rows(query, [.integer(key)]).map { row in
      let entity = row[0].integer.flatMap { layout.entity(numbered: $0)?.name }
      return ObjectReference(entityName: entity ?? "nothing", key: row[1].integer ?? 0)
    }
  }
}
