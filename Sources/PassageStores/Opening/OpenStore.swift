internal import PassageFiles
internal import PassageModels
package import PassagePages
package import PassageSQLite
internal import PassageValues

/// A store opened for reading, as it was when it was opened. Not shared between threads.
package final class OpenStore {
  /// The store's files.
  package let unit: StoreUnit
  /// The main file's header at the time of opening.
  package let header: DatabaseHeader
  /// The store's metadata.
  package let metadata: StoreMetadata

  private let limits: ConnectionLimits
  private let busyTimeout: Int32
  private var made: Connection?

  /// The pages of a store at rest of which nothing was asked on a connection yet; `nil` for any other.
  package let restingPages: PageReader?

  /// How the file was opened. Further connections must use the same mode.
  package let mode: Connection.Mode

  /// The connection's number of commits by others before its read transaction began.
  private let dataVersion: Int64

  /// The connection, which has an open read transaction. A store at rest whose schema is known gets it
  /// when it is asked for: most of what is read of such a store is in its pages.
  package var connection: Connection {
    get throws(SQLiteError) {
      if let made { return made }
      let connection = try Connection(
        path: unit.path, mode: mode, busyTimeout: busyTimeout, limits: limits)
      try connection.execute("BEGIN")
      _ = try connection.integer("SELECT count(*) FROM sqlite_master")
      made = connection
      return connection
    }
  }

  /// The layouts found so far: a store is opened once and asked several times.
  var knownLayouts: [(model: Model, layout: StoreLayout)] = []

  /// What its schema says.
  package let facts: SchemaFacts

  /// What the schema makes SQLite compute.
  var code: SchemaCode { facts.code }

  /// Why SQLite compares the values of a layout's tables otherwise than the engine does in memory: texts
  /// by their bytes in UTF-8, and every value as what it was stored as. `nil` when it compares alike.
  /// Join tables are left out: ``unnumberedJoins(_:)`` names those that differ.
  ///
  /// - Parameter layout: of this store.
  /// - Complexity: O(n) in the columns.
  package func comparisonObstacle(_ layout: StoreLayout) -> String? {
    if let encodingObstacle { return encodingObstacle }
    if facts.hasCollations { return "a table of the store declares how its texts are compared" }
    for table in layout.tables {
      if let column = table.columns.first(where: {
        !isComparedAlike($0.name, as: $0.type, ofTable: table.name)
      }) {
        return "the column \(table.name).\(column.name) is not declared as \(column.type.rawValue)"
      }
    }
    return nil
  }

  /// The names of the join tables with a column that is not declared as one of numbers, as in old stores
  /// and in those that another program made. Such a column may hold a key as a text, which leads to an
  /// object where SQLite compares it with the object's key, and nowhere else.
  ///
  /// - Parameter layout: of this store.
  /// - Complexity: O(n) in the columns.
  package func unnumberedJoins(_ layout: StoreLayout) -> Set<String> {
    let tables = layout.joinTables.filter { table in
      !table.columns.allSatisfy { isComparedAlike($0, as: .integer, ofTable: table.name) }
    }
    return Set(tables.map(\.name))
  }

  /// The part of ``comparisonObstacle(_:)`` that the stores of a migration's later steps have too.
  package var encodingObstacle: String? {
    header.textEncoding > 1 ? "the store's text is in UTF-16" : nil
  }

  /// A column of another affinity has SQLite convert texts to numbers, or numbers to texts.
  private func isComparedAlike(
    _ column: String, as type: Column.DeclaredType, ofTable table: String
  ) -> Bool {
    facts.declaredType(ofColumn: column, inTable: table).map(type.isCompared(like:)) ?? true
  }

  /// - Parameter limits: for statements; `nil` for those of a foreign file.
  init(
    unit: StoreUnit, header: DatabaseHeader, mode: Connection.Mode, busyTimeout: Int32,
    limits: ConnectionLimits? = nil
  ) throws(StoreError) {
    self.unit = unit
    self.header = header
    self.mode = mode
    self.busyTimeout = busyTimeout
    self.limits = limits ?? .foreign(unit: unit)
    restingPages = nil
    if self.limits.maximumRows != nil,
      let table = CrowdedTable(inPagesOf: unit, readsLog: header.isWAL && mode != .immutable)
    {
      throw table.error(path: unit.path)
    }
    let before = header.isWAL && mode == .readOnly ? unit.sidecars : nil
    do {
      let connection = try Connection(
        path: unit.path, mode: mode, busyTimeout: busyTimeout, limits: self.limits)
      made = connection
      // This is set before anything is read, so that the files SQLite creates beside a store that
      // turns out to be damaged are removed too.
      if let before, !before.hasIndex {
        connection.afterClose = { unit.tidy(since: before) }
      }
      dataVersion = try connection.integer(Self.dataVersionQuestion)
      try connection.execute("BEGIN")
      // The first read takes the transaction's snapshot.
      facts = try SchemaFacts.read(connection) { entries in
        guard SchemaFacts.hasTable("Z_METADATA", in: entries) else {
          throw Self.missingLog(unit, header) ?? StoreError(.notACoreDataStore, path: unit.path)
        }
        // Many tables of the same rows would take far more time than the file has bytes.
        let roots = entries.map(\.rootPage).filter { $0 > 0 }
        guard Set(roots).count == roots.count else {
          throw StoreError(.damaged, path: unit.path, detail: SchemaFacts.sharedRoot)
        }
        let indexes = entries.lazy.filter { $0.type == "index" }
        if let table = CrowdedTable(ofIndexes: indexes.map(\.tableName)) {
          throw table.error(path: unit.path)
        }
      }
      let known = BookkeepingTable.allCases.map(\.rawValue) + BookkeepingTable.historyNames
      try facts.code.refuseGeneratedColumns(ofTables: known, path: unit.path)
      metadata = try Self.readMetadata(connection, unit, header)
    } catch let error as SQLiteError {
      throw StoreError(opening: unit, error)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.failed, path: unit.path, detail: "\(error)")
    }
  }

  /// A store at rest whose schema is known, and that was read by its pages.
  ///
  /// - Parameter pages: of the file that the header is of.
  init(
    atRest unit: StoreUnit, _ header: DatabaseHeader, _ facts: SchemaFacts,
    _ metadata: StoreMetadata, _ pages: PageReader, limits: ConnectionLimits
  ) throws(StoreError) {
    self.unit = unit
    self.header = header
    self.facts = facts
    self.metadata = metadata
    self.limits = limits
    mode = .immutable
    busyTimeout = 0
    dataVersion = 0
    restingPages = pages
    try refuseGeneratedColumns()
  }

  private func refuseGeneratedColumns() throws(StoreError) {
    let known = BookkeepingTable.allCases.map(\.rawValue) + BookkeepingTable.historyNames
    try facts.code.refuseGeneratedColumns(ofTables: known, path: unit.path)
  }

  // https://www.sqlite.org/pragma.html#pragma_data_version
  private static let dataVersionQuestion = "PRAGMA main.data_version"

  /// Whether SQLite reads the store together with its log.
  package var readsLog: Bool { header.isWAL && mode != .immutable }

  /// Whether another connection has committed changes since the store was opened, or another file is
  /// at its path now. If not, the read transaction begins anew, with all locks; otherwise it has
  /// ended.
  package func isChangedByOthers() throws(SQLiteError) -> Bool {
    // Without locks, SQLite sees no commits of others.
    if mode == .immutable { return try hasMoved() }
    let connection = try connection
    if connection.isInTransaction { try connection.execute("COMMIT") }
    guard try !connection.hasMoved(),
      try connection.integer(Self.dataVersionQuestion) == dataVersion
    else { return true }
    try connection.execute("BEGIN")
    _ = try connection.integer("SELECT count(*) FROM sqlite_master")
    return false
  }

  /// Whether the file that SQLite has open is no longer the one at its path. Without a connection, the
  /// fingerprint tells.
  package func hasMoved() throws(SQLiteError) -> Bool { try made?.hasMoved() ?? false }

  private static func readMetadata(
    _ connection: Connection, _ unit: StoreUnit, _ header: DatabaseHeader
  ) throws(StoreError) -> StoreMetadata {
    do {
      return try StoreMetadata.read(connection, path: unit.path)
    } catch {
      throw error.kind == .noMetadata ? missingLog(unit, header) ?? error : error
    }
  }

  /// The error for a store in WAL mode that was copied without its log and so has no metadata.
  private static func missingLog(_ unit: StoreUnit, _ header: DatabaseHeader) -> StoreError? {
    guard header.isWAL, StoreFile.walBytes(of: unit) == 0 else { return nil }
    return StoreError(
      .logMissing, path: unit.path,
      detail: "the main file has no metadata, and there is no \(unit.name)-wal beside it")
  }

  /// Runs a read that is possible in every store, and adds the store's path to its error.
  ///
  /// - Throws: ``StoreError``; `damaged` if the statement fails because a table is not declared as
  ///   Core Data declares it.
  func reading<Result>(
    _ body: (Connection) throws -> Result
  ) throws(StoreError) -> Result {
    try naming { try body(connection) }
  }

  /// Adds the store's path to the error of a read that may need the connection.
  func naming<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
    do {
      return try body()
    } catch let error as SQLiteError where error.isStatementError {
      throw StoreError(.damaged, path: unit.path, detail: error.description)
    } catch let error as SQLiteError {
      throw StoreError(error, path: unit.path)
    } catch let error as StoreError {
      throw error
    } catch let failure as FileSystem.Failure {
      throw StoreError(failure, path: failure.path)
    } catch {
      throw StoreError(.failed, path: unit.path, detail: "\(error)")
    }
  }
}

extension ConnectionLimits {
  /// The limits for reading a store's files.
  package static func foreign(unit: StoreUnit) -> ConnectionLimits {
    let sizes = [unit.path, unit.walPath].map { (try? FileSystem.status($0))?.bytes ?? 0 }
    return .foreign(fileBytes: sizes.reduce(0) { $0.saturatingAdd($1) })
  }
}
