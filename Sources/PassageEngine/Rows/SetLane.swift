internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Migrates the objects of one entity mapping in SQL, one range of keys at a time. The query of the
/// SQL program feeds an SQL sink directly, so no row leaves SQLite.
struct SetLane {
  private let mappingPlan: MappingPlan
  private let connection: Connection
  private let rows: QueryRows?
  /// The same rows, added behind those that there are; `nil` where that saves nothing.
  private let appended: QueryRows?
  private let countFiltered: RangeCount?
  private let countAll: RangeCount?
  /// Counts the objects that become part of others; `nil` when none do.
  private let countMerged: RangeCount?
  /// Counts objects with the number of another entity; `nil` where not every object is read once.
  private let foreign: ForeignRows?
  private let destinationName: String

  /// Whether it counts the objects with the number of another entity.
  var countsForeignNumbers: Bool { foreign != nil }

  /// Prepares the statements on a connection that has the source attached as `source`.
  ///
  /// - Parameters:
  ///   - order: the columns of the destination table. In that order SQLite puts the cells of a query
  ///     where the row is made.
  /// - Returns: `nil` when a part of the mapping does not translate to SQL; the row lane is then
  ///   used.
  init?(
    _ program: ColumnProgram, reading read: ReadRows, order: [String], now: Double,
    missing: MissingValues, nilled: NilledValues, foreign: ForeignRows
  ) throws {
    mappingPlan = program.mapping
    let connection = read.connection
    self.connection = connection
    try read.lookupTables().make(mappingPlan.bound.lookups)
    var query = read.query(
      try LinkTables(
        for: mappingPlan.bound.relatedObjects, layout: read.layout, schema: read.schema,
        connection: connection))
    guard
      let parts = SQLProgram(program, query: &query, now: now, missing: missing, nilled: nilled)
    else { return nil }
    let merged = MergedAway(of: mappingPlan)
    let readsAllOnce =
      read.entityLayout.isAlone && mappingPlan.elements == nil && mappingPlan.destination != nil
      && parts.filter == nil && merged == nil
    self.foreign = readsAllOnce ? foreign : nil
    let tables =
      "\(query.fromClause) WHERE \(query.entityCondition)"
      + (merged.map { " AND NOT \($0.condition)" } ?? "")
      + (readsAllOnce ? " AND \(ForeignRows.condition(read.entityLayout.number))" : "")
    // The parameters of the range come after all others.
    func fragment(_ select: SQLFragment, _ condition: SQLFragment?) -> SQLFragment {
      let filter = condition.map { " AND (\($0.sql))" } ?? ""
      return SQLFragment(
        "\(select.sql) \(tables)\(filter) AND s.\"Z_PK\" BETWEEN ? AND ?",
        select.bindings + (condition?.bindings ?? []))
    }
    let count = SQLFragment("SELECT count(*)", [])
    if let destination = mappingPlan.destination {
      destinationName = destination.name
      let key = SQLProgram.key(mappingPlan.keyOffset)
      func rows(_ key: String) throws -> QueryRows {
        let cells = [key, "\(destination.number)", "1"].map { SQLFragment($0, []) } + parts.cells
        let columns = Self.sorted(Array(zip(program.allColumns, cells)), by: order)
        let select = SQLFragment(
          "SELECT " + columns.map(\.1.sql).joined(separator: ", "), columns.flatMap(\.1.bindings))
        return try QueryRows(
          of: fragment(select, parts.filter), into: destination.tableName,
          columns: columns.map(\.0), on: connection)
      }
      self.rows = try rows(key)
      appended = readsAllOnce ? try rows(AppendedKeys.sql(of: key)) : nil
      countAll = nil
    } else {
      destinationName = ""
      rows = nil
      appended = nil
      countAll = try RangeCount(fragment(count, parts.filter), connection)
    }
    countFiltered = try parts.negation.map { try RangeCount(fragment(count, $0), connection) }
    countMerged = try merged.map { try RangeCount(SQLFragment($0.count, []), connection) }
  }

  /// Sorts columns as the table has them.
  private static func sorted(
    _ columns: [(String, SQLFragment)], by order: [String]
  ) -> [(String, SQLFragment)] {
    let places = Dictionary(
      order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return columns.sorted { places[$0.0, default: .max] < places[$1.0, default: .max] }
  }

  /// Migrates one range of source keys and updates the account.
  ///
  /// - Parameter appends: whether rows may be added behind those that there are.
  /// - Returns: the number of source objects read.
  /// - Throws: if rows are added behind others, an error of the statement for keys out of order.
  func run(
    _ range: ClosedRange<Int64>, appends: Bool, account: inout MappingAccount
  ) throws -> Int64 {
    let filtered = try countFiltered?.count(range) ?? 0
    var taken: Int64 = 0
    if let rows = try appends ? rowsBehind(range) ?? rows : rows {
      taken = try rows.append([.integer(range.lowerBound), .integer(range.upperBound)])
      account.migrated += taken
      account.foreignNumbers += foreign?.take() ?? 0
      if taken > 0 { account.count(made: destinationName, taken) }
    } else if let countAll {
      taken = try countAll.count(range)
      account.removed += taken
    }
    let merged = try countMerged?.count(range) ?? 0
    account.filtered += filtered
    account.merged += merged
    account.read += taken + filtered + merged
    return taken + filtered + merged
  }

  /// What adds the rows of a range behind those that there are; `nil` where it cannot.
  private func rowsBehind(_ range: ClosedRange<Int64>) throws -> QueryRows? {
    let (first, overflow) = range.lowerBound.addingReportingOverflow(mappingPlan.keyOffset)
    guard let appended, let table = mappingPlan.destination?.tableName, !overflow,
      try AppendedKeys.begin(in: table, before: first, on: connection)
    else { return nil }
    return appended
  }

  /// A count of objects, prepared once and run for each range of keys.
  private struct RangeCount {
    private let statement: Statement
    private let parameterCount: Int

    /// - Parameter query: a query whose last two parameters are the range.
    init(_ query: SQLFragment, _ connection: Connection) throws {
      statement = try connection.prepare(query.sql)
      try statement.bind(query.bindings)
      parameterCount = query.bindings.count
    }

    func count(_ range: ClosedRange<Int64>) throws -> Int64 {
      try statement.bind(range.lowerBound, at: parameterCount + 1)
      try statement.bind(range.upperBound, at: parameterCount + 2)
      defer { statement.reset() }
      return try statement.step() ? statement.integer(at: 0) : 0
    }
  }
}
