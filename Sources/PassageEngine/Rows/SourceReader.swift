internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Streams the objects of one source entity in ascending key order, names resolved to positions
/// once. Cells that expressions or policies look at are decoded into a ``SourceObject``; the others stay
/// as they lie until somebody copies them.
struct SourceReader {
  let shape: ObjectShape

  private let statement: Statement
  private let parameterCount: Int
  private let cellCount: Int
  private let connection: Connection
  private let table: String
  /// The column of the statement for each key path, and for each column of the entity's own row.
  private let pathColumns: [String: Int]
  private let namedColumns: [String: Int]
  /// By column of the statement, those that may hold very many bytes.
  private let largeCells: [Int: LargeCell]
  /// Those of them that are decoded.
  private let largeSlots: [Int]

  /// An attribute of the entity's own that may hold very many bytes. Such a value is left out of the
  /// row and read from where it lies, because SQLite would keep a copy of it beside ours.
  private struct LargeCell {
    /// Longer values are read by themselves.
    static let limit = 1 << 20

    /// The column of the statement that tells whether the value is left out.
    var flag: Int
    var column: String
  }

  /// What is read of each object.
  struct Cells {
    /// The cells that expressions look at.
    var decoded: [ResolvedKeyPath]
    /// Those that are copied as they are.
    var copied: [ResolvedKeyPath] = []
    /// Columns of the entity's own row.
    var columns: [String] = []
    /// Whether every stored attribute and to-one relationship is decoded as well, because a policy may
    /// ask for any.
    var readsEverything = false
  }

  /// - Parameters:
  ///   - query: the entity's table with the joins that `conditions` need.
  ///   - conditions: what SQL asks of an object; an object for which one does not hold is not read.
  init(
    query: SourceQuery, conditions: [SQLFragment], cells: Cells, connection: Connection
  ) throws {
    var query = query
    let entity = query.entity
    var paths = cells.readsEverything ? Self.everyCell(of: entity, in: query.model) : []
    var known = Set(paths.map(\.name))
    for path in cells.decoded where known.insert(path.name).inserted { paths.append(path) }
    shape = ObjectShape(entityName: entity.name, names: paths.map(\.name))
    cellCount = paths.count
    for path in cells.copied where known.insert(path.name).inserted { paths.append(path) }
    // The first column of the statement is the key.
    var columns = paths.map { query.column($0) }
    pathColumns = Dictionary(
      uniqueKeysWithValues: paths.enumerated().map { ($1.name, $0 + 1) })
    var namedColumns: [String: Int] = [:]
    for name in cells.columns {
      columns.append("s.\(name.quotedIdentifier)")
      namedColumns[name] = columns.count
    }
    self.namedColumns = namedColumns
    var largeCells: [Int: LargeCell] = [:]
    for (position, path) in paths.enumerated() {
      guard let name = Self.columnOfBytes(path, query.entityLayout) else { continue }
      let condition = BlobHandle.isLonger(columns[position], than: LargeCell.limit)
      columns[position] = "CASE WHEN \(condition) THEN NULL ELSE \(columns[position]) END"
      columns.append(condition)
      largeCells[position + 1] = LargeCell(flag: columns.count, column: name)
    }
    self.largeCells = largeCells
    largeSlots = largeCells.keys.map { $0 - 1 }
      .filter { [cellCount] in $0 < cellCount }.sorted()
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

  /// The position of a decoded cell in ``SourceObject/values``.
  func slot(_ path: ResolvedKeyPath) -> Int { shape.position(of: path.name) ?? 0 }

  /// The position of a cell among all that are read.
  func column(_ path: ResolvedKeyPath) -> Int { pathColumns[path.name] ?? 0 }

  /// The position of a column of the entity's own row among all that are read.
  func column(named name: String) -> Int { namedColumns[name] ?? 0 }

  /// Begins with a range of keys.
  func start(_ range: ClosedRange<Int64>) throws {
    statement.reset()
    try statement.bind(range.lowerBound, at: parameterCount + 1)
    try statement.bind(range.upperBound, at: parameterCount + 2)
  }

  /// Moves to the next object and decodes its cells into `object`, whose cells are used again.
  ///
  /// - Returns: the bytes of text and blobs that were decoded; `nil` when there is none.
  func next(into object: inout SourceObject) throws -> Int? {
    // Two large values of two objects are not in memory at once.
    for slot in largeSlots { object.values[slot] = .null }
    guard try statement.step() else { return nil }
    object.key = statement.integer(at: 0)
    var byteCount = statement.read(into: &object.values, from: 1)
    for slot in largeSlots {
      guard let bytes = try largeBytes(slot + 1) else { continue }
      byteCount += bytes.count
      object.values[slot] = .blob(bytes)
    }
    return byteCount
  }

  /// The bytes of a cell of the current object that is left out of its row; `nil` for every other.
  private func largeBytes(_ column: Int) throws -> [UInt8]? {
    guard let large = largeCells[column], statement.integer(at: large.flag) == 1 else { return nil }
    return try BlobHandle(
      connection, table: table, column: large.column, row: statement.integer(at: 0)
    ).bytes()
  }

  /// Copies a cell of the current object as it lies there.
  ///
  /// - Returns: whether it is NULL.
  func append(_ column: Int, to batch: inout RowBatch) throws -> Bool {
    if !largeCells.isEmpty, let bytes = try largeBytes(column) {
      batch.append(.blob(bytes))
      return false
    }
    let cell = statement.rawCell(at: column)
    batch.append(cell)
    if case .null = cell { return true }
    return false
  }

  /// A cell of the current object, decoded.
  func value(ofColumn column: Int) -> Value { statement.value(at: column) }

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
