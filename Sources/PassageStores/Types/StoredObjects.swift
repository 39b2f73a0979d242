public import PassageModels
internal import PassageSQLite
public import PassageValues

/// The objects of a finished store, for a ``StoreType`` that writes them out.
public final class StoredObjects {
  /// The store's model.
  public let model: Model
  /// The layout of the store.
  package let layout: StoreLayout
  /// The finished store's path.
  public let path: String

  package let store: OpenStore
  /// The folder of the store's external data.
  package let externalFolder: ExternalFolder

  /// Opens a finished store.
  ///
  /// - Throws: `StoreError`.
  package convenience init(path: String, model: Model) throws(StoreError) {
    try self.init(
      path: path, model: model,
      externalFolder: ExternalFolder(
        path: StoreUnit(path: path).externalDataPath, dropsMissingFiles: false))
  }

  package init(path: String, model: Model, externalFolder: ExternalFolder) throws(StoreError) {
    self.path = path
    self.model = model
    self.externalFolder = externalFolder
    store = try StoreFile.open(path: path)
    layout = try store.layout(of: model)
  }

  /// The names of the cells that ``read(_:body:)`` passes: every stored attribute of an entity,
  /// inherited ones included, then every to-one relationship, by name.
  public func names(of entity: Entity) -> [String] {
    let stored = layout.entity(named: entity.name)
    let attributes = model.attributes(of: entity).map(\.name).filter {
      stored?.columnName(ofAttribute: $0) != nil
    }
    let relationships = model.relationships(of: entity).map(\.name).filter {
      if case .foreignKey? = stored?.storage(ofRelationship: $0) { true } else { false }
    }
    return attributes.sorted() + relationships.sorted()
  }

  /// The actual value of a cell from ``read(_:body:)``. If the attribute allows external storage,
  /// it is the value without the marker byte, or the contents of its file. Any other cell is
  /// returned unchanged.
  ///
  /// - Parameters:
  ///   - cell: a cell of an object of the store.
  ///   - attribute: the attribute of the cell.
  /// - Throws: `Diagnostic` with `STO-311` or `STO-313` if a file is missing.
  public func value(of cell: Value, _ attribute: Attribute) throws -> Value {
    guard attribute.allowsExternalBinaryDataStorage, case .blob(let bytes) = cell else {
      return cell
    }
    return try externalFolder.value(ofCell: bytes)
  }

  /// Reads the objects of one entity, without those of its subentities, in ascending key order. A
  /// cell of an attribute that allows external storage is passed as it is stored; ``value(of:_:)``
  /// reads its value.
  ///
  /// - Throws: `StoreError`, and the errors of `body`.
  public func read(_ entity: Entity, body: (SourceObject) throws -> Void) throws {
    guard let stored = layout.entity(named: entity.name) else { return }
    let names = names(of: entity)
    let columns = names.compactMap { name -> String? in
      if let column = stored.columnName(ofAttribute: name) { return column }
      guard case .foreignKey(let column, _, _)? = stored.storage(ofRelationship: name) else {
        return nil
      }
      return column
    }
    let list = (["Z_PK"] + columns).map(\.quotedIdentifier).joined(separator: ", ")
    let statement = try prepare(
      "SELECT \(list) FROM \(stored.tableName.quotedIdentifier) WHERE Z_ENT = \(stored.number) "
        + "ORDER BY Z_PK")
    var object = SourceObject(
      shape: ObjectShape(entityName: entity.name, names: names), key: 0,
      values: Array(repeating: .null, count: columns.count))
    while try step(statement) {
      object.key = statement.integer(at: 0)
      _ = statement.read(into: &object.values, from: 1)
      try body(object)
    }
  }

  /// Reads the links of a to-many relationship, by owner, then in the relationship's order.
  ///
  /// - Parameters:
  ///   - relationship: a to-many relationship.
  ///   - entity: the entity that declares it.
  ///   - body: receives the owner's key and the related object's key.
  /// - Throws: `StoreError`, and the errors of `body`.
  public func readLinks(
    _ relationship: Relationship, of entity: Entity,
    body: (_ owner: Int64, _ target: Int64) throws -> Void
  ) throws {
    guard let stored = layout.entity(named: entity.name),
      let storage = stored.storage(ofRelationship: relationship.name)
    else { return }
    let sql: String
    switch storage {
    case .foreignKey: return
    case .inverseForeignKey(let table, let column, _, let order):
      let places = order.map { ", l.\($0.quotedIdentifier)" } ?? ""
      sql =
        "SELECT l.\(column.quotedIdentifier), l.Z_PK FROM \(table.quotedIdentifier) AS l "
        + "JOIN \(stored.tableName.quotedIdentifier) AS o ON o.Z_PK = l.\(column.quotedIdentifier) "
        + "WHERE o.Z_ENT = \(stored.number) ORDER BY 1\(places), 2"
    case .joinTable(let table, let this, let other, let order):
      let places = order.map { ", l.\($0.quotedIdentifier)" } ?? ""
      sql =
        "SELECT l.\(this.quotedIdentifier), l.\(other.quotedIdentifier) "
        + "FROM \(table.name.quotedIdentifier) AS l "
        + "JOIN \(stored.tableName.quotedIdentifier) AS o ON o.Z_PK = l.\(this.quotedIdentifier) "
        + "WHERE o.Z_ENT = \(stored.number) ORDER BY 1\(places), 2"
    }
    let statement = try prepare(sql)
    while try step(statement) {
      try body(statement.integer(at: 0), statement.integer(at: 1))
    }
  }

  func prepare(_ sql: String) throws(StoreError) -> Statement {
    do {
      return try store.connection.prepare(sql)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  func step(_ statement: Statement) throws(StoreError) -> Bool {
    do {
      return try statement.step()
    } catch {
      throw StoreError(error, path: path)
    }
  }
}
