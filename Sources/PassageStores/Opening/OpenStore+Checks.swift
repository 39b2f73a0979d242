internal import PassageSQLite
internal import PassageValues

extension OpenStore {
  /// Checks the b-trees of the store, as SQLite's `quick_check` does: every page, but no index
  /// against its table.
  ///
  /// - Parameter limit: at most so many findings.
  /// - Returns: what is wrong, in SQLite's words; empty when nothing is.
  /// - Complexity: O(n) in the pages of the store.
  public func quickCheck(limit: Int = 20) throws(StoreError) -> [String] {
    try check("quick_check", limit: limit)
  }

  /// As ``quickCheck(limit:)``, and each index against its table (`integrity_check`).
  ///
  /// - Complexity: O(n log n) in the rows of the store.
  public func fullCheck(limit: Int = 20) throws(StoreError) -> [String] {
    try check("integrity_check", limit: limit)
  }

  private func check(_ pragma: String, limit: Int) throws(StoreError) -> [String] {
    try reading { connection in
      let limit = max(1, min(limit, 1_000))
      let rows: [[String]]
      do {
        rows = try connection.rows("PRAGMA \(pragma)(\(limit))").map { $0.compactMap(\.string) }
      } catch let error as SQLiteError where error.isDamage {
        // Damage to the schema stops the check itself: that is a finding too.
        return [error.message]
      }
      let findings = rows.flatMap { $0 }
      return findings == ["ok"] ? [] : findings
    }
  }
}
