internal import CSQLite
package import PassageValues

/// One connection to one SQLite database. Not shared between threads.
///
/// Every connection is hardened as SQLite's page on untrusted files recommends
/// (https://www.sqlite.org/security.html): defensive mode, no trusted schema, no extensions, no
/// memory mapping, cells checked against their pages.
package final class Connection {
  package enum Mode: Sendable {
    /// The file must exist; nothing is ever written to it.
    case readOnly
    /// The file must exist.
    case readWrite
    /// The file is made when it does not exist.
    case create
    /// As `readOnly`, for a file that nobody can change: no lock, no sidecar, and a `-wal` beside
    /// it is not read.
    case immutable
  }

  /// The path the connection was opened with.
  package let path: String

  let handle: OpaquePointer
  private var functionBoxes: [AnyObject] = []

  /// Opens a database file.
  ///
  /// - Parameters:
  ///   - path: a file path, or an empty string for a private temporary database.
  ///   - busyTimeout: milliseconds to wait for another process's lock.
  package init(path: String, mode: Mode, busyTimeout: Int32 = 2_000) throws(SQLiteError) {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI
    switch mode {
    case .readOnly, .immutable: flags |= SQLITE_OPEN_READONLY
    case .readWrite: flags |= SQLITE_OPEN_READWRITE
    case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(Self.uri(path, mode), &opened, flags, nil)
    guard let opened, code == SQLITE_OK else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      let systemError = opened.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(opened)
      throw SQLiteError(code: code, message: message, systemErrorNumber: systemError)
    }
    self.path = path
    self.handle = opened
    sqlite3_busy_timeout(opened, busyTimeout)
    _ = passage_sqlite3_db_config_int(opened, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = passage_sqlite3_db_config_int(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = passage_sqlite3_db_config_int(opened, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    try execute("PRAGMA mmap_size=0; PRAGMA cell_size_check=ON")
  }

  /// Called when the connection is closed: when it and every statement of it are gone.
  package var afterClose: (() -> Void)?

  deinit {
    sqlite3_close_v2(handle)
    afterClose?()
  }

  /// Runs one or more statements that give no rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code, sql: sql) }
  }

  /// Runs one statement with bound values and throws its rows away.
  package func execute(_ sql: String, _ values: [Value]) throws(SQLiteError) {
    let statement = try prepare(sql)
    try statement.bind(values)
    while try statement.step() {}
  }

  /// Compiles one statement.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var compiled: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
    guard let compiled else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "the statement is empty", sql: sql)
    }
    return Statement(handle: compiled, connection: self)
  }

  /// Compiles one statement over a table that any of its indexes may answer, or the table alone where
  /// an index is sorted by a collation that only its app has.
  ///
  /// - Parameter sql: the statement, of the table's name as it stands in a FROM clause.
  package func prepare(
    overTable name: String, _ sql: (String) -> String
  ) throws(SQLiteError) -> Statement {
    let table = name.quotedIdentifier
    do {
      return try prepare(sql(table))
    } catch  where error.isMissingCollation {
      return try prepare(sql("\(table) NOT INDEXED"))
    }
  }

  /// How many rows a table has.
  ///
  /// - Complexity: O(n) in the pages of its smallest b-tree.
  package func rowCount(ofTable name: String) throws(SQLiteError) -> Int64 {
    let statement = try prepare(overTable: name) { "SELECT count(*) FROM \($0)" }
    return try statement.step() ? statement.integer(at: 0) : 0
  }

  /// The first cell of the first row, or `nil` when there is no row.
  package func value(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Value? {
    let statement = try prepare(sql)
    try statement.bind(values)
    return try statement.step() ? statement.value(at: 0) : nil
  }

  /// The first cell of the first row as an integer; 0 when it is NULL or there is no row.
  package func integer(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Int64 {
    try value(sql, values)?.integer ?? 0
  }

  /// Every row of a small result, in the statement's order.
  package func rows(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> [[Value]] {
    let statement = try prepare(sql)
    try statement.bind(values)
    var rows: [[Value]] = []
    while try statement.step() { rows.append(statement.values()) }
    return rows
  }

  /// Runs `body` between `BEGIN IMMEDIATE` and `COMMIT`; rolls back when it throws, and throws what
  /// `body` threw even when the roll-back fails.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// Rows changed by the last INSERT, UPDATE or DELETE.
  package var changes: Int64 { sqlite3_changes64(handle) }

  /// Makes another database visible under a schema name; read-only unless `mode` says otherwise.
  package func attach(
    _ path: String, as schema: String, mode: Mode = .readOnly
  ) throws(SQLiteError) {
    try execute("ATTACH DATABASE ? AS \(schema.quotedIdentifier)", [.text(Self.uri(path, mode))])
  }

  /// Takes an attached database away.
  package func detach(_ schema: String) throws(SQLiteError) {
    try execute("DETACH DATABASE \(schema.quotedIdentifier)")
  }

  /// Gives as much of the connection's memory back as can be had without losing anything
  /// (https://www.sqlite.org/c3ref/db_release_memory.html).
  package func releaseMemory() { sqlite3_db_release_memory(handle) }

  /// Asks whatever is running on this connection to stop. Safe from any thread.
  package func interrupt() { sqlite3_interrupt(handle) }

  /// Bounds what statements on a foreign file may cost: calls `isCancelled` every `instructions`
  /// virtual-machine instructions; when it answers true the running statement fails with
  /// `SQLITE_INTERRUPT`.
  package func setProgressHandler(
    every instructions: Int32, isCancelled: @escaping () -> Bool
  ) {
    let box = ProgressBox(isCancelled)
    progressBox = box
    sqlite3_progress_handler(
      handle, instructions,
      { context in
        guard let context else { return 0 }
        return Unmanaged<ProgressBox>.fromOpaque(context).takeUnretainedValue().isCancelled()
          ? 1 : 0
      }, Unmanaged.passUnretained(box).toOpaque())
  }

  private var progressBox: ProgressBox?

  /// The path as a `file:` URI, every byte that means something in a URI escaped.
  static func uri(_ path: String, _ mode: Mode) -> String {
    guard !path.isEmpty else { return "" }
    // An absolute path follows an empty authority: "//a" must not be read as host "a".
    var uri = path.hasPrefix("/") ? "file://" : "file:"
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    for byte in path.utf8 {
      if unreserved.contains(byte) {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        uri += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return switch mode {
    case .readOnly: uri + "?mode=ro"
    case .readWrite: uri + "?mode=rw"
    case .create: uri + "?mode=rwc"
    case .immutable: uri + "?mode=ro&immutable=1"
    }
  }

  func keep(_ box: AnyObject) { functionBoxes.append(box) }

  func error(_ code: Int32, sql: String? = nil) -> SQLiteError {
    SQLiteError(
      code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql,
      systemErrorNumber: sqlite3_system_errno(handle))
  }
}

/// Keeps a progress closure alive for as long as SQLite may call it.
final class ProgressBox {
  let isCancelled: () -> Bool
  init(_ isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }
}
