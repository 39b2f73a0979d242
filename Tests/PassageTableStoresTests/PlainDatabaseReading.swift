import PassageModels
import PassageSQLite
import PassageStores
import PassageTesting

@testable import PassageTableStores

/// Tests that make a plain database in a folder of their own and stage it.
protocol PlainDatabaseReading {
  var folder: TemporaryDirectory { get }
}

extension PlainDatabaseReading {
  var type: TableStoreType { TableStoreType() }

  /// Makes a database.
  ///
  /// - Returns: its path.
  func database(_ sql: String) throws -> String {
    let path = folder.path("plain.sqlite3")
    try Connection(path: path, mode: .create).execute(sql)
    return path
  }

  /// Stages a database: by its own model unless another is given, with at most `limit` rows quarantined.
  func stage(_ path: String, as model: Model? = nil, limit: Int = 0) throws -> Connection {
    let staged = folder.path("staged.sqlite")
    let model = try model ?? type.model(path: path)
    let store = try StagedStore(path: staged, model: model, maximumQuarantined: limit)
    try type.open(path: path, as: model).read(into: store)
    try store.seal(storeUUID: "0")
    return try Connection(path: staged, mode: .readOnly)
  }
}
