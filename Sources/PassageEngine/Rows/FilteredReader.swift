internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Reads the objects that the part of a filter in SQL lets through, range of keys by range of keys,
/// and counts those that it leaves out.
final class FilteredReader {
  let reader: SourceReader
  /// What remains of the filter to be evaluated in memory.
  let filter: BoundPredicate?

  /// Counts the entity's objects in a range of keys; `nil` where SQL leaves none out.
  private let countAll: Statement?
  private let makeRanges: (Int64) throws -> KeyRanges
  private let rowsOfRange: Int
  private var ranges: KeyRanges?
  /// The range that is being read.
  private var range: ClosedRange<Int64>?
  /// The last key of what is counted.
  private var done: Int64 = .min
  /// Whether there is nothing left.
  private(set) var isAtEnd = false

  /// The tables that stand for indexes that the source has not.
  let links: LinkTables

  /// - Parameters:
  ///   - cells: what is read of each object, by what remains of the filter.
  ///   - rowsOfRange: how many rows of the table are looked through at once.
  init(
    mappingPlan: MappingPlan, step: StepPlan, functions: FunctionLibrary, rowsOfRange: Int,
    source: Connection, cells: (BoundPredicate?) -> SourceReader.Cells
  ) throws {
    guard let entity = mappingPlan.bound.source, let entityLayout = mappingPlan.source else {
      throw PolicyMistake("“\(mappingPlan.name)” reads nothing")
    }
    var query = SourceQuery(
      model: step.source, layout: step.sourceLayout, entity: entity, entityLayout: entityLayout,
      schema: "")
    query.links = try LinkTables(
      for: mappingPlan.bound.relatedObjects, layout: step.sourceLayout, schema: "",
      connection: source)
    links = query.links
    let parts = mappingPlan.bound.filter.map {
      FilterParts(
        $0, for: .rows, obstacle: step.lanes.filterObstacle, query: &query, now: step.now)
    }
    let conditions = parts?.inSQL ?? []
    filter = parts?.inMemory?.safestFirst
    if conditions.isEmpty {
      countAll = nil
    } else {
      try source.registerExpressionFunctions(functions)
      countAll = try source.prepare(
        "SELECT count(*) FROM \(entityLayout.tableName.quotedIdentifier) AS s NOT INDEXED "
          + "WHERE \(query.entityCondition) AND s.\"Z_PK\" BETWEEN ? AND ?")
    }
    reader = try SourceReader(
      query: query, conditions: conditions, cells: cells(filter), connection: source)
    makeRanges = { [table = entityLayout.tableName, rowCount = step.extent.counts.total] in
      try KeyRanges(
        connection: source, schema: "", table: table, after: $0, rowCount: rowCount)
    }
    self.rowsOfRange = rowsOfRange
  }

  /// Begins after a source key.
  func start(after key: Int64) throws {
    done = key
    isAtEnd = false
    // Where SQL leaves nothing out, every row is met, and one range holds them all.
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

  /// Makes sure that a range is being read, where there is one left.
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
  ///   - isRangeDone: whether the range is at its end.
  /// - Returns: the last key that is done, and the number of objects that SQL left out.
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

  /// Gives the statements' reads back.
  func stop() { reader.stop() }
}
