internal import PassageDiagnostics
internal import PassageEngine
internal import PassageExpressions
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

extension StoreSelection {
  /// The number of objects that match the filter.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `Diagnostic` when the filter cannot be
  ///   evaluated for an object.
  /// - Complexity: O(n) in the number of objects, less if an index can be used.
  package func count() throws -> Int64 {
    if let rest = parts?.inMemory {
      var count: Int64 = 0
      try forEachMatch(of: rest) { _ in count += 1 }
      return count
    }
    let source = source("count(*)")
    return try reading {
      let statement = try prepare(source)
      defer { statement.reset() }
      return try statement.step() ? statement.integer(at: 0) : 0
    }
  }

  /// Calls `body` with the primary key of each object that matches the filter, in ascending order.
  ///
  /// - Throws: the errors of ``count()``, and those of `body`.
  package func forEachKey(_ body: (Int64) throws -> Void) throws {
    if let rest = parts?.inMemory { return try forEachMatch(of: rest, body) }
    let source = source("s.\"Z_PK\"", suffix: " ORDER BY s.\"Z_PK\"")
    try reading {
      let statement = try prepare(source)
      defer { statement.reset() }
      while try statement.step() { try body(statement.integer(at: 0)) }
    }
  }

  /// A statement over the objects that match the parts of the filter in SQL.
  func source(_ columns: String, suffix: String = "") -> SQLFragment {
    let entities =
      options.includesSubentities ? query.entityLayout.isKind("s") : query.entityCondition
    let inSQL = parts?.inSQL ?? []
    let conditions = [entities] + inSQL.map(\.sql)
    return SQLFragment(
      "SELECT \(columns) \(query.indexedFromClause) WHERE "
        + Junction.and.joined(conditions) + suffix,
      inSQL.flatMap(\.bindings))
  }

  /// Calls `body` for each object that also matches the parts of the filter in memory.
  private func forEachMatch(
    of rest: BoundPredicate, _ body: (Int64) throws -> Void
  ) throws {
    let cells = cells
    let object = ObjectShape(entityName: query.entity.name, names: cells.paths.map(\.name))
    let test = try CompiledPredicate(rest, slot: { object.position(of: $0.name) ?? 0 })
    try reading {
      let relatedObjects = try RelatedObjectCursors(
        rest.relatedObjects, model: query.model, layout: query.layout, links: query.links,
        connection: store.connection)
      defer { relatedObjects.stop() }
      var context = EvaluationContext(now: now)
      context.relatedObjects = relatedObjects
      let tables = try lookupTables
      context.lookUp = { try tables.result(of: $0, beside: $1) }
      let statement = try prepare(cells.statement)
      defer { statement.reset() }
      while try statement.step() {
        let row = statement.values()
        let key = row.first?.integer ?? 0
        let candidate = SourceObject(shape: object, key: key, values: Array(row.dropFirst()))
        if try holds(test, candidate, context) { try body(key) }
      }
    }
  }

  /// The statement that selects the key and the cells that the parts in memory read, and the key
  /// paths of those cells.
  var cells: (statement: SQLFragment, paths: [ResolvedKeyPath]) {
    let paths = parts?.inMemory?.keyPaths ?? []
    var withCells = self
    let columns = paths.map { withCells.query.column($0) }
    let statement = withCells.source(
      (["s.\"Z_PK\""] + columns).joined(separator: ", "), suffix: " ORDER BY s.\"Z_PK\"")
    return (statement, paths)
  }

  private func holds(
    _ test: CompiledPredicate, _ object: SourceObject, _ context: EvaluationContext
  ) throws -> Bool {
    do {
      return try test.evaluate(object, in: context)
    } catch let failure as Diagnostic {
      throw Self.unreadable(
        "\(failure.code): \(failure.message)" + (failure.reason.map { "; \($0)" } ?? ""),
        of: object.key, remedy: failure.remedy)
    }
  }

  private static func unreadable(
    _ reason: String, of key: Int64?, remedy: String? = nil
  ) -> Diagnostic {
    let object = key.map { " for the object with key \($0)" } ?? ""
    return Diagnostic(
      "SEL-002", "the filter cannot be evaluated\(object)", reason: reason,
      remedy: (remedy.map { "\($0), or " } ?? "")
        + "exclude such objects before this part of the filter")
  }

  private static func unreadable(_ error: SQLiteError) -> Diagnostic {
    // An error of a function begins with the function's name in SQL.
    let isOfFunction = error.message.hasPrefix("passage_")
    let end = isOfFunction ? error.message.firstRange(of: ": ")?.upperBound : nil
    return unreadable(end.map { String(error.message[$0...]) } ?? error.message, of: nil)
  }

  /// The failure of the filter in memory, with the key of its object; `nil` if it does not fail there.
  /// SQL does not say for which object a function failed.
  private func failureInMemory() -> Diagnostic? {
    guard let filter, parts?.inSQL.isEmpty == false else { return nil }
    var again = self
    let withoutSQL = FilterParts(
      filter, for: .selection, obstacle: "SQL does not say for which object it failed",
      query: &again.query, now: now)
    again.parts = withoutSQL
    guard let rest = withoutSQL.inMemory else { return nil }
    do {
      try again.forEachMatch(of: rest) { _ in }
      return nil
    } catch let failure as Diagnostic where failure.code == "SEL-002" {
      return failure
    } catch {
      // The first failure says more than an error of this search.
      return nil
    }
  }

  // MARK: Statements

  var lookupTables: LookupTables {
    get throws {
      LookupTables(
        connection: try store.connection, model: query.model, layout: query.layout, schema: "")
    }
  }

  func prepare(_ fragment: SQLFragment) throws -> Statement {
    let statement = try store.connection.prepare(fragment.sql)
    try statement.bind(fragment.bindings)
    return statement
  }

  /// Runs a read. An error of SQLite becomes an error of the store, except that an error of an
  /// expression function is one of the filter.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      guard error.isStatementError else { throw StoreError(error, path: store.unit.path) }
      throw failureInMemory() ?? Self.unreadable(error)
    }
  }

  static func reading<Result>(_ store: OpenStore, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      if error.isStatementError { throw unreadable(error) }
      throw StoreError(error, path: store.unit.path)
    }
  }
}
