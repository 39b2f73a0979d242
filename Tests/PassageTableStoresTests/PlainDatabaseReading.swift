import PassageFiles
import PassageModels
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import Testing

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

  /// Stages a database, with pages and by SQL alone, and expects that the result is the same.
  ///
  /// - Parameters:
  ///   - model: its own unless another is given.
  ///   - limit: how many rows may be quarantined.
  ///   - isDamaged: whether the file may be damaged beside its records, which only SQLite sees.
  func stage(
    _ path: String, as model: Model? = nil, limit: Int = 0, isDamaged: Bool = false
  ) throws -> Connection {
    let model = try model ?? type.model(path: path)
    func stage(_ name: String, usesPages: Bool) throws -> Connection {
      let staged = folder.path(name)
      try FileSystem().remove(staged)
      let store = try StagedStore(
        path: staged, model: model, maximumQuarantined: limit, usesPages: usesPages)
      try type.open(path: path, as: model).read(into: store)
      try store.seal(storeUUID: "0")
      return try Connection(path: staged, mode: .readOnly)
    }
    let bySQL = Result { try stage("by-sql.sqlite", usesPages: false) }
    let byPages = Result { try stage("staged.sqlite", usesPages: true) }
    if let sql = try? bySQL.get(), let pages = try? byPages.get() {
      #expect(try contents(of: pages) == contents(of: sql))
      #expect(try pages.value("PRAGMA integrity_check")?.string == "ok")
    } else if isDamaged {
      #expect(message(of: bySQL).contains("STO-110"))
    } else {
      #expect(message(of: byPages) == message(of: bySQL))
    }
    return try byPages.get()
  }

  private func message(of result: Result<Connection, any Error>) -> String {
    if case .failure(let error) = result { "\(error)" } else { "no error" }
  }

  /// Every row of every table, as SQL writes its values.
  private func contents(of connection: Connection) throws -> [String] {
    try connection.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name"
    ).flatMap { row in
      let table = row[0].string ?? ""
      let columns = try connection.rows("SELECT name FROM pragma_table_info(?)", [.text(table)])
        .map { "quote(\(($0[0].string ?? "").quotedIdentifier))" }
      return try connection.rows(
        "SELECT \(columns.joined(separator: " || ', ' || ")) FROM \(table.quotedIdentifier)"
      ).map { "\(table): \($0[0].string ?? "")" }
    }
  }
}
