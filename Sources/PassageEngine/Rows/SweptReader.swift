internal import PassageExpressions
internal import PassageModels
internal import PassagePages
internal import PassageStores
internal import PassageValues

/// Reads the objects of an entity from the pages of its table, without SQLite. A cell is decoded when
/// it is asked for.
///
/// It is for policies that make objects row by row: what they write goes through SQLite.
final class SweptReader: RowSource {
  private let rows: EntityRows
  private let table: PageTable
  private let entity: EntityLayout
  let shape: ObjectShape
  private let snapshots: RowSnapshots
  private let path: String
  /// Whether all objects have been read.
  var isAtEnd: Bool { rows.isAtEnd }
  private var takenForeignCount: Int64 = 0

  /// - Parameters:
  ///   - paths: what is read of each object.
  ///   - path: of the store, for errors.
  /// - Returns: `nil` when the table does not store all of that in columns of their own, or when it
  ///   may hold large values, of which SQLite keeps one at a time.
  init?(
    _ reader: PageReader, _ table: PageTable, _ entity: EntityLayout, paths: [ResolvedKeyPath],
    path: String
  ) {
    var known: Set<String> = []
    let paths = paths.filter { known.insert($0.name).inserted }
    let columns = paths.map { table.position(of: $0, in: entity) }
    let entityColumn = table.position("Z_ENT")
    guard table.holdsObjects, columns.allSatisfy({ $0 >= 0 }),
      paths.allSatisfy({ $0.relationships.isEmpty && !Self.holdsBytes($0) })
    else { return nil }
    self.table = table
    self.entity = entity
    self.path = path
    shape = ObjectShape(entityName: entity.name, names: paths.map(\.name))
    snapshots = RowSnapshots(cells: columns, of: table.columns)
    rows = EntityRows(
      reader, root: table.root, table: table.columns, entityColumn: entityColumn,
      entityNumber: Int64(entity.number), isAlone: entity.isAlone)
  }

  private static func holdsBytes(_ path: ResolvedKeyPath) -> Bool {
    guard case .attribute(let attribute) = path.leaf else { return false }
    return attribute.type.holdsBytes
  }

  /// The objects since the last call with the number of another entity.
  func takeForeignCount() -> Int64 {
    defer { takenForeignCount = rows.foreignCount }
    return rows.foreignCount - takenForeignCount
  }

  // MARK: Objects

  var filter: BoundPredicate? { nil }

  func makeObject() -> SourceObject {
    SourceObject(shape: shape, key: 0, row: snapshots.makeRow())
  }

  func start(after key: Int64) throws {
    try named { try rows.start(after: key) }
  }

  func beginBatch() {}

  func next(into object: inout SourceObject) throws -> Int? {
    guard let byteCount = try named({ try rows.next() }) else { return nil }
    // A policy may have kept the object.
    if !object.hasSoleRow() { object.row = snapshots.makeRow() }
    object.key = rows.key
    if let row = object.row { rows.copy(to: row) }
    return byteCount
  }

  func endBatch(
    lastKey: Int64?, count: Int, isRangeDone: Bool
  ) -> (lastKey: Int64?, filtered: Int) {
    // The batch has passed over rows of other entities.
    (isRangeDone && !isAtEnd ? rows.key : lastKey, 0)
  }

  func stop() {}

  /// Names the table in an error of its pages.
  private func named<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let damage as PageDamage {
      throw StoreError(DamagedTable(table: table.name, damage: damage), path: path)
    }
  }

  // MARK: Cells

  func column(_ path: ResolvedKeyPath) -> Int { table.position(of: path, in: entity) }

  func column(named name: String) -> Int { table.position(name) }

  func append(_ column: Int, to batch: inout RowBatch) -> Bool {
    let cell = rows.cell(column)
    batch.append(cell)
    if case .null = cell { return true }
    return false
  }

  func value(ofColumn column: Int) -> Value { Value(rows.cell(column)) }
}
