internal import PassageExpressions
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageValues

/// A filter as a function that SQL calls, for filters that have no form in SQL.
enum FilterFunction {
  /// SQLite gives a function at most 100 arguments (https://www.sqlite.org/limits.html).
  private static let mostArguments = 100

  /// Registers the function.
  ///
  /// An object for which the filter fails is not taken: it ends the migration, or is quarantined.
  ///
  /// - Parameters:
  ///   - name: of the function, once on the connection.
  ///   - query: of the entity's rows; receives the joins that the filter needs.
  /// - Returns: the call; `nil` when the filter reads more than the object and those that it refers to, or
  ///   too many values of them.
  static func register(
    _ filter: BoundPredicate, as name: String, over query: inout SourceQuery, now: Double,
    on connection: Connection
  ) throws -> SQLFragment? {
    guard filter.relatedObjects.isEmpty, filter.lookups.isEmpty else { return nil }
    var paths: [ResolvedKeyPath] = []
    var known: Set<String> = []
    for path in filter.keyPaths where known.insert(path.name).inserted { paths.append(path) }
    guard paths.count < mostArguments else { return nil }
    let shape = ObjectShape(entityName: query.entity.name, names: paths.map(\.name))
    let predicate = try CompiledPredicate(
      filter.safestFirst, slot: { shape.position(of: $0.name) ?? 0 })
    try connection.register(
      SQLFunction(name: name, argumentCount: Int32(paths.count) + 1) { arguments in
        let object = SourceObject(
          shape: shape, key: arguments.first?.integer ?? 0, values: Array(arguments.dropFirst()))
        let isTaken = try? predicate.evaluate(object, in: EvaluationContext(now: now))
        return .integer(isTaken == true ? 1 : 0)
      })
    let arguments = ["s.\"Z_PK\""] + paths.map { query.column($0) }
    return SQLFragment("\(name)(\(arguments.joined(separator: ", ")))", [])
  }
}
