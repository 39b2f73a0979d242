internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Streams the objects of one source entity in ascending key order, names resolved to positions
/// once.
struct SourceReader {
  let shape: ObjectShape
  /// The positions, in a row's extra cells, of what the sweep computes in SQL.
  let extraCells: Range<Int>

  private let statement: Statement
  private let parameterCount: Int
  private let cellCount: Int

  /// - Parameters:
  ///   - query: the entity's table with the joins that `conditions` need.
  ///   - conditions: what SQL asks of an object; an object for which one does not hold is not read.
  ///   - keyPaths: the cells that expressions read.
  ///   - readsEverything: whether every stored attribute and to-one relationship is read as well,
  ///     because a policy may ask for any.
  ///   - extras: SQL over `s` computed for each row.
  init(
    query: SourceQuery, conditions: [SQLFragment], keyPaths: [ResolvedKeyPath],
    readsEverything: Bool, extras: [String], connection: Connection
  ) throws {
    var query = query
    let entity = query.entity
    var paths = readsEverything ? Self.everyCell(of: entity, in: query.model) : []
    var known = Set(paths.map(\.name))
    for path in keyPaths where known.insert(path.name).inserted { paths.append(path) }
    let columns = paths.map { query.column($0) } + extras
    shape = ObjectShape(entityName: entity.name, names: paths.map(\.name))
    cellCount = paths.count
    extraCells = paths.count..<columns.count
    let list = (["s.\"Z_PK\""] + columns).joined(separator: ", ")
    let filter = conditions.map { " AND (\($0.sql))" }.joined()
    statement = try connection.prepare(
      "SELECT \(list) \(query.fromClause) WHERE \(query.entityCondition)\(filter) "
        + "AND s.\"Z_PK\" BETWEEN ? AND ? ORDER BY s.\"Z_PK\"")
    let bindings = conditions.flatMap(\.bindings)
    try statement.bind(bindings)
    parameterCount = bindings.count
  }

  /// The position of a cell in ``SourceObject/values``.
  func slot(_ path: ResolvedKeyPath) -> Int { shape.position(of: path.name) ?? 0 }

  /// Begins with a range of keys.
  func start(_ range: ClosedRange<Int64>) throws {
    statement.reset()
    try statement.bind(range.lowerBound, at: parameterCount + 1)
    try statement.bind(range.upperBound, at: parameterCount + 2)
  }

  /// Reads the next object into `object`, whose cells are reused.
  ///
  /// - Returns: the bytes of text and blobs in its row; `nil` when there is none.
  func next(into object: inout SourceObject) throws -> Int? {
    guard try statement.step() else { return nil }
    object.key = statement.integer(at: 0)
    return statement.read(into: &object.values, from: 1)
  }

  /// A cell of the current row beyond the object's own.
  func extra(_ position: Int) -> Value { statement.value(at: position + 1) }

  /// An object to read into.
  func makeObject() -> SourceObject {
    SourceObject(shape: shape, key: 0, values: Array(repeating: .null, count: cellCount))
  }

  /// Gives the statement's read back.
  func stop() { statement.reset() }

  private static func everyCell(of entity: Entity, in model: Model) -> [ResolvedKeyPath] {
    let attributes = model.attributes(of: entity).filter(\.isStored).map {
      ResolvedKeyPath(
        entityName: entity.name, components: [$0.name], relationships: [], leaf: .attribute($0))
    }
    let relationships = model.relationships(of: entity).filter { !$0.isToMany && !$0.isTransient }
      .map {
        ResolvedKeyPath(
          entityName: entity.name, components: [$0.name], relationships: [],
          leaf: .relationship($0))
      }
    return attributes + relationships
  }
}
