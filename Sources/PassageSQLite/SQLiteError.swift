internal import CSQLite
internal import PassagePlatform

/// An error that SQLite returned.
package struct SQLiteError: Error, Sendable, Hashable {
  /// The extended result code (https://www.sqlite.org/rescode.html).
  package var code: Int32
  /// SQLite's own message.
  package var message: String
  /// The statement that failed, without its bound values; `nil` when none was running.
  package var sql: String?
  /// `errno` of the system call that failed, where SQLite says that one did; else 0
  /// (https://www.sqlite.org/c3ref/system_errno.html).
  package var systemErrorNumber: Int32

  package init(code: Int32, message: String, sql: String? = nil, systemErrorNumber: Int32 = 0) {
    self.code = code
    self.message = message
    self.sql = sql
    let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(code & 0xFF)
    self.systemErrorNumber = isOfSystem ? systemErrorNumber : 0
  }

  /// The low byte of ``code``.
  package var primaryCode: Int32 { code & 0xFF }

  package var isBusy: Bool {
    [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL].contains(primaryCode)
  }
  /// Whether the disk is full: SQLite reports this itself only for some calls.
  package var isDiskFull: Bool {
    primaryCode == SQLITE_FULL || [ENOSPC, EDQUOT].contains(systemErrorNumber)
  }
  /// Whether this user lacks a permission, or the file system is read-only.
  package var isPermission: Bool {
    isReadOnly || primaryCode == SQLITE_PERM || primaryCode == SQLITE_AUTH
      || [EACCES, EPERM, EROFS].contains(systemErrorNumber)
  }
  package var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
  package var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }
  package var isInputOutput: Bool { primaryCode == SQLITE_IOERR }
  package var isCannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }
  package var isReadOnly: Bool { primaryCode == SQLITE_READONLY }
  /// A journal must be rolled back first, and the connection may not write
  /// (`SQLITE_READONLY_ROLLBACK`).
  package var isRollbackNeeded: Bool { code == SQLITE_READONLY | 3 << 8 }
  package var isInterrupt: Bool { primaryCode == SQLITE_INTERRUPT }
  /// A statement that does not fit the schema, or a function that failed.
  package var isStatementError: Bool { primaryCode == SQLITE_ERROR }
  /// A collation that the schema names and that is not registered (`SQLITE_ERROR_MISSING_COLLSEQ`).
  package var isMissingCollation: Bool { code == SQLITE_ERROR | 1 << 8 }
  package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
  /// The process, or the machine, has too many files open: SQLite says that it cannot open one.
  package var isTooManyOpenFiles: Bool {
    [EMFILE, ENFILE].contains(systemErrorNumber) && (isCannotOpen || isInputOutput)
  }
  /// A name that SQLite derives from the store's is longer than the file system allows.
  package var isNameTooLong: Bool {
    systemErrorNumber == ENAMETOOLONG && (isCannotOpen || isInputOutput)
  }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    "SQLite error \(code): \(message)"
      + (systemErrorNumber == 0 ? "" : " (\(String(cString: strerror(systemErrorNumber))))")
      + (sql.map { " in: \($0.prefix(400))" } ?? "")
  }
}
