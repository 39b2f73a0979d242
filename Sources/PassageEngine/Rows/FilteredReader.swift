internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Reads the objects that match the part of a filter that SQL evaluates, one range of keys at a
/// time, and counts the objects that do not match.
final class FilteredReader: RowSource {
  private let reader: SourceReader
  /// The part of the filter that is evaluated in memory.
  let filter: BoundPredicate?

  /// Counts the entity's objects in a range of keys; `nil` when SQL filters out none.
  private let countAll: Statement?
  private let makeRanges: (Int64) throws -> KeyRanges
  private let rowsOfRange: Int
  private var ranges: KeyRanges?
  /// The range that is being read.
  private var range: ClosedRange<Int64>?
  /// The last key up to which objects have been counted.
  private var done: Int64 = .min
  /// Whether all objects have been read.
  private(set) var isAtEnd = false

  /// - Parameters:
  ///   - cells: what is read of each object, given the part of the filter that is evaluated in
  ///     memory.
  ///   - links: the temporary tables that replace indexes that the source does not have.
  ///   - rowsOfRange: how many rows of the table are scanned at a time.
  init(
    _ read: ReadRows, filter: BoundPredicate?, step: StepPlan, rowsOfRange: Int,
    links: LinkTables, cells: (BoundPredicate?) -> SourceCells
  ) throws {
    var query = read.query(links)
    let parts = filter.map {
      FilterParts(
        $0, for: .rows, obstacle: step.lanes.filterObstacle, query: &query, now: step.now)
    }
    let conditions = parts?.inSQL ?? []
    self.filter = parts?.inMemory?.safestFirst
    if conditions.isEmpty {
      countAll = nil
    } else {
      countAll = try read.connection.prepare(
        "SELECT count(*) FROM \(read.entityLayout.table(inSchema: read.schema)) AS s NOT INDEXED "
          + "WHERE \(query.entityCondition) AND s.\"Z_PK\" BETWEEN ? AND ?")
    }
    reader = try SourceReader(
      query: query, conditions: conditions, cells: cells(self.filter), connection: read.connection)
    makeRanges = { try read.ranges(after: $0) }
    self.rowsOfRange = rowsOfRange
  }

  /// Starts after a source key.
  func start(after key: Int64) throws {
    done = key
    isAtEnd = false
    // If SQL filters out nothing, every row is read, and one range covers all of them.
    guard countAll == nil else {
      ranges = try makeRanges(key)
      return
    }
    guard key < .max else {
      isAtEnd = true
      return
    }
    try begin((key + 1)...Int64.max)
  }

  private func begin(_ range: ClosedRange<Int64>) throws {
    self.range = range
    try reader.start(range)
  }

  /// Starts the next range if none is being read and one is left.
  func beginBatch() throws {
    guard range == nil, !isAtEnd else { return }
    if let next = try ranges?.range(rows: rowsOfRange) {
      try begin(next)
    } else {
      isAtEnd = true
    }
  }

  /// Reads the next object of the range.
  ///
  /// - Returns: the bytes of text and blobs in its row; `nil` at the end of the range.
  func next(into object: inout SourceObject) throws -> Int? {
    guard range != nil else { return nil }
    if let bytes = try reader.next(into: &object) { return bytes }
    if countAll == nil { isAtEnd = true }
    return nil
  }

  /// Ends a batch of objects.
  ///
  /// - Parameters:
  ///   - lastKey: the last object read; `nil` when there was none.
  ///   - count: the number of objects read.
  ///   - isRangeDone: whether the range has been read to its end.
  /// - Returns: the last completed key, and the number of objects that SQL filtered out.
  func endBatch(
    lastKey: Int64?, count: Int, isRangeDone: Bool
  ) throws -> (lastKey: Int64?, filtered: Int) {
    guard let countAll, let range else { return (lastKey, 0) }
    let last = isRangeDone ? range.upperBound : lastKey
    if isRangeDone { self.range = nil }
    guard let last, last > done else { return (nil, 0) }
    try countAll.bind([.integer(done + 1), .integer(last)])
    defer { countAll.reset() }
    done = last
    let all = try countAll.step() ? countAll.integer(at: 0) : 0
    return (last, max(0, Int(all) - count))
  }

  /// Ends the reads of the statements.
  func stop() { reader.stop() }

  // MARK: Cells

  func makeObject() -> SourceObject { reader.makeObject() }

  var shape: ObjectShape { reader.shape }

  func slot(_ path: ResolvedKeyPath) -> Int { reader.slot(path) }

  func column(_ path: ResolvedKeyPath) -> Int { reader.column(path) }

  func column(named name: String) -> Int { reader.column(named: name) }

  func append(_ column: Int, to batch: inout RowBatch) throws -> Bool {
    try reader.append(column, to: &batch)
  }

  func value(ofColumn column: Int) -> Value { reader.value(ofColumn: column) }
}
