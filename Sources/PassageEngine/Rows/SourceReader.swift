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
  private let connection: Connection
  private let table: String
  private let largeCells: [LargeCell]

  /// An attribute of the entity's own that may hold very many bytes. Such a value is left out of the
  /// row and read from where it lies, because SQLite would keep a copy of it beside ours.
  private struct LargeCell {
    /// Longer values are read by themselves.
    static let limit = 1 << 20

    var slot: Int
    /// The column of the statement that tells whether the value is left out.
    var flag: Int
    var column: String
  }

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
    var columns = paths.map { query.column($0) } + extras
    shape = ObjectShape(entityName: entity.name, names: paths.map(\.name))
    cellCount = paths.count
    extraCells = paths.count..<columns.count
    var largeCells: [LargeCell] = []
    for (slot, path) in paths.enumerated() {
      guard let name = Self.columnOfBytes(path, query.entityLayout) else { continue }
      // The first column of the statement is the key.
      let large = LargeCell(slot: slot, flag: columns.count + 1, column: name)
      let condition = BlobHandle.isLonger(columns[slot], than: LargeCell.limit)
      columns[slot] = "CASE WHEN \(condition) THEN NULL ELSE \(columns[slot]) END"
      columns.append(condition)
      largeCells.append(large)
    }
    self.largeCells = largeCells
    table = query.entityLayout.tableName
    self.connection = connection
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
    // Two large values of two objects are not in memory at once.
    for large in largeCells { object.values[large.slot] = .null }
    guard try statement.step() else { return nil }
    object.key = statement.integer(at: 0)
    var byteCount = statement.read(into: &object.values, from: 1)
    for large in largeCells where statement.integer(at: large.flag) == 1 {
      let bytes = try BlobHandle(
        connection, table: table, column: large.column, row: object.key
      ).bytes()
      byteCount += bytes.count
      object.values[large.slot] = .blob(bytes)
    }
    return byteCount
  }

  /// A cell of the current row beyond the object's own.
  func extra(_ position: Int) -> Value { statement.value(at: position + 1) }

  /// An object to read into.
  func makeObject() -> SourceObject {
    SourceObject(shape: shape, key: 0, values: Array(repeating: .null, count: cellCount))
  }

  /// Gives the statement's read back.
  func stop() { statement.reset() }

  /// The column of an attribute of the entity's own that holds bytes; `nil` for every other path.
  private static func columnOfBytes(_ path: ResolvedKeyPath, _ entity: EntityLayout) -> String? {
    guard path.relationships.isEmpty, case .attribute(let attribute) = path.leaf,
      attribute.type.holdsBytes
    else { return nil }
    return entity.columnName(ofAttribute: attribute.name)
  }

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
