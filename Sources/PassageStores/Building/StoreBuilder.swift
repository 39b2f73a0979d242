package import PassageSQLite
internal import PassageValues

/// Makes a fresh store file in steps, so that rows can be written between them: tables, rows,
/// indexes, bookkeeping.
///
/// Indexes come last because building them after the rows takes a quarter of the time. Every step
/// does nothing when it was done before, so that an interrupted run can continue.
package final class StoreBuilder {
  /// How the finished store keeps its transactions.
  package enum JournalMode: String, Sendable, Hashable {
    /// What Core Data uses for stores of its own.
    case wal = "WAL"
    /// A store of one file, which can be moved by moving that file.
    case delete = "DELETE"
  }

  /// The layout the store is made in.
  package let layout: StoreLayout
  /// The file's path.
  package let path: String

  /// The connection to the store: rows are written through it.
  package let connection: Connection

  /// Opens the file, and makes it when it does not exist: pages of 4096 bytes, incremental
  /// auto-vacuum, UTF-8, as Core Data makes it.
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
  /// - Parameter textEncoding: as the header of a database counts it: 1 for UTF-8, 2 and 3 for UTF-16
  ///   with the low or the high byte first.
  package init(
    connection: Connection, layout: StoreLayout, textEncoding: UInt32 = 1
  ) throws(SQLiteError) {
    self.connection = connection
    self.layout = layout
    self.path = connection.path
    // These take effect only before the first page is written.
    let encoding =
      switch textEncoding {
      case 2: "UTF-16le"
      case 3: "UTF-16be"
      default: "UTF-8"
      }
    try connection.execute(
      "PRAGMA encoding = '\(encoding)'; PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL")
  }

  /// Makes every table, in the order of Core Data's stores, without secondary indexes.
  package func createTables() throws(StoreError) {
    try writing { connection in
      let isDone =
        try connection.integer(
          "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?",
          [.text(BookkeepingTable.modelCache.rawValue)]) > 0
      if isDone { return }
      // One transaction: the last table stands for all.
      try connection.transaction {
        for statement in layout.tableStatements { try connection.execute(statement) }
        for table in BookkeepingTable.allCases { try connection.execute(table.createStatement) }
      }
    }
  }

  /// The statements that make the indexes, in order; each does nothing when its index exists. A
  /// caller that reports progress runs them one by one.
  package var indexStatements: [String] { layout.indexStatements }

  /// Makes every index that is missing, and fills the R-tree indexes it makes.
  package func createIndexes() throws(StoreError) {
    try writing { connection in
      for statement in indexStatements { try connection.execute(statement) }
      for index in layout.spatialIndexes { try create(index) }
    }
  }

  /// Makes an R-tree index and fills it; does nothing when it exists.
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

  /// Makes every trigger that is missing. They call functions that only Core Data has: afterwards no
  /// row of their tables can be changed by anything else.
  package func createTriggers() throws(StoreError) {
    try writing { connection in
      for trigger in layout.triggers { try connection.execute(trigger.createIfMissingStatement) }
    }
  }

  /// Writes the entities' numbers and the largest key of each root entity.
  ///
  /// - Parameter largestKeys: by root entity name; a root that is missing has given out no key.
  package func writePrimaryKeys(_ largestKeys: [String: Int64] = [:]) throws(StoreError) {
    try writing { connection in
      try connection.transaction {
        let insert = try connection.prepare(
          "INSERT OR REPLACE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
            + "VALUES (?, ?, ?, ?)")
        for entity in layout.entities {
          // Keys are given out for each table: only its root counts.
          let largest = entity.parentNumber == 0 ? largestKeys[entity.name] ?? 0 : 0
          try insert.bind([
            .integer(Int64(entity.number)), .text(entity.name),
            .integer(Int64(entity.parentNumber)), .integer(largest),
          ])
          try insert.run()
        }
      }
    }
  }

  /// Writes the store's one row of metadata.
  package func writeMetadata(_ metadata: StoreMetadata) throws(StoreError) {
    try writing { connection in
      try connection.execute(
        "INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
        [.text(metadata.storeUUID), .blob(metadata.propertyListBytes)])
    }
  }

  /// Leaves the store in a journal mode, with all its pages in the main file. The connection must be
  /// let go of, and the file synced, before it is moved.
  package func finish(journalMode: JournalMode) throws(StoreError) {
    try writing { connection in
      // A log of an earlier mode is copied back first.
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      let mode = try connection.value("PRAGMA journal_mode = \(journalMode.rawValue)")?.string
      guard mode?.uppercased() == journalMode.rawValue else {
        throw StoreError(
          .failed, path: path, detail: "the journal mode stays \(mode ?? "unknown")")
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
