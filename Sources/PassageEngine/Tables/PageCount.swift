internal import PassageExpressions
internal import PassagePages
internal import PassageStores
internal import PassageValues

/// Counts the rows and the values of tables in their pages: by the headers of these, or by columns.
struct PageCount {
  /// A smaller store is counted by SQLite in less time than its pages are opened. By an index, it also
  /// notices a table that has other rows.
  static let fewestBytes: Int64 = 4 << 20

  /// Whether a store is counted in its pages: a large one, or any where the page lane is forced.
  static func isUsed(byteCount: Int64, isForced: Bool) -> Bool {
    isForced || byteCount >= fewestBytes
  }

  private let reader: PageReader
  private let store: OpenStore
  private let totals: LeafTotals

  /// - Parameters:
  ///   - reader: of the pages that `store` sees.
  ///   - store: inside a read transaction.
  ///   - threadCount: the threads that may count, this one included.
  init(_ reader: PageReader, _ store: OpenStore, threadCount: Int) {
    self.reader = reader
    self.store = store
    totals = LeafTotals(reader, threadCount: threadCount)
  }

  /// - Returns: `nil` when SQLite must count.
  /// - Throws: `PageDamage`; SQLite then says what it makes of it.
  func rows(of name: String) throws -> Int64? {
    guard try reader.isCurrent(), let table = PageTable(name, in: store) else { return nil }
    return try totals.rowCount(root: table.root)
  }

  /// The rows of a table by the number of their entity.
  ///
  /// - Returns: `nil` when SQLite must count, as where a row has no number.
  /// - Throws: `PageDamage`; SQLite then says what it makes of it.
  func rowsByEntity(of name: String) throws -> [Int64: Int64]? {
    guard try reader.isCurrent(), let table = PageTable(name, in: store) else { return nil }
    return try totals.rowsByEntity(of: table)
  }

  /// Columns in which something is counted, of the objects of an entity.
  struct Wanted {
    let entity: EntityLayout
    let columns: [(name: String, test: ValueTest)]
    /// The objects that one of these takes are counted; without any, all of them are.
    let filters: [BoundPredicate]
  }

  /// Counts the values in columns for which tests hold.
  ///
  /// - Parameter now: the value of `now()`.
  /// - Returns: by position in `wanted`, and by position among its columns; `nil` when SQLite must count.
  /// - Throws: `PageDamage`; SQLite then says what it makes of it.
  func values(of name: String, _ wanted: [Wanted], now: Double) throws -> [[Int64]]? {
    guard try reader.isCurrent(), let table = PageTable(name, in: store), table.holdsObjects else {
      return nil
    }
    var counted: [CountedColumns] = []
    for item in wanted {
      let columns = item.columns.map { (position: table.position($0.name), test: $0.test) }
      let conditions = try item.filters.compactMap {
        try Self.condition($0, over: table, item.entity, now: now)
      }
      guard columns.allSatisfy({ $0.position >= 0 }), conditions.count == item.filters.count else {
        return nil
      }
      counted.append(
        CountedColumns(
          entityNumber: item.entity.isAlone ? nil : Int64(item.entity.number), columns: columns,
          conditions: conditions))
    }
    return try totals.valueCounts(
      root: table.root, counted, entityColumn: table.position("Z_ENT"), of: table.columns
    ).counts
  }

  /// A filter over the rows of a table; `nil` when it needs more than a row.
  private static func condition(
    _ filter: BoundPredicate, over table: PageTable, _ entity: EntityLayout, now: Double
  ) throws -> RowCondition? {
    guard let test = try FilterTest(filter, of: entity.name, now: now) else { return nil }
    let columns = test.paths.map {
      $0.relationships.isEmpty ? table.position(of: $0, in: entity) : -1
    }
    guard columns.allSatisfy({ $0 >= 0 }) else { return nil }
    return RowCondition(
      program: filter.cellProgram(now: now, column: { table.position(of: $0, in: entity) }),
      columns: columns, holds: test.takes)
  }

  /// The smallest and the largest key of a table of objects.
  ///
  /// - Returns: `nil` when SQLite must tell. There is no smallest in an empty table.
  func keys(of name: String) throws -> (smallest: Int64?, largest: Int64?)? {
    guard try reader.isCurrent(), let table = PageTable(name, in: store), table.holdsObjects else {
      return nil
    }
    let sweep = TableSweep(
      reader, root: table.root, columnCount: table.names.count, readsAhead: false)
    guard try sweep.next() else { return (nil, nil) }
    let smallest = sweep.key
    try sweep.seek(after: .max - 1)
    // The rows before the place were passed by.
    _ = try sweep.next()
    return (smallest, sweep.key)
  }

  /// The largest keys that `Z_PRIMARYKEY` records, by the number of the entity.
  ///
  /// - Parameter numbers: rows with other numbers are left out: a damaged table may have any number of
  ///   them.
  /// - Returns: `nil` when SQLite must tell.
  func recordedKeys(numbered numbers: ClosedRange<Int64>) throws -> [Int64: Int64]? {
    guard try reader.isCurrent(),
      let table = PageTable(BookkeepingTable.primaryKeys.rawValue, in: store),
      table.columns.keyColumn.map({ table.names[$0] }) == "Z_ENT"
    else { return nil }
    let column = table.position("Z_MAX")
    guard column >= 0 else { return nil }
    let sweep = TableSweep(
      reader, root: table.root, columnCount: table.names.count, readsAhead: false)
    var keys: [Int64: Int64] = [:]
    if numbers.lowerBound > .min { try sweep.seek(after: numbers.lowerBound - 1) }
    while try sweep.next(), sweep.key <= numbers.upperBound {
      switch try sweep.cell(column) {
      case .integer(let key): keys[sweep.key] = key
      case .null: keys[sweep.key] = 0
      default: return nil
      }
    }
    return keys
  }
}

extension LeafTotals {
  /// The rows of a table by the number of their entity.
  ///
  /// - Returns: `nil` when SQLite must count, as where a row has no number.
  /// - Throws: `PageDamage`, `Cancellation`, or an error of the file.
  func rowsByEntity(of table: PageTable) throws -> [Int64: Int64]? {
    guard table.holdsObjects else { return nil }
    let counts = try rowCounts(root: table.root, byColumn: table.position("Z_ENT"))
    return counts.otherCount == 0 ? counts.byNumber : nil
  }
}
