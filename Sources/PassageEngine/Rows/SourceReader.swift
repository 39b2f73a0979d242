internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Streams the objects of one source entity in ascending order of keys; names are resolved to
/// positions once. Cells that expressions or policies read are decoded into a ``SourceObject``; the
/// others stay undecoded until they are copied.
struct SourceReader {
  let shape: ObjectShape

  private let statement: Statement
  private let parameterCount: Int
  private let cellCount: Int
  private let connection: Connection
  private let table: String
  /// The statement's column for each key path, and for each column of the entity's own row.
  private let pathColumns: [String: Int]
  private let namedColumns: [String: Int]
  /// The cells that may be very large, by column of the statement.
  private let largeCells: [Int: LargeCell]
  /// The positions of those large cells that are decoded.
  private let largeSlots: [Int]

  /// An attribute of the entity itself that may be very large. Such a value is left out of the row
  /// and read separately, because SQLite would keep a second copy of it in memory.
  private struct LargeCell {
    /// Values longer than this, in bytes, are read separately.
    static let limit = 1 << 20

    /// The column of the statement that says whether the value is left out.
    var flag: Int
    var column: String
  }

  /// - Parameters:
  ///   - query: the entity's table with the joins that `conditions` need.
  ///   - conditions: the conditions that SQL evaluates; only objects that match all of them are
  ///     read.
  init(
    query: SourceQuery, conditions: [SQLFragment], cells: SourceCells, connection: Connection
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
    var columns = paths.map { path in
      let cell = query.column(path)
      return if case .relationship = path.leaf { LinkNumber.value(of: cell) } else { cell }
    }
    pathColumns = Dictionary(
      uniqueKeysWithValues: paths.enumerated().map { ($1.name, $0 + 1) })
    var namedColumns: [String: Int] = [:]
    for name in cells.columns {
      columns.append(LinkNumber.value(of: "s.\(name.quotedIdentifier)"))
      namedColumns[name] = columns.count
    }
    self.namedColumns = namedColumns
    var largeCells: [Int: LargeCell] = [:]
    for (position, path) in paths.enumerated() {
      guard query.entityLayout.schemaName == nil,
        let name = Self.columnOfBytes(path, query.entityLayout)
      else { continue }
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
    let filter = Junction.and.joined(
      [query.entityCondition] + conditions.map { "(\($0.sql))" })
    statement = try connection.prepare(
      "SELECT \(list) \(query.fromClause) WHERE \(filter) "
        + "AND s.\"Z_PK\" BETWEEN ? AND ? ORDER BY s.\"Z_PK\"")
    let bindings = conditions.flatMap(\.bindings)
    try statement.bind(bindings)
    parameterCount = bindings.count
  }

  /// The position of a decoded cell in ``SourceObject/values``.
  func slot(_ path: ResolvedKeyPath) -> Int { shape.position(of: path.name) ?? 0 }

  /// The position of a cell among all cells that are read.
  func column(_ path: ResolvedKeyPath) -> Int { pathColumns[path.name] ?? 0 }

  /// The position of a column of the entity's own row among all cells that are read.
  func column(named name: String) -> Int { namedColumns[name] ?? 0 }

  /// Starts reading a range of keys.
  func start(_ range: ClosedRange<Int64>) throws {
    statement.reset()
    try statement.bind(range.lowerBound, at: parameterCount + 1)
    try statement.bind(range.upperBound, at: parameterCount + 2)
  }

  /// Moves to the next object and decodes its cells into `object`, whose storage is reused.
  ///
  /// - Returns: the number of decoded bytes of text and blobs; `nil` when there is no other object.
  func next(into object: inout SourceObject) throws -> Int? {
    // This avoids having two large values of two objects in memory at once.
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

  /// The bytes of a cell that is left out of the current row; `nil` for every other cell.
  private func largeBytes(_ column: Int) throws -> [UInt8]? {
    guard let large = largeCells[column], statement.integer(at: large.flag) == 1 else { return nil }
    return try BlobHandle(
      connection, table: table, column: large.column, row: statement.integer(at: 0)
    ).bytes()
  }

  /// Copies a cell of the current object without decoding it.
  ///
  /// - Returns: whether the cell is NULL.
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

  /// A cell of the current object, decoded. One of a link is a number wherever SQLite takes it for one.
  func value(ofColumn column: Int) -> Value { statement.value(at: column) }

  /// Creates an object to read into.
  func makeObject() -> SourceObject {
    SourceObject(shape: shape, key: 0, values: Array(repeating: .null, count: cellCount))
  }

  /// Ends the read of the statement.
  func stop() { statement.reset() }

  /// The column of an attribute of the entity itself that holds bytes; `nil` for every other path.
  private static func columnOfBytes(_ path: ResolvedKeyPath, _ entity: EntityLayout) -> String? {
    guard path.relationships.isEmpty, case .attribute(let attribute) = path.leaf,
      attribute.type.holdsBytes
    else { return nil }
    return entity.columnName(ofAttribute: attribute.name)
  }

  /// Every stored attribute and to-one relationship of an entity.
  static func everyCell(of entity: Entity, in model: Model) -> [ResolvedKeyPath] {
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
