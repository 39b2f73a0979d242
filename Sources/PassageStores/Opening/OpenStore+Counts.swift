internal import PassageSQLite
internal import PassageValues

/// The number of objects in a store.
package struct ObjectCounts: Sendable, Hashable {
  /// The counts by entity name, for every entity of the layout, including abstract ones.
  package var byEntity: [String: Int64]
  /// The number of rows whose `Z_ENT` is not an entity of their table, by the name of a table of
  /// several entities; empty in an intact store.
  package var strangers: [String: Int64]

  /// Creates counts for a store that is not in Core Data's layout.
  package init(byEntity: [String: Int64], strangers: [String: Int64] = [:]) {
    self.byEntity = byEntity
    self.strangers = strangers
  }

  /// The number of all objects.
  package var total: Int64 { byEntity.values.reduce(0, +) }
}

extension OpenStore {
  /// Counts the objects of every entity.
  ///
  /// A table of one entity is counted by its smallest b-tree. A table of several entities is
  /// grouped by `Z_ENT`, for which Core Data's index on that column is enough.
  ///
  /// - Parameters:
  ///   - rowCount: counts a table of one entity in another way, if it can.
  ///   - rowsByEntity: counts a table of several, by the number in `Z_ENT`, if it can.
  /// - Complexity: O(n) in the rows of the store.
  package func objectCounts(
    _ layout: StoreLayout, rowCount: (String) -> Int64? = { _ in nil },
    rowsByEntity: (String) -> [Int64: Int64]? = { _ in nil }
  ) throws(StoreError) -> ObjectCounts {
    try naming {
      var counts = ObjectCounts(
        byEntity: Dictionary(
          layout.entities.map { ($0.name, 0) }, uniquingKeysWith: { first, _ in first }),
        strangers: [:])
      for table in layout.tables {
        guard table.hasSubentities else {
          counts.byEntity[table.rootEntityName] =
            if let count = rowCount(table.name) {
              count
            } else {
              try connection.rowCount(ofTable: table.name)
            }
          continue
        }
        let add = { (number: Int64?, count: Int64) in
          if let entity = number.flatMap(layout.entity(numbered:)), entity.tableName == table.name {
            counts.byEntity[entity.name, default: 0] += count
          } else {
            counts.strangers[table.name, default: 0] += count
          }
        }
        if let rows = rowsByEntity(table.name) {
          for (number, count) in rows { add(number, count) }
        } else {
          try connection.countRows(ofTable: table.name, byColumn: "Z_ENT") { add($0.integer, $1) }
        }
      }
      return counts
    }
  }

  /// Checks that no table of a layout reports more rows than fit into the store's file, so that
  /// reading all of them comes to an end. A store that this process made needs no such check.
  ///
  /// - Parameter tables: the names of the tables; `nil` for all of the layout, including join
  ///   tables.
  /// - Throws: `damaged`.
  /// - Complexity: O(n) in the rows of the tables, by their smallest b-trees.
  package func checkRowCounts(
    _ layout: StoreLayout, ofTables tables: [String]? = nil
  ) throws(StoreError) {
    try naming {
      for name in tables ?? layout.tables.map(\.name) + layout.joinTables.map(\.name) {
        try connection.checkRowCount(ofTable: name)
      }
    }
  }

  /// Checks the same of tables that have been counted: by each of their indexes.
  ///
  /// - Throws: `damaged`.
  /// - Complexity: O(n) in the rows of the indexes.
  package func checkRowCountsByIndexes(ofTables tables: [String]) throws(StoreError) {
    try naming { for name in tables { try connection.checkRowCountByIndexes(ofTable: name) } }
  }

  /// The largest key in a table; 0 if the table is empty.
  ///
  /// - Complexity: O(log n) in the rows of the table.
  package func largestKey(table: String) throws(StoreError) -> Int64 {
    try reading { try $0.integer("SELECT max(Z_PK) FROM \(table.quotedIdentifier)") }
  }

  /// One row of `Z_PRIMARYKEY`.
  package struct PrimaryKeyRow: Sendable, Hashable {
    /// The entity's number.
    package var number: Int64
    /// The entity's name. After an in-place migration it may be the name in an earlier version.
    package var name: String
    /// The parent's number, 0 for a root entity.
    package var parentNumber: Int64
    /// The largest key assigned so far. Only the value of a root entity is used.
    package var largestKey: Int64
  }

  /// The rows of `Z_PRIMARYKEY`, by number, the first of each; empty if the store has no such table.
  ///
  /// - Parameter numbers: rows with other numbers are left out: a damaged table may have any number of
  ///   them.
  package func primaryKeys(
    numbered numbers: ClosedRange<Int64> = 0...Int64(UInt16.max)
  ) throws(StoreError) -> [PrimaryKeyRow] {
    let table = BookkeepingTable.primaryKeys.rawValue
    return try reading { connection in
      guard facts.entries.contains(where: { $0.type == "table" && $0.name == table }) else {
        return []
      }
      // In a table with another key, a number may be in any number of rows.
      let statement = try connection.prepare(
        "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN ? AND ? "
          + "ORDER BY Z_ENT")
      try statement.bind([.integer(numbers.lowerBound), .integer(numbers.upperBound)])
      var rows: [PrimaryKeyRow] = []
      while try statement.step() {
        let number = statement.integer(at: 0)
        guard rows.last?.number != number else { continue }
        rows.append(
          PrimaryKeyRow(
            number: number, name: statement.value(at: 1).string ?? "",
            parentNumber: statement.value(at: 2).integer ?? 0,
            largestKey: statement.value(at: 3).integer ?? 0))
      }
      return rows
    }
  }
}
