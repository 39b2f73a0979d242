internal import PassageFiles
package import PassageSQLite
internal import PassageValues

/// A store opened for reading, frozen at the moment it was opened. Not shared between threads.
package final class OpenStore {
  /// The store's files.
  package let unit: StoreUnit
  /// The main file's header when it was opened.
  package let header: DatabaseHeader
  /// What the store says about itself.
  package let metadata: StoreMetadata

  /// The connection, inside its read transaction.
  package let connection: Connection

  /// How the file was opened: a further connection must use the same mode.
  package let mode: Connection.Mode

  init(
    unit: StoreUnit, header: DatabaseHeader, mode: Connection.Mode, busyTimeout: Int32
  ) throws(StoreError) {
    self.unit = unit
    self.header = header
    self.mode = mode
    let before = unit.sidecars
    do {
      connection = try Connection(
        path: unit.path, mode: mode, busyTimeout: busyTimeout, limits: .foreign(unit: unit))
      // Set before anything is read: what SQLite made for a store that turns out to be damaged goes
      // away as well.
      if header.isWAL, mode == .readOnly, !before.hasIndex {
        connection.afterClose = { unit.tidy(since: before) }
      }
      try connection.execute("BEGIN")
      // The transaction takes its snapshot with its first read.
      guard try Self.hasTable("Z_METADATA", connection) else {
        throw Self.missingLog(unit, header) ?? StoreError(.notACoreDataStore, path: unit.path)
      }
      let known = BookkeepingTable.allCases.map(\.rawValue) + BookkeepingTable.historyNames
      try SchemaCode(connection, of: Set(known))
        .refuseGeneratedColumns(ofTables: known, path: unit.path)
      metadata = try Self.readMetadata(connection, unit, header)
    } catch let error as SQLiteError {
      throw Self.openingError(error, unit: unit)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.failed, path: unit.path, detail: "\(error)")
    }
  }

  private static func readMetadata(
    _ connection: Connection, _ unit: StoreUnit, _ header: DatabaseHeader
  ) throws(StoreError) -> StoreMetadata {
    do {
      return try StoreMetadata.read(connection, path: unit.path)
    } catch {
      throw error.kind == .noMetadata ? missingLog(unit, header) ?? error : error
    }
  }

  /// Why a store in WAL mode has no metadata: it was copied without its log.
  private static func missingLog(_ unit: StoreUnit, _ header: DatabaseHeader) -> StoreError? {
    guard header.isWAL, StoreFile.walBytes(of: unit) == 0 else { return nil }
    return StoreError(
      .logMissing, path: unit.path,
      detail: "the main file has no metadata, and there is no \(unit.name)-wal beside it")
  }

  private static func hasTable(
    _ name: String, _ connection: Connection
  ) throws(SQLiteError) -> Bool {
    try connection.integer(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?",
      [.text(name)]) > 0
  }

  /// SQLite says "cannot open" for a file it may not read and for sidecars it may not make.
  private static func openingError(_ error: SQLiteError, unit: StoreUnit) -> StoreError {
    // The first statements fit every database: what SQLite says is about the file itself.
    if error.isStatementError {
      return StoreError(.damaged, path: unit.path, detail: error.message)
    }
    let hasJournal = ((try? FileSystem.status(unit.journalPath))?.bytes ?? 0) > 0
    guard error.isCannotOpen || error.isReadOnly, FileSystem.isReadable(unit.path) else {
      return StoreError(error, path: unit.path)
    }
    let kind: StoreError.Kind =
      if hasJournal {
        .unfinishedTransaction
      } else if StoreFile.walBytes(of: unit) > 0 {
        .walInReadOnlyFolder
      } else {
        .permissionDenied
      }
    return StoreError(kind, path: unit.path, detail: error.description)
  }

  /// Runs a read of what every store has and names the store in its error.
  ///
  /// - Throws: ``StoreError``; `damaged` where the statement itself does not fit the store, because a
  ///   table is declared in another way than Core Data does.
  func reading<Result>(
    _ body: (Connection) throws -> Result
  ) throws(StoreError) -> Result {
    do {
      return try body(connection)
    } catch let error as SQLiteError where error.isStatementError {
      throw StoreError(.damaged, path: unit.path, detail: error.description)
    } catch let error as SQLiteError {
      throw StoreError(error, path: unit.path)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.failed, path: unit.path, detail: "\(error)")
    }
  }
}

extension ConnectionLimits {
  /// For reading a store's files.
  static func foreign(unit: StoreUnit) -> ConnectionLimits {
    let sizes = [unit.path, unit.walPath].map { (try? FileSystem.status($0))?.bytes ?? 0 }
    return .foreign(fileBytes: sizes.reduce(0, +))
  }
}
