internal import CSQLite
internal import PassagePlatform
package import PassageValues

/// One connection to one SQLite database. Not shared between threads.
///
/// Every connection is hardened as SQLite recommends for untrusted files
/// (https://www.sqlite.org/security.html): defensive mode, no trusted schema, no extensions, no
/// memory mapping, cells checked against their pages, limits. Code in a schema is never run:
/// triggers, views and CHECK constraints are off.
package final class Connection {
  package enum Mode: Sendable {
    /// The file must exist and is never written.
    case readOnly
    /// The file must exist.
    case readWrite
    /// The file is created if it does not exist.
    case create
    /// Like `readOnly`, for a file that nobody can change: no lock, no sidecar files, and a `-wal`
    /// file beside it is not read.
    case immutable
  }

  /// The path the connection was opened with.
  package let path: String

  let handle: OpaquePointer
  private(set) var watch: StatementWatch?
  let limits: ConnectionLimits
  /// Kept until the file is closed.
  private let view: FileView?
  private var count: StatementCount?
  private var functionBoxes: [AnyObject] = []
  private var hasAttached = false
  /// Called at the end of each transaction that is committed here, inside it. What fails rolls it back.
  package var beforeCommit: (() throws(SQLiteError) -> Void)?

  /// Opens a database file.
  ///
  /// - Parameters:
  ///   - path: a file path, or an empty string for a private temporary database.
  ///   - busyTimeout: milliseconds to wait for another process's lock.
  ///   - limits: the limits for statements.
  ///   - isSynced: whether commits must survive a power failure, by syncs of their own or by
  ///     ``SharedSyncs``. Even if not, a transaction over several files stays atomic when the
  ///     process is killed.
  ///   - readsAhead: whether all pages will be read, of a file that is only read.
  ///   - view: what is shown of a file that is only read; `nil` for all of it as it is.
  package init(
    path: String, mode: Mode, busyTimeout: Int32 = 2_000, limits: ConnectionLimits = .own,
    isSynced: Bool = true, readsAhead: Bool = false, view: FileView? = nil
  ) throws(SQLiteError) {
    let files =
      readsAhead || view != nil
      ? ReadAheadFiles.files
      : !isSynced
        ? UnsyncedFiles.files
        : SharedSyncs.current.map { _ in SharedSyncFiles.files } ?? DerivedFiles.own
    try files.register()
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI
    switch mode {
    case .readOnly, .immutable: flags |= SQLITE_OPEN_READONLY
    case .readWrite: flags |= SQLITE_OPEN_READWRITE
    case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      Self.uri(path, mode), &opened, flags, files.name)
    guard let opened, code == SQLITE_OK else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      let systemError = opened.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(opened)
      throw SQLiteError(code: code, message: message, systemErrorNumber: systemError)
    }
    if let view {
      let code = ReadAheadFiles.show(view, on: opened)
      guard code == SQLITE_OK else {
        sqlite3_close_v2(opened)
        throw SQLiteError(code: code, message: "the file cannot be shown in another way")
      }
    }
    self.path = path
    self.handle = opened
    self.limits = limits
    self.view = view
    LockWait.begin(opened, limit: busyTimeout)
    _ = passage_sqlite3_db_config_int(opened, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = passage_sqlite3_db_config_int(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = passage_sqlite3_db_config_int(opened, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    _ = passage_sqlite3_db_config_int(
      opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, limits.runsTriggers ? 1 : 0)
    _ = passage_sqlite3_db_config_int(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    apply(limits)
    joinWork()
    try execute(
      "PRAGMA mmap_size=0; PRAGMA cell_size_check=ON; PRAGMA ignore_check_constraints=ON")
  }

  /// Belongs to the current piece of work, which may stop its statements.
  func joinWork() {
    count = StatementCount.current
    count?.countConnection(path)
    watch = StatementWatch.current
    guard let watch else { return }
    watch.begin(handle)
    setProgressHandler(every: StatementWatch.instructions, isCancelled: watch.interrupts)
  }

  /// Belongs to no piece of work until it joins another.
  func leaveWork() {
    watch?.end(handle)
    (watch, count) = (nil, nil)
    install(nil)
  }

  /// Whether it is like a new connection, but for what it has read: it has no functions, no attached
  /// databases and no transaction.
  var isLikeNew: Bool { functionBoxes.isEmpty && !hasAttached && !isInTransaction }

  /// Whether the file that was opened is no longer the one at its path: it was renamed or removed, or
  /// another file took its place. `false` where SQLite does not know, as of a database in memory.
  ///
  /// - Parameter schema: `main`, or the name under which the file was attached.
  package func hasMoved(_ schema: String = "main") throws(SQLiteError) -> Bool {
    var hasMoved: Int32 = 0
    // https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html
    switch sqlite3_file_control(handle, schema, SQLITE_FCNTL_HAS_MOVED, &hasMoved) {
    case SQLITE_OK: return hasMoved != 0
    case SQLITE_NOTFOUND: return false
    case let code: throw SQLiteError(code: code, message: String(cString: sqlite3_errstr(code)))
    }
  }

  /// The path of a file, as SQLite has resolved it: the names of its journal and of its log begin with
  /// it. `nil` for a database without a file.
  ///
  /// - Parameter schema: `main`, or the name under which the file was attached.
  package func filePath(_ schema: String = "main") -> String? {
    guard let path = sqlite3_db_filename(handle, schema) else { return nil }
    let text = String(cString: path)
    return text.isEmpty ? nil : text
  }

  /// Called when the connection has been closed, after it and all its statements are released.
  package var afterClose: (() -> Void)?

  /// Statements that were compiled by the methods that run a statement to its end, for the next use
  /// of the same text.
  private var idleStatements: [ExactText: OpaquePointer] = [:]
  private static let maximumIdleStatements = 24

  /// Compiles one statement, or takes one that was compiled before. The statement goes back when it
  /// is released.
  ///
  /// A PRAGMA is compiled each time, because some of them take effect when they are compiled.
  private func reusable(_ sql: String) throws(SQLiteError) -> Statement {
    if sql.utf8.starts(with: "PRAGMA".utf8) { return try prepare(sql) }
    if let idle = idleStatements.removeValue(forKey: ExactText(sql)) {
      return Statement(handle: idle, connection: self, reusableText: sql)
    }
    return Statement(handle: try compile(sql), connection: self, reusableText: sql)
  }

  /// Takes a statement back that nobody uses any more.
  func putBack(_ statement: OpaquePointer, _ sql: String) {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    let text = ExactText(sql)
    guard idleStatements.count < Self.maximumIdleStatements, idleStatements[text] == nil else {
      return _ = sqlite3_finalize(statement)
    }
    idleStatements[text] = statement
  }

  deinit {
    guard let watch else { return close() }
    watch.end(handle, closing: close)
  }

  private func close() {
    for statement in idleStatements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
    afterClose?()
  }

  /// Runs one or more statements that return no rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    count?.countStatement(sql)
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code, sql: sql) }
  }

  /// Runs one statement with bound values and ignores its rows.
  package func execute(_ sql: String, _ values: [Value]) throws(SQLiteError) {
    let statement = try reusable(sql)
    try statement.bind(values)
    while try statement.step() {}
  }

  /// Compiles one statement.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    Statement(handle: try compile(sql), connection: self)
  }

  private func compile(_ sql: String) throws(SQLiteError) -> OpaquePointer {
    count?.countStatement(sql)
    var compiled: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
    guard let compiled else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "the statement is empty", sql: sql)
    }
    return compiled
  }

  /// Compiles a statement over a table. SQLite may use any index, unless one is sorted by a
  /// collation that only the app has; then only the table is read.
  ///
  /// - Parameter sql: returns the statement, given the table for the FROM clause.
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

  /// The first cell of the first row; `nil` if there is no row.
  package func value(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Value? {
    let statement = try reusable(sql)
    try statement.bind(values)
    return try statement.step() ? statement.value(at: 0) : nil
  }

  /// The first cell of the first row as an integer; 0 if it is NULL or there is no row.
  package func integer(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Int64 {
    try value(sql, values)?.integer ?? 0
  }

  /// Every row of a small result, in the statement's order.
  ///
  /// - Throws: `SQLITE_CORRUPT` also if a table of a foreign file reports more rows than the file can
  ///   hold, see ``rowCount(ofTable:)``.
  package func rows(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> [[Value]] {
    let maximum = limits.maximumRows
    // This is far more than a row of such a result takes. The schema may be read first, too.
    return try boundedByRows(instructions: 4_096) { () throws(SQLiteError) in
      let statement = try reusable(sql)
      try statement.bind(values)
      var rows: [[Value]] = []
      while try statement.step() {
        if let maximum, rows.count > maximum { throw Self.tooManyRows(nil) }
        rows.append(statement.values())
      }
      return rows
    }
  }

  /// Runs `body` between `BEGIN IMMEDIATE` and `COMMIT`. If it throws, the transaction is rolled
  /// back, and its error is thrown even if the roll-back fails.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try beforeCommit?()
      try execute("COMMIT")
      return result
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// Commits what the open transaction has done so far. Only what is done from now on is rolled back if the
  /// body of ``transaction(_:)`` throws.
  package func commitAndBegin() throws(SQLiteError) {
    try beforeCommit?()
    try execute("COMMIT")
    try execute("BEGIN IMMEDIATE")
  }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The number of rows changed by the last INSERT, UPDATE or DELETE.
  package var changes: Int64 { sqlite3_changes64(handle) }

  /// Sets what `last_insert_rowid()` gives until the next row is inserted.
  package func setLastKey(_ key: Int64) { sqlite3_set_last_insert_rowid(handle, key) }

  /// Attaches another database under a schema name; read-only unless `mode` says otherwise.
  package func attach(
    _ path: String, as schema: String, mode: Mode = .readOnly
  ) throws(SQLiteError) {
    var uri = Self.uri(path, mode)
    // SQLite looks for an attached file in the file system of the connection's own database.
    if MemoryDatabase.isPath(self.path), !MemoryDatabase.isPath(path), !path.isEmpty,
      let name = sqlite3_vfs_find(nil)?.pointee.zName
    {
      uri += "&vfs=\(String(cString: name))"
    }
    hasAttached = true
    try attaching { () throws(SQLiteError) in
      try execute("ATTACH DATABASE ? AS \(schema.quotedIdentifier)", [.text(uri)])
    }
  }

  /// Runs a statement that opens another file. No other one can: whatever a name from a file might make of a
  /// statement, no further database is in its reach.
  func attaching(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, limits.attached)
    defer { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, limits.attachedByStatements) }
    try body()
  }

  /// Writes the file again, without free pages (https://www.sqlite.org/lang_vacuum.html).
  package func vacuum() throws(SQLiteError) {
    try attaching { () throws(SQLiteError) in try execute("VACUUM") }
  }

  /// Removes an attached database.
  package func detach(_ schema: String) throws(SQLiteError) {
    try execute("DETACH DATABASE \(schema.quotedIdentifier)")
  }

  /// Releases as much of the connection's memory as possible without losing data
  /// (https://www.sqlite.org/c3ref/db_release_memory.html).
  package func releaseMemory() { sqlite3_db_release_memory(handle) }

  /// Calls `isCancelled` every `instructions` virtual-machine instructions, to limit the cost of
  /// statements on a foreign file. If it returns `true`, the running statement fails with
  /// `SQLITE_INTERRUPT`.
  package func setProgressHandler(
    every instructions: Int32, isCancelled: @escaping () -> Bool
  ) {
    install(ProgressBox(every: instructions, isCancelled))
  }

  private(set) var progressBox: ProgressBox?

  private func install(_ box: ProgressBox?) {
    progressBox = box
    guard let box else { return sqlite3_progress_handler(handle, 0, nil, nil) }
    sqlite3_progress_handler(
      handle, box.instructions,
      { context in
        guard let context else { return 0 }
        return Unmanaged<ProgressBox>.fromOpaque(context).takeUnretainedValue().isCancelled()
          ? 1 : 0
      }, Unmanaged.passUnretained(box).toOpaque())
  }

  /// Runs statements with a limit of instructions. A statement that takes more is interrupted.
  func bounded<Result>(
    instructions: Int64?, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    guard let instructions else { return try body() }
    let before = progressBox
    defer { install(before) }
    var left = instructions
    install(
      ProgressBox(every: StatementWatch.instructions) {
        left -= Int64(StatementWatch.instructions)
        return left < 0 || before?.isCancelled() == true
      })
    return try body()
  }

  /// The path as a `file:` URI, with every byte escaped that has a meaning in a URI.
  static func uri(_ path: String, _ mode: Mode) -> String {
    guard !path.isEmpty else { return "" }
    if MemoryDatabase.isPath(path) {
      return MemoryDatabase.uri(path)
        + "?vfs=memdb&mode=\(mode == .create ? "rwc" : mode == .readWrite ? "rw" : "ro")"
    }
    // An absolute path follows an empty authority: "//a" must not be read as the host "a". A file called
    // ":memory:" must not be read as a database in memory.
    var uri = path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:./"
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
    // For an error during a commit, SQLite does not keep the system's error number. The calls that
    // roll back have succeeded, so `errno` of the thread still has it.
    let ofThread = errno
    let kept = sqlite3_system_errno(handle)
    let ofFile = code & 0xFF == SQLITE_CORRUPT ? passage_sqlite3_file_errno(handle) : 0
    if SQLiteError.failuresOfDevices.contains(ofFile) {
      return SQLiteError(
        code: SQLITE_IOERR | 1 << 8, message: String(cString: sqlite3_errstr(SQLITE_IOERR)),
        sql: sql,
        systemErrorNumber: ofFile)
    }
    return SQLiteError(
      code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql,
      systemErrorNumber: kept == 0 ? ofThread : kept)
  }
}

/// Keeps a progress closure alive while SQLite may call it.
final class ProgressBox {
  let instructions: Int32
  let isCancelled: () -> Bool

  init(every instructions: Int32, _ isCancelled: @escaping () -> Bool) {
    self.instructions = instructions
    self.isCancelled = isCancelled
  }
}
