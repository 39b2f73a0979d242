internal import CSQLite

/// What statements of one connection may use, set below SQLite's own limits
/// (https://www.sqlite.org/c3ref/c_limit_attached.html).
///
/// Every statement is one that Passage wrote, and every value one that a file holds or an expression
/// made: more than these is never needed, whatever a file asks for.
package struct ConnectionLimits: Sendable, Hashable {
  /// The bytes of the largest value and of the largest row.
  package var valueBytes: Int
  /// The databases that can be attached.
  package var attached: Int32
  /// The rows that a table can have at most; `nil` where no other program wrote it.
  package var maximumRows: Int64?
  /// Whether triggers run. Passage runs none, of whatever file.
  package var runsTriggers = false

  /// For files that Passage itself makes: values as large as SQLite holds.
  package static let own = ConnectionLimits(valueBytes: 1_000_000_000, attached: 10)

  /// For tests that play the app whose store it is: its triggers run.
  package static let app: ConnectionLimits = {
    var limits = own
    limits.runsTriggers = true
    return limits
  }()

  /// For reading a file from elsewhere: nothing in it is larger than the file itself.
  ///
  /// - Parameter bytes: of the file and its log together. A row of a statement may hold several rows of
  ///   the file side by side, and text may take other bytes in UTF-8.
  package static func foreign(fileBytes bytes: Int64) -> ConnectionLimits {
    let (room, overflow) = bytes.multipliedReportingOverflow(by: 4)
    let needed = overflow ? own.valueBytes : Int(clamping: room)
    return ConnectionLimits(
      valueBytes: min(max(needed, 64 << 20), own.valueBytes), attached: 0,
      // https://www.sqlite.org/fileformat2.html, section 1.6: a cell has four bytes at least.
      maximumRows: bytes / 4)
  }

  /// SQLite's limits by their numbers. The columns and the terms of a compound are SQLite's defaults: a
  /// model may have as many properties.
  fileprivate var all: [(limit: Int32, value: Int32)] {
    [
      (SQLITE_LIMIT_LENGTH, Int32(clamping: valueBytes)),
      (SQLITE_LIMIT_SQL_LENGTH, 1_000_000),
      (SQLITE_LIMIT_COLUMN, 2_000),
      (SQLITE_LIMIT_EXPR_DEPTH, 1_000),
      (SQLITE_LIMIT_COMPOUND_SELECT, 500),
      (SQLITE_LIMIT_VDBE_OP, 1_000_000),
      (SQLITE_LIMIT_FUNCTION_ARG, 127),
      (SQLITE_LIMIT_ATTACHED, attached),
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
