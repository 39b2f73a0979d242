internal import PassageExpressions
internal import PassageModels
internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Reads the objects of one source entity from the pages of its table, without SQL.
final class PageRowSource: RowSource {
  let filter: BoundPredicate?
  private(set) var isAtEnd = false

  private let table: SourceTable
  private let sweep: TableSweep
  private let shape: ObjectShape
  private let layout: EntityLayout
  private let number: Int64
  /// The columns of the decoded cells, in the order of the shape.
  private let decoded: [Int]
  /// The last column that is read.
  private let lastColumn: Int
  /// The current row.
  private var record: RecordView?

  /// A table of the source: where it begins, and what its columns make of values.
  struct SourceTable {
    let name: String
    let root: UInt32
    /// In the order of the records.
    let columns: [String]
    let affinities: [Affinity]
    let keyColumn: Int
    let entityColumn: Int

    /// - Returns: `nil` when the table is not one whose records can be read without SQLite: it has
    ///   no key of its own, or columns with default values, which need not be in the records.
    init?(_ name: String, _ connection: Connection, schema: String = "main") throws {
      let rows = try connection.rows(
        "SELECT name, type, pk, dflt_value, hidden FROM pragma_table_xinfo(?, ?)",
        [.text(name), .text(schema)])
      guard
        let root = try connection.value(
          "SELECT rootpage FROM \(schema).sqlite_master WHERE type = 'table' AND name = ?",
          [.text(name)])?.integer,
        let page = UInt32(exactly: root), page > 1,
        rows.allSatisfy({ $0[3].isNull && $0[4].integer == 0 })
      else { return nil }
      let keys = rows.indices.filter { rows[$0][2].integer != 0 }
      let columns = rows.map { $0[0].string ?? "" }
      guard keys.count == 1, rows[keys[0]][1].string?.uppercased() == "INTEGER",
        columns[keys[0]] == "Z_PK", let entity = columns.firstIndex(of: "Z_ENT")
      else { return nil }
      self.name = name
      self.root = page
      self.columns = columns
      affinities = rows.map { Affinity(declaredType: $0[1].string ?? "") }
      keyColumn = keys[0]
      entityColumn = entity
    }
  }

  /// - Parameters:
  ///   - cells: what is read of each object. No path leads over a relationship.
  init(
    _ entity: EntityLayout, table: SourceTable, reader: PageReader, filter: BoundPredicate?,
    cells: SourceCells
  ) throws {
    self.table = table
    self.filter = filter
    layout = entity
    number = Int64(entity.number)
    sweep = TableSweep(reader, root: table.root, columnCount: table.columns.count)
    var known: Set<String> = []
    let paths = cells.decoded.filter { known.insert($0.name).inserted }
    shape = ObjectShape(entityName: entity.name, names: paths.map(\.name))
    decoded = paths.map { Self.position(of: $0, in: entity, table) }
    let copied = cells.copied.map { Self.position(of: $0, in: entity, table) }
    let named = cells.columns.map { table.columns.firstIndex(of: $0) ?? -1 }
    lastColumn = (decoded + copied + named + [table.entityColumn]).max() ?? 0
  }

  func makeObject() -> SourceObject {
    SourceObject(shape: shape, key: 0, values: Array(repeating: .null, count: decoded.count))
  }

  func slot(_ path: ResolvedKeyPath) -> Int { shape.position(of: path.name) ?? 0 }

  func column(_ path: ResolvedKeyPath) -> Int { Self.position(of: path, in: layout, table) }

  func column(named name: String) -> Int { table.columns.firstIndex(of: name) ?? -1 }

  /// The column of a cell; -1 for what the table does not store.
  private static func position(
    of path: ResolvedKeyPath, in entity: EntityLayout, _ table: SourceTable
  ) -> Int {
    let name: String? =
      switch path.leaf {
      case .object: "Z_PK"
      case .attribute(let attribute): entity.columnName(ofAttribute: attribute.name)
      case .relationship(let relationship):
        if case .foreignKey(let column, _, _)? = entity.storage(
          ofRelationship: relationship.name)
        {
          column
        } else {
          nil
        }
      }
    return name.flatMap { table.columns.firstIndex(of: $0) } ?? -1
  }

  // MARK: Reading

  func start(after key: Int64) throws {
    isAtEnd = key == .max
    try told { try sweep.seek(after: key) }
  }

  func beginBatch() {}

  func next(into object: inout SourceObject) throws -> Int? {
    repeat {
      guard try told({ try advance() }) else {
        isAtEnd = true
        return nil
      }
    } while !isOwn
    object.key = sweep.key
    var byteCount = 0
    for (position, column) in decoded.enumerated() {
      let cell = cell(column)
      byteCount += cell.byteCount
      object.values[position] = Value(cell)
    }
    return byteCount
  }

  private func advance() throws -> Bool {
    guard try sweep.next() else { return false }
    record = try sweep.record(through: lastColumn)
    return true
  }

  /// Whether the row is an object of the entity itself: its number is compared as SQL compares it.
  private var isOwn: Bool {
    switch record?.cell(table.entityColumn) {
    case .integer(let found): found == number
    case .real(let found): found == Double(number)
    default: false
    }
  }

  /// A cell as SQLite gives it.
  private func cell(_ column: Int) -> RawCell {
    guard column >= 0 else { return .null }
    if column == table.keyColumn { return .integer(sweep.key) }
    let cell = record?.cell(column) ?? .null
    // Whole numbers of such a column are stored as integers: https://www.sqlite.org/fileformat2.html
    if table.affinities[column] == .real, case .integer(let number) = cell {
      return .real(Double(number))
    }
    return cell
  }

  func endBatch(
    lastKey: Int64?, count: Int, isRangeDone: Bool
  ) -> (lastKey: Int64?, filtered: Int) { (lastKey, 0) }

  func append(_ column: Int, to batch: inout RowBatch) -> Bool {
    let cell = cell(column)
    batch.append(cell)
    if case .null = cell { return true }
    return false
  }

  func value(ofColumn column: Int) -> Value { Value(cell(column)) }

  func stop() {}

  /// Names the table in an error of its pages.
  private func told<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let damage as PageDamage {
      throw DamagedTable(table: table.name, damage: damage)
    }
  }
}

/// The pages of a source table contradict each other.
struct DamagedTable: Error {
  let table: String
  let damage: PageDamage
}
