internal import PassageSQLite
internal import PassageValues

extension OpenStore {
  /// Checks the b-trees of the store, as SQLite's `quick_check` does: every page, but no index
  /// against its table.
  ///
  /// - Parameter limit: at most so many findings.
  /// - Returns: what is wrong, in SQLite's words; empty when nothing is.
  /// - Complexity: O(n) in the pages of the store.
  package func quickCheck(limit: Int = 20) throws(StoreError) -> [String] {
    try check("quick_check", limit: limit)
  }

  /// As ``quickCheck(limit:)``, and each index against its table (`integrity_check`).
  ///
  /// - Complexity: O(n log n) in the rows of the store.
  package func fullCheck(limit: Int = 20) throws(StoreError) -> [String] {
    try check("integrity_check", limit: limit)
  }

  /// - Note: Of a table that the model does not have and that would be computed while it is checked,
  ///   nothing is checked; of one with such an index, its rows alone.
  private func check(_ pragma: String, limit: Int) throws(StoreError) -> [String] {
    try reading { connection in
      let limit = max(1, min(limit, 1_000))
      let rows: [[String]]
      do {
        let code = try SchemaCode(connection)
        let pragmas =
          code.isEmpty
          ? ["\(pragma)(\(limit))"] : try Self.pragmas(pragma, without: code, connection)
        rows = try pragmas.flatMap { pragma in
          try connection.rows("PRAGMA \(pragma)").map { $0.compactMap(\.string) }
        }
      } catch let error as SQLiteError where error.isDamage {
        // Damage to the schema stops the check itself: that is a finding too.
        return [error.message]
      }
      return Array(rows.flatMap { $0 }.filter { $0 != "ok" }.prefix(limit))
    }
  }

  /// The check of each table by itself, as far as nothing of the schema is evaluated.
  private static func pragmas(
    _ pragma: String, without code: SchemaCode, _ connection: Connection
  ) throws(SQLiteError) -> [String] {
    let names = try connection.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY rowid"
    ).compactMap { $0[0].string }
    return names.compactMap { name in
      let folded = name.uppercased()
      guard code.generatedColumns[folded] == nil else { return nil }
      let own = code.computedIndexTables.contains(folded) ? "quick_check" : pragma
      return "\(own)(\(name.quotedLiteral))"
    }
  }
}
