internal import PassageDiagnostics
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// A plain SQLite database, opened for reading as a model.
final class TableStore: ForeignStore {
  let path: String
  let binding: TableBinding
  private let mode: Connection.Mode
  private let connection: Connection

  /// - Throws: `Diagnostics` with every name of the model that the database does not have.
  init(path: String, mode: Connection.Mode, connection: Connection, model: Model) throws {
    self.path = path
    self.mode = mode
    self.connection = connection
    do {
      binding = try TableBinding(model: model, schema: TableSchema(connection), path: path)
    } catch let error as SQLiteError {
      throw StoreError(error, path: path)
    }
  }

  func objectCounts() throws -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for entity in binding.plan.model.entities { counts[entity.name] = 0 }
    do throws(SQLiteError) {
      for table in binding.tables {
        guard let column = table.entityColumn else {
          counts[table.planned.root.name] = try connection.rowCount(ofTable: table.table.name)
          continue
        }
        try connection.countRows(ofTable: table.table.name, byColumn: column) { value, count in
          guard let entity = value.string, counts[entity] != nil else { return }
          counts[entity] = count
        }
      }
    } catch {
      throw StoreError(error, path: path)
    }
    return counts
  }

  func read(into store: StagedStore) throws {
    do {
      for table in binding.tables { try connection.checkRowCount(ofTable: table.table.name) }
      let encoding: UInt32? =
        switch try connection.value("PRAGMA encoding")?.string {
        case "UTF-16le": 2
        case "UTF-16be": 3
        default: nil
        }
      guard let encoding else { return try fill(store) }
      try store.fill(recodingFrom: encoding, body: fill)
    } catch let error as SQLiteError {
      throw StoreError(error, path: path)
    }
  }

  private func fill(_ store: StagedStore) throws {
    try store.attach(path, as: TableReader.schema, mode: mode)
    var reader = TableReader(binding: binding, path: path, store: store)
    try reader.read()
  }
}
