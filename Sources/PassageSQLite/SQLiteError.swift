internal import CSQLite
internal import PassagePlatform

/// An error that SQLite returned.
package struct SQLiteError: Error, Sendable, Hashable {
  /// The extended result code (https://www.sqlite.org/rescode.html).
  package var code: Int32
  /// SQLite's own message.
  package var message: String
  /// The failed statement, without its bound values; `nil` if none was running.
  package var sql: String?
  /// `errno` of the failed system call, if SQLite reports one; otherwise 0
  /// (https://www.sqlite.org/c3ref/system_errno.html).
  package var systemErrorNumber: Int32

  package init(code: Int32, message: String, sql: String? = nil, systemErrorNumber: Int32 = 0) {
    self.code = code
    self.message = message
    self.sql = sql
    let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(code & 0xFF)
    self.systemErrorNumber = isOfSystem ? systemErrorNumber : 0
  }

  /// The numbers of the system's errors of a read for which SQLite takes the file for damaged
  /// (`SQLITE_IOERR_CORRUPTFS`).
  static let failuresOfDevices: Set<Int32> = [EIO, ENXIO, ERANGE]

  /// The low byte of ``code``.
  package var primaryCode: Int32 { code & 0xFF }

  package var isBusy: Bool {
    [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL].contains(primaryCode)
  }
  /// Whether the disk is full. SQLite itself reports this only for some calls.
  package var isDiskFull: Bool {
    primaryCode == SQLITE_FULL || [ENOSPC, EDQUOT].contains(systemErrorNumber)
  }
  /// Whether the user lacks a permission, or the file system is read-only.
  package var isPermission: Bool {
    isReadOnly || primaryCode == SQLITE_PERM || primaryCode == SQLITE_AUTH
      || [EACCES, EPERM, EROFS].contains(systemErrorNumber)
  }
  package var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
  package var isInputOutput: Bool { primaryCode == SQLITE_IOERR }
  /// Whether a file could not be made durable (`SQLITE_IOERR_FSYNC`, `SQLITE_IOERR_DIR_FSYNC`).
  package var isFailedSync: Bool { [SQLITE_IOERR | 4 << 8, SQLITE_IOERR | 5 << 8].contains(code) }
  package var isCannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }
  package var isReadOnly: Bool { primaryCode == SQLITE_READONLY }
  /// Whether a journal must be rolled back first, which the connection may not do
  /// (`SQLITE_READONLY_ROLLBACK`).
  package var isRollbackNeeded: Bool { code == SQLITE_READONLY | 3 << 8 }
  package var isInterrupt: Bool { primaryCode == SQLITE_INTERRUPT }
  /// Whether the statement does not match the schema, or a function failed.
  package var isStatementError: Bool { primaryCode == SQLITE_ERROR }
  /// Whether a file could not be attached to a connection.
  package var isOfAttaching: Bool { sql?.hasPrefix("ATTACH ") ?? false }
  /// Whether a file could not be attached because of the encoding that its header gives for its texts.
  package var isOtherEncoding: Bool {
    isOfAttaching && isStatementError && message.contains("same text encoding")
  }
  /// Whether the schema names a collation that is not registered (`SQLITE_ERROR_MISSING_COLLSEQ`).
  package var isMissingCollation: Bool { code == SQLITE_ERROR | 1 << 8 }
  package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
  /// Whether the process, or the machine, has too many open files; SQLite reports that it cannot
  /// open a file.
  package var isTooManyOpenFiles: Bool {
    [EMFILE, ENFILE].contains(systemErrorNumber) && (isCannotOpen || isInputOutput)
  }
  /// Whether a name that SQLite derives from the store's name is too long for the file system.
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
