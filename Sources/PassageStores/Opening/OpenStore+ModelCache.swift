internal import PassagePlatform
internal import PassageSQLite
internal import PassageValues

extension OpenStore {
  /// The compressed archive of the model the store was written with: `Z_MODELCACHE.Z_CONTENT`.
  ///
  /// - Parameter maximumBytes: a larger archive is refused.
  /// - Returns: `nil` if the store has no such table, or the table is empty.
  /// - Throws: ``StoreError``: `damaged` if the value is not a blob or is too large.
  package func modelCache(maximumBytes: Int) throws(StoreError) -> [UInt8]? {
    let table = BookkeepingTable.modelCache.rawValue
    return try reading { connection -> [UInt8]? in
      guard
        try connection.integer(
          "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?", [.text(table)])
          > 0,
        let row = try connection.rows(
          "SELECT CASE WHEN length(Z_CONTENT) <= \(maximumBytes) THEN Z_CONTENT ELSE 0 END "
            + "FROM \(table) WHERE Z_CONTENT IS NOT NULL LIMIT 1"
        ).first
      else { return nil }
      guard case .blob(let bytes) = row[0] else {
        throw StoreError(
          .damaged, path: unit.path,
          detail: "\(table) contains no bytes, or more than \(maximumBytes)")
      }
      return bytes
    }
  }

  /// One table as the store declares it.
  package struct DeclaredTable: Sendable, Hashable {
    /// One column with the type it was declared with, in upper case.
    package struct Column: Sendable, Hashable {
      /// The name in the store.
      package var name: String
      /// The declared type, such as `INTEGER` or `VARCHAR`; empty if there is none.
      package var type: String
    }

    /// The name in the store.
    package var name: String
    /// The columns in the order of the table.
    package var columns: [Column]
  }

  /// The tables with their columns' declared types, and the names of all indexes. It is all that is
  /// known of a store without an archived model.
  ///
  /// - Complexity: O(n) in the tables and columns.
  package func declarations() throws(StoreError) -> (tables: [DeclaredTable], indexes: Set<String>)
  {
    try reading { connection in
      let rows = try connection.rows(
        """
        SELECT m.name, x.name, upper(x.type) FROM sqlite_master AS m
        JOIN pragma_table_xinfo(m.name) AS x
        WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.rowid, x.cid
        """)
      var tables: [DeclaredTable] = []
      for row in rows {
        guard let table = row[0].string, let column = row[1].string else { continue }
        if tables.last.map({ $0.name.hasBytes(of: table) }) != true {
          tables.append(DeclaredTable(name: table, columns: []))
        }
        tables[tables.count - 1].columns.append(
          DeclaredTable.Column(name: column, type: row[2].string ?? ""))
      }
      let indexes = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'index'")
        .compactMap { $0[0].string }
      return (tables, Set(indexes))
    }
  }
}
