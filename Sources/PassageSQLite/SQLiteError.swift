internal import CSQLite

/// What SQLite answered when it refused.
package struct SQLiteError: Error, Sendable, Hashable {
  /// The extended result code (https://www.sqlite.org/rescode.html).
  package var code: Int32
  /// SQLite's own words.
  package var message: String
  /// The statement that failed, without its bound values; `nil` when none was running.
  package var sql: String?

  package init(code: Int32, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// The low byte of ``code``.
  package var primaryCode: Int32 { code & 0xFF }

  package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
  package var isDiskFull: Bool { primaryCode == SQLITE_FULL }
  package var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
  package var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }
  package var isInputOutput: Bool { primaryCode == SQLITE_IOERR }
  package var isCannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }
  package var isReadOnly: Bool { primaryCode == SQLITE_READONLY }
  /// A journal must be rolled back first, and the connection may not write
  /// (`SQLITE_READONLY_ROLLBACK`).
  package var isRollbackNeeded: Bool { code == SQLITE_READONLY | 3 << 8 }
  package var isInterrupt: Bool { primaryCode == SQLITE_INTERRUPT }
  /// A statement that does not fit the schema, or a function that refused.
  package var isStatementError: Bool { primaryCode == SQLITE_ERROR }
  /// A collation that the schema names and nobody registered (`SQLITE_ERROR_MISSING_COLLSEQ`).
  package var isMissingCollation: Bool { code == SQLITE_ERROR | 1 << 8 }
  package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    "SQLite error \(code): \(message)" + (sql.map { " in: \($0.prefix(400))" } ?? "")
  }
}
