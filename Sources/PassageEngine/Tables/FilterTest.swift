internal import PassageExpressions
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageValues

/// A filter of one entity as a test of its cells, in memory, by any number of threads.
struct FilterTest: Sendable {
  /// SQLite gives a function at most 100 arguments (https://www.sqlite.org/limits.html).
  private static let mostArguments = 100

  /// The cells that it reads.
  let paths: [ResolvedKeyPath]
  private let shape: ObjectShape
  private let predicate: CompiledPredicate
  private let now: Double

  /// - Parameter now: the value of `now()`.
  /// - Returns: `nil` when the filter reads more than the cells of an object and of those that it refers to.
  init?(_ filter: BoundPredicate, of entityName: String, now: Double) throws {
    guard filter.relatedObjects.isEmpty, filter.lookups.isEmpty else { return nil }
    var paths: [ResolvedKeyPath] = []
    var known: Set<String> = []
    for path in filter.keyPaths where known.insert(path.name).inserted { paths.append(path) }
    let shape = ObjectShape(entityName: entityName, names: paths.map(\.name))
    predicate = try CompiledPredicate(
      filter.safestFirst, slot: { shape.position(of: $0.name) ?? 0 })
    self.paths = paths
    self.shape = shape
    self.now = now
  }

  /// Whether the filter takes an object. It does not take one for which it fails: that one ends the migration,
  /// or is quarantined.
  ///
  /// - Parameter cells: by position in ``paths``.
  func takes(key: Int64, _ cells: [Value]) -> Bool {
    let object = SourceObject(shape: shape, key: key, values: cells)
    return (try? predicate.evaluate(object, in: EvaluationContext(now: now))) ?? false
  }

  /// Makes it a function that SQL calls.
  ///
  /// - Parameters:
  ///   - name: of the function, once on the connection.
  ///   - query: of the entity's rows; receives the joins that the cells need.
  /// - Returns: the call; `nil` when there are too many cells for one.
  func register(
    as name: String, over query: inout SourceQuery, on connection: Connection
  ) throws -> SQLFragment? {
    guard paths.count < Self.mostArguments else { return nil }
    try connection.register(
      SQLFunction(name: name, argumentCount: Int32(paths.count) + 1) { arguments in
        let isTaken = takes(
          key: arguments.first?.integer ?? 0, Array(arguments.dropFirst()))
        return .integer(isTaken ? 1 : 0)
      })
    let arguments = ["s.\"Z_PK\""] + paths.map { query.column($0) }
    return SQLFragment("\(name)(\(arguments.joined(separator: ", ")))", [])
  }
}
