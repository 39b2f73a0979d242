package import PassageDiagnostics
internal import PassageSQLite
internal import PassageValues

extension OpenStore {
  /// Stores of at most so many pages are checked as a whole, with the entries of their indexes: of
  /// larger ones with several indexes, that costs more than making them.
  package static let fullyCheckedPages: Int64 = 1_024

  /// Checks the b-trees of the store with SQLite's `quick_check`: every page, but not indexes
  /// against their tables.
  ///
  /// - Parameter limit: the largest number of findings.
  /// - Returns: the errors in SQLite's words; empty if there are none.
  /// - Complexity: O(n) in the pages of the store.
  package func quickCheck(limit: Int = 20) throws(StoreError) -> [String] {
    try check("quick_check", limit: limit)
  }

  /// Like ``quickCheck(limit:)``, and also compares each index with its table (`integrity_check`).
  ///
  /// - Complexity: O(n log n) in the rows of the store.
  package func fullCheck(limit: Int = 20) throws(StoreError) -> [String] {
    try check("integrity_check", limit: limit)
  }

  /// Checks the store as the engine checks the pages that it has written: a store of at most
  /// ``fullyCheckedPages`` pages like ``fullCheck(limit:)``, a larger one like ``quickCheck(limit:)``.
  package func boundedCheck(limit: Int = 20) throws(StoreError) -> [String] {
    let pageCount = try reading { try $0.integer("PRAGMA page_count") }
    return pageCount <= Self.fullyCheckedPages
      ? try fullCheck(limit: limit) : try quickCheck(limit: limit)
  }

  /// The attributes with texts that would not arrive in a new store as they are: `ROW-009`. Cells that SQL
  /// copies would, but values that pass through memory are read and written in UTF-8, in every encoding.
  ///
  /// - Parameter layout: of this store.
  /// - Complexity: O(n) in the bytes of the texts of a store in UTF-16; O(1) for every other.
  package func inexactTexts(_ layout: StoreLayout) throws(StoreError) -> Diagnostics {
    guard header.textEncoding > 1 else { return Diagnostics() }
    return try reading { connection in
      try MalformedText(connection: connection, layout: layout, isWrittenInUTF16: true)
        .findings(isBigEndian: header.textEncoding == 3)
    }
  }

  /// - Note: A table outside the model whose columns would be computed during the check is not
  ///   checked. Of a table with an index that would be computed, only the rows are checked.
  private func check(_ pragma: String, limit: Int) throws(StoreError) -> [String] {
    try reading { connection in
      let limit = max(1, min(limit, 1_000))
      let rows: [[String]]
      do {
        let pragmas =
          code.isEmpty
          ? ["\(pragma)(\(limit))"] : try Self.pragmas(pragma, without: code, connection)
        rows = try pragmas.flatMap { pragma in
          try connection.rows("PRAGMA \(pragma)").map { $0.compactMap(\.string) }
        }
      } catch let error as SQLiteError where error.isDamage {
        // Damage to the schema stops the check itself, so it is reported as a finding.
        return [error.message]
      }
      return Array(rows.flatMap { $0 }.filter { $0 != "ok" }.prefix(limit))
    }
  }

  /// The statements that check each table separately, without evaluating anything of the schema.
  private static func pragmas(
    _ pragma: String, without code: SchemaCode, _ connection: Connection
  ) throws(SQLiteError) -> [String] {
    let names = try connection.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY rowid"
    ).compactMap { $0[0].string }
    return names.compactMap { name in
      let table = SQLName(name)
      guard code.generatedColumns[table] == nil else { return nil }
      let own = code.computedIndexTables.contains(table) ? "quick_check" : pragma
      return "\(own)(\(name.quotedLiteral))"
    }
  }
}
