internal import CSQLite

/// The limits for statements of one connection, below SQLite's own limits
/// (https://www.sqlite.org/c3ref/c_limit_attached.html).
///
/// Passage wrote every statement, and every value is in a file or the result of an expression. More
/// than these limits is never needed, whatever a file contains.
package struct ConnectionLimits: Sendable, Hashable {
  /// The size of the largest value and of the largest row in bytes.
  package var valueBytes: Int
  /// The number of databases that ``Connection/attach(_:as:mode:)`` can attach; no other statement attaches one.
  package var attached: Int32
  /// The largest number of rows of a table; `nil` if no other program wrote the file.
  package var maximumRows: Int64?
  /// Whether triggers run. Passage never runs triggers, in any file.
  package var runsTriggers = false
  /// The number of databases that any statement can attach. Passage's own attach none.
  package var attachedByStatements: Int32 = 0

  /// The largest number of columns of a table, and of a result: SQLite's default.
  package static let maximumColumns = 2_000

  /// For files that Passage itself creates: values as large as SQLite supports.
  package static let own = ConnectionLimits(valueBytes: 1_000_000_000, attached: 10)

  /// For tests that act as the app that owns the store: its triggers run, and its statements do anything.
  package static let app: ConnectionLimits = {
    var limits = own
    limits.runsTriggers = true
    limits.attachedByStatements = limits.attached
    return limits
  }()

  /// For reading a foreign file: nothing in it is larger than the file itself.
  ///
  /// - Parameter bytes: the size of the file and its log together. A row of a statement may contain
  ///   several rows of the file, and text may have another size in UTF-8.
  package static func foreign(fileBytes bytes: Int64) -> ConnectionLimits {
    let (room, overflow) = bytes.multipliedReportingOverflow(by: 4)
    let needed = overflow ? own.valueBytes : Int(clamping: room)
    return ConnectionLimits(
      valueBytes: min(max(needed, 64 << 20), own.valueBytes), attached: 0,
      // https://www.sqlite.org/fileformat2.html, section 1.6: a cell has at least four bytes.
      maximumRows: bytes / 4)
  }

  /// SQLite's limits by number. Columns and the terms of a compound have SQLite's defaults, because
  /// a model may have that many properties.
  fileprivate var all: [(limit: Int32, value: Int32)] {
    [
      (SQLITE_LIMIT_LENGTH, Int32(clamping: valueBytes)),
      (SQLITE_LIMIT_SQL_LENGTH, 1_000_000),
      (SQLITE_LIMIT_COLUMN, Int32(Self.maximumColumns)),
      (SQLITE_LIMIT_EXPR_DEPTH, 1_000),
      (SQLITE_LIMIT_COMPOUND_SELECT, 500),
      (SQLITE_LIMIT_VDBE_OP, 1_000_000),
      (SQLITE_LIMIT_FUNCTION_ARG, 127),
      (SQLITE_LIMIT_ATTACHED, attachedByStatements),
      (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
      (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
      (SQLITE_LIMIT_TRIGGER_DEPTH, runsTriggers ? 100 : 1),
      (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
  }
}

extension Connection {
  func apply(_ limits: ConnectionLimits) {
    for (limit, value) in limits.all { sqlite3_limit(handle, limit, value) }
  }
}
