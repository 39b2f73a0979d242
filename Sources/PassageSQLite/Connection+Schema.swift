internal import CSQLite
internal import PassageValues

extension Connection {
  /// Lets statements change the table of the schema itself, on a store that this program is making.
  ///
  /// The schema is read anew afterwards. Outside of this call the connection refuses such
  /// statements (https://www.sqlite.org/security.html).
  ///
  /// - Parameter body: changes rows of `main.sqlite_master`, in the open transaction or in one of its own.
  package func rewriteSchema(_ body: () throws -> Void) throws {
    let version = try integer("PRAGMA main.schema_version")
    setDefensive(false)
    defer { setDefensive(true) }
    try execute("PRAGMA writable_schema = ON")
    defer { try? execute("PRAGMA writable_schema = RESET") }
    func rewrite() throws {
      try body()
      try execute("PRAGMA main.schema_version = \(version + 1)")
    }
    if isInTransaction { try rewrite() } else { try transaction(rewrite) }
  }

  /// Forgets the schema and every page that was read, so that the next statement reads both as a new
  /// connection does. No statement or transaction may be under way.
  package func forgetContents() throws(SQLiteError) {
    try execute("PRAGMA writable_schema = RESET")
    releaseMemory()
  }

  /// Writes an attached database without a rollback journal from now on.
  ///
  /// Only for a file that is thrown away if anything fails: a change that fails is not undone
  /// (https://www.sqlite.org/pragma.html#pragma_journal_mode). A connection in defensive mode
  /// leaves the journal as it is when it is asked to turn it off, and reports no error.
  ///
  /// - Throws: an error if SQLite keeps a journal all the same.
  package func turnOffJournal(of schema: String = "main") throws(SQLiteError) {
    setDefensive(false)
    defer { setDefensive(true) }
    let mode = try value("PRAGMA \(schema.quotedIdentifier).journal_mode = OFF")?.string
    guard mode == "off" else {
      throw SQLiteError(
        code: SQLITE_ERROR, message: "the journal of \(schema) stays \(mode ?? "unknown")")
    }
  }

  private func setDefensive(_ isDefensive: Bool) {
    _ = passage_sqlite3_db_config_int(handle, SQLITE_DBCONFIG_DEFENSIVE, isDefensive ? 1 : 0)
  }
}
