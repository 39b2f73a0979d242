package import PassageSQLite
internal import PassageValues

/// Creates a new store file in steps, so that rows can be written between them: tables, rows,
/// indexes, bookkeeping tables.
///
/// Indexes come last because building them after the rows takes a quarter of the time. A step that
/// has already been done does nothing, so an interrupted run can continue.
package final class StoreBuilder {
  /// The journal mode of the finished store.
  package enum JournalMode: String, Sendable, Hashable {
    /// Core Data's mode for its own stores.
    case wal = "WAL"
    /// The store is one file, which can be moved as such.
    case delete = "DELETE"
  }

  /// The layout of the store.
  package let layout: StoreLayout
  /// The file's path.
  package let path: String

  /// The connection to the store, through which rows are written.
  package let connection: Connection

  /// Opens the file, and creates it if it does not exist: pages of 4096 bytes, incremental
  /// auto-vacuum, UTF-8, as Core Data creates it.
  ///
  /// - Throws: ``StoreError``: `permissionDenied`, `damaged`, `locked`, `diskFull`, `inputOutput`.
  package convenience init(path: String, layout: StoreLayout) throws(StoreError) {
    do {
      try self.init(connection: Connection(path: path, mode: .create), layout: layout)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Uses a connection that the caller opened for writing.
  ///
  /// - Parameter textEncoding: the number in a database header: 1 for UTF-8, 2 for UTF-16 with the
  ///   low byte first, 3 for UTF-16 with the high byte first.
  package init(
    connection: Connection, layout: StoreLayout, textEncoding: UInt32 = 1
  ) throws(SQLiteError) {
    self.connection = connection
    self.layout = layout
    self.path = connection.path
    // These take effect only before the first page is written.
    try connection.execute(
      "PRAGMA encoding = '\(Self.encodingName(textEncoding))'; PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL"
    )
  }

  /// Uses a connection for writing to a store that has its tables.
  package init(existing connection: Connection, layout: StoreLayout) {
    self.connection = connection
    self.layout = layout
    path = connection.path
  }

  /// SQLite's name of a text encoding.
  ///
  /// - Parameter number: the number in a database header.
  package static func encodingName(_ number: UInt32) -> String {
    switch number {
    case 2: "UTF-16le"
    case 3: "UTF-16be"
    default: "UTF-8"
    }
  }

  /// Creates every table, in the order of Core Data's stores, without secondary indexes.
  package func createTables() throws(StoreError) {
    try writing { connection in
      let isDone =
        try connection.integer(
          "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?",
          [.text(BookkeepingTable.modelCache.rawValue)]) > 0
      if isDone { return }
      // One transaction creates all tables, so the last one stands for all.
      try connection.transaction {
        for statement in layout.tableStatements { try connection.execute(statement) }
        for table in BookkeepingTable.allCases { try connection.execute(table.createStatement) }
      }
    }
  }

  /// The statements that create the indexes, in order. Each does nothing if its index exists. A
  /// caller that reports progress runs them one by one.
  package var indexStatements: [String] { layout.indexStatements }

  /// Creates every missing index, and fills the R-tree indexes it creates.
  package func createIndexes() throws(StoreError) {
    try writing { connection in
      for statement in indexStatements { try connection.execute(statement) }
      for index in layout.spatialIndexes { try create(index) }
    }
  }

  /// Creates and fills an R-tree index. Does nothing if it exists.
  package func create(_ index: SpatialIndexLayout) throws {
    let isDone =
      try connection.integer(
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?",
        [.text(index.name)]) > 0
    if isDone { return }
    try connection.transaction {
      try connection.execute(index.createStatement)
      try connection.execute(index.fillStatement)
    }
  }

  /// Creates every missing trigger. The triggers call functions that only Core Data has, so
  /// afterwards only Core Data can change a row of their tables.
  ///
  /// A statement for each would look through the whole schema each time. They are added to it together, with the
  /// text that SQLite stores, and SQLite reads them when it reads the schema anew.
  ///
  /// - Complexity: O(n) in the tables, indexes and triggers of the store.
  package func createTriggers() throws(StoreError) {
    try writing { connection in
      var names = Set(
        try connection.rows("SELECT name FROM main.sqlite_master WHERE type = 'trigger'")
          .compactMap { $0[0].string.map(SQLName.init) })
      let missing = layout.triggers.filter { names.insert(SQLName($0.name)).inserted }
      guard !missing.isEmpty else { return }
      try connection.rewriteSchema {
        let insert = try connection.prepare(
          "INSERT INTO main.sqlite_master (type, name, tbl_name, rootpage, sql) "
            + "VALUES ('trigger', ?, ?, 0, ?)")
        for trigger in missing {
          try insert.bind([
            .text(trigger.name), .text(trigger.tableName), .text(trigger.createStatement),
          ])
          try insert.run()
        }
      }
      // A trigger that SQLite does not accept is found here, and not by the app.
      _ = try connection.integer("SELECT count(*) FROM main.sqlite_master")
    }
  }

  /// Writes the entities' numbers and the largest key of each root entity.
  ///
  /// - Parameter largestKeys: by the name of the root entity; a root that is missing has assigned
  ///   no key.
  package func writePrimaryKeys(_ largestKeys: [String: Int64] = [:]) throws(StoreError) {
    try writing { connection in
      try connection.transaction {
        let insert = try connection.prepare(
          "INSERT OR REPLACE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
            + "VALUES (?, ?, ?, ?)")
        for row in BookkeepingRows.primaryKeys(layout, largestKeys) {
          try insert.bind([.integer(row.key)] + row.cells.dropFirst())
          try insert.run()
        }
      }
    }
  }

  /// Writes the store's one row of metadata.
  package func writeMetadata(_ metadata: StoreMetadata) throws(StoreError) {
    let row = BookkeepingRows.metadata(metadata)
    try writing { connection in
      try connection.execute(
        "INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (?, ?, ?)",
        [.integer(row.key)] + row.cells.dropFirst())
    }
  }

  /// Writes the model that the store keeps; nothing if there is none.
  package func writeModel(_ archive: ModelArchive) throws(StoreError) {
    guard let row = BookkeepingRows.model(archive) else { return }
    try writing { connection in
      try connection.execute(
        "INSERT OR REPLACE INTO Z_MODELCACHE (rowid, Z_CONTENT) VALUES (?, ?)",
        [.integer(row.key)] + row.cells)
    }
  }

  /// Sets the final journal mode and moves all pages into the main file. The caller must release
  /// the connection and sync the file before moving it.
  package func finish(journalMode: JournalMode) throws(StoreError) {
    try writing { connection in
      // First, the log of an earlier mode is copied into the main file.
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      let mode = try connection.value("PRAGMA journal_mode = \(journalMode.rawValue)")?.string
      guard mode?.uppercased() == journalMode.rawValue else {
        throw StoreError(
          .failed, path: path, detail: "the journal mode is still \(mode ?? "unknown")")
      }
    }
  }

  private func writing(_ body: (Connection) throws -> Void) throws(StoreError) {
    do {
      try body(connection)
    } catch let error as SQLiteError {
      throw StoreError(error, path: path)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.failed, path: path, detail: "\(error)")
    }
  }
}
