internal import CSQLite

extension Connection {
  /// Lets statements change the table of the schema itself, on a store that this program is making.
  ///
  /// The schema is read anew afterwards. Outside of this call the connection refuses such
  /// statements (https://www.sqlite.org/security.html).
  ///
  /// - Parameter body: changes rows of `main.sqlite_master` in a transaction of its own.
  package func rewriteSchema(_ body: () throws -> Void) throws {
    let version = try integer("PRAGMA main.schema_version")
    setDefensive(false)
    defer { setDefensive(true) }
    try execute("PRAGMA writable_schema = ON")
    defer { try? execute("PRAGMA writable_schema = RESET") }
    try transaction {
      try body()
      try execute("PRAGMA main.schema_version = \(version + 1)")
    }
  }

  private func setDefensive(_ isDefensive: Bool) {
    _ = passage_sqlite3_db_config_int(handle, SQLITE_DBCONFIG_DEFENSIVE, isDefensive ? 1 : 0)
  }
}
