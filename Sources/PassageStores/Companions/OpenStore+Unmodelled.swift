internal import PassageSQLite
internal import PassageValues

extension OpenStore {
  /// Finds what the store holds besides the tables of a layout and Core Data's bookkeeping tables.
  ///
  /// It ignores SQLite's own objects, and what Core Data derives from the objects and creates
  /// again: its indexes, R-tree indexes (`Z_RT_…`), and the triggers of R-tree indexes and of derived
  /// attributes (`Z_DA_…`).
  ///
  /// - Parameter layout: the store's own layout, fitted to it.
  /// - Complexity: O(n) in the rows of the tables found, and of the tables with columns of earlier
  ///   models.
  package func unmodelledContents(
    _ layout: StoreLayout
  ) throws(StoreError) -> UnmodelledContents {
    try naming {
      let classifier = SchemaClassifier(layout: layout, schema: schema)
      var items: [UnmodelledContents.Item] = []
      for entry in facts.entries {
        guard let kind = classifier.kind(of: entry) else { continue }
        // Reading a virtual table would run the code of its module.
        let hasRows = entry.type == "table" && entry.rootPage > 0
        items.append(
          UnmodelledContents.Item(
            kind: kind, name: entry.name,
            rows: hasRows ? try connection.rowCount(ofTable: entry.name) : nil))
      }
      for table in layout.tables.map({ ($0.name, $0.columns.map(\.name)) })
        + layout.joinTables.map({ ($0.name, $0.columns) })
      {
        items += try Self.formerColumns(ofTable: table.0, known: table.1, schema) {
          try connection
        }
      }
      return UnmodelledContents(items: items)
    }
  }

  /// Whether `Z_METADATA` has rows besides the one that is read.
  package func hasFurtherMetadata() throws(StoreError) -> Bool {
    // A store with several is not read by its pages.
    guard restingPages == nil else { return false }
    return try naming { try connection.rows("SELECT 1 FROM Z_METADATA LIMIT 2").count > 1 }
  }

  /// The join tables that hold pairs more than once, and how many rows that is too many. Only a table
  /// without a primary key can, as those of very old stores.
  ///
  /// - Parameter layout: the store's own layout, fitted to it.
  /// - Complexity: O(n log n) in the rows of such tables.
  package func duplicatePairs(
    _ layout: StoreLayout
  ) throws(StoreError) -> [(table: String, count: Int64)] {
    try naming {
      let keyed = Set(
        facts.entries.lazy.filter { $0.type == "index" && $0.name.hasPrefix("sqlite_autoindex_") }
          .map { SQLName($0.tableName) })
      var duplicates: [(table: String, count: Int64)] = []
      for table in layout.joinTables where !keyed.contains(SQLName(table.name)) {
        let ends = [table.owner.column, table.other.column].map(\.quotedIdentifier)
          .joined(separator: ", ")
        let rows = "FROM \(table.name.quotedIdentifier) NOT INDEXED"
        let count = try connection.integer(
          "SELECT (SELECT count(*) \(rows)) "
            + "- (SELECT count(*) FROM (SELECT DISTINCT \(ends) \(rows)))")
        if count > 0 { duplicates.append((table.name, count)) }
      }
      return duplicates
    }
  }

  /// The columns of a table that are not in the model and hold values, counted in one query.
  private static func formerColumns(
    ofTable name: String, known: [String], _ schema: StoreSchema,
    connection: () throws -> Connection
  ) throws -> [UnmodelledContents.Item] {
    let known = Set(known.map(SQLName.init))
    let former = (schema.table(named: name)?.columns ?? []).filter {
      !known.contains(SQLName($0)) && !SchemaClassifier.isNumberedColumn($0)
    }
    guard !former.isEmpty else { return [] }
    let counts = former.map { "count(\($0.quotedIdentifier))" }.joined(separator: ", ")
    let row =
      try connection().rows("SELECT \(counts) FROM \(name.quotedIdentifier) NOT INDEXED").first
      ?? []
    return zip(former, row).compactMap { column, count in
      guard let rows = count.integer, rows > 0 else { return nil }
      return UnmodelledContents.Item(
        kind: .formerColumn, name: "\(name).\(column)", rows: rows)
    }
  }
}
