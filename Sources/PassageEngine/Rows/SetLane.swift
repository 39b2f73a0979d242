internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Carries the objects of one entity mapping over in SQL, one range of keys at a time.
struct SetLane {
  private let job: EntityJob
  private let insert: BoundQuery?
  private let countFiltered: BoundQuery?
  private let countAll: BoundQuery?
  private let writer: SQLTableWriter?
  private let destinationName: String

  /// Prepares the statements on a connection that has the source attached as `source`.
  ///
  /// - Returns: `nil` when a part of the mapping cannot be said in SQL; the plan then chose the
  ///   other lane.
  init?(
    sweep: Sweep, source: Model, sourceLayout: StoreLayout, connection: Connection, now: Double,
    missing: MissingValues, nilled: NilledValues
  ) throws {
    job = sweep.job
    guard let entity = job.bound.source, let layout = job.source else { return nil }
    try LookupTables(
      connection: connection, model: source, layout: sourceLayout, schema: "source"
    ).make(job.bound.lookups)
    var query = SourceQuery(
      model: source, layout: sourceLayout, entity: entity, entityLayout: layout, schema: "source")
    query.links = try LinkTables(
      for: job.bound.relatedObjects, layout: sourceLayout, schema: "source",
      connection: connection)
    guard
      let parts = SetLaneSQL(
        sweep: sweep, query: &query, now: now, missing: missing, nilled: nilled)
    else { return nil }
    let range = "s.\"Z_PK\" BETWEEN ? AND ?"
    let from = "\(query.fromClause) WHERE \(query.entityCondition)"
    func prepare(_ select: SQLFragment, _ condition: SQLFragment?) throws -> BoundQuery {
      // The range comes last, after every other parameter.
      let filter = condition.map { " AND (\($0.sql))" } ?? ""
      let statement = try connection.prepare("\(select.sql) \(from)\(filter) AND \(range)")
      let bindings = select.bindings + (condition?.bindings ?? [])
      try statement.bind(bindings)
      return BoundQuery(statement: statement, parameterCount: bindings.count, range: 0...0)
    }
    let count = SQLFragment("SELECT count(*)", [])
    if let destination = job.destination {
      destinationName = destination.name
      let head =
        "INSERT OR FAIL INTO main.\(destination.tableName.quotedIdentifier) (\(sweep.insertColumns)) SELECT "
      let key = job.keyOffset == 0 ? "s.\"Z_PK\"" : "s.\"Z_PK\" + \(job.keyOffset)"
      let cells =
        [SQLFragment(key, []), SQLFragment("\(destination.number)", []), SQLFragment("1", [])]
        + parts.cells
      insert = try prepare(
        SQLFragment(
          head + cells.map(\.sql).joined(separator: ", "), cells.flatMap(\.bindings)),
        parts.filter)
      writer = try SQLTableWriter(
        connection: connection, table: destination.tableName, fixed: [], columns: ["Z_ENT"])
      countAll = nil
    } else {
      destinationName = ""
      insert = nil
      writer = nil
      countAll = try prepare(count, parts.filter)
    }
    countFiltered = try parts.negation.map { try prepare(count, $0) }
  }

  /// Carries one range of source keys over and adds to the account.
  ///
  /// - Returns: the number of source objects read.
  func run(_ range: ClosedRange<Int64>, account: inout MappingAccount) throws -> Int64 {
    var filtered: Int64 = 0
    if var query = countFiltered {
      query.range = range
      filtered = try Self.count(query)
    }
    var taken: Int64 = 0
    if var query = insert, let writer {
      query.range = range
      taken = try writer.append(selecting: query)
      account.migrated += taken
      if taken > 0 { account.count(made: destinationName, taken) }
    } else if var query = countAll {
      query.range = range
      taken = try Self.count(query)
      account.removed += taken
    }
    account.filtered += filtered
    account.read += taken + filtered
    return taken + filtered
  }

  private static func count(_ query: BoundQuery) throws -> Int64 {
    try query.statement.bind(query.range.lowerBound, at: query.parameterCount + 1)
    try query.statement.bind(query.range.upperBound, at: query.parameterCount + 2)
    defer { query.statement.reset() }
    return try query.statement.step() ? query.statement.integer(at: 0) : 0
  }
}
