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
  private let rows: QueryRows?
  private let countFiltered: RangeCount?
  private let countAll: RangeCount?
  /// Counts the objects that become part of others; `nil` when none do.
  private let countMerged: RangeCount?
  private let destinationName: String

  /// Prepares the statements on a connection that has the source attached as `source`.
  ///
  /// - Returns: `nil` when a part of the mapping does not translate to SQL; the row lane is then
  ///   used.
  init?(
    _ program: ColumnProgram, reading read: ReadRows, now: Double, missing: MissingValues,
    nilled: NilledValues
  ) throws {
    mappingPlan = program.mapping
    let connection = read.connection
    try read.lookupTables().make(mappingPlan.bound.lookups)
    var query = read.query(
      try LinkTables(
        for: mappingPlan.bound.relatedObjects, layout: read.layout, schema: read.schema,
        connection: connection))
    guard
      let parts = SQLProgram(program, query: &query, now: now, missing: missing, nilled: nilled)
    else { return nil }
    let merged = MergedAway(of: mappingPlan)
    let tables =
      "\(query.fromClause) WHERE \(query.entityCondition)"
      + (merged.map { " AND NOT \($0.condition)" } ?? "")
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
      let cells =
        [
          SQLFragment(SQLProgram.key(mappingPlan.keyOffset), []),
          SQLFragment("\(destination.number)", []),
          SQLFragment("1", []),
        ]
        + parts.cells
      let select = SQLFragment(
        "SELECT " + cells.map(\.sql).joined(separator: ", "), cells.flatMap(\.bindings))
      rows = try QueryRows(
        of: fragment(select, parts.filter), into: destination.tableName,
        columns: program.allColumns, on: connection)
      countAll = nil
    } else {
      destinationName = ""
      rows = nil
      countAll = try RangeCount(fragment(count, parts.filter), connection)
    }
    countFiltered = try parts.negation.map { try RangeCount(fragment(count, $0), connection) }
    countMerged = try merged.map { try RangeCount(SQLFragment($0.count, []), connection) }
  }

  /// Migrates one range of source keys and updates the account.
  ///
  /// - Returns: the number of source objects read.
  func run(_ range: ClosedRange<Int64>, account: inout MappingAccount) throws -> Int64 {
    let filtered = try countFiltered?.count(range) ?? 0
    var taken: Int64 = 0
    if let rows {
      taken = try rows.append([.integer(range.lowerBound), .integer(range.upperBound)])
      account.migrated += taken
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
