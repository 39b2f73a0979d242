internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Reads the rows of a mapping one by one, and evaluates lists and values of each in memory.
final class ListReader {
  /// What became of the rows of a batch.
  struct Batch {
    /// The last key that is completed.
    var lastKey: Int64?
    var read = 0
    var filtered = 0
    var isAtEnd = false
  }

  private let mapping: String
  private let rows: FilteredReader
  private let related: RelatedObjectCursors
  private let context: EvaluationContext
  private let filter: CompiledPredicate?
  private let lists: [CompiledList]
  private let values: [CompiledExpression]

  /// - Parameters:
  ///   - mapping: its name, for messages.
  ///   - lists: in the order of their numbers.
  ///   - values: in the order of their numbers.
  ///   - rowsOfRange: how many rows of the table are scanned at a time.
  init(
    of mapping: String, _ read: ReadRows, filter: BoundPredicate?, lists: [BoundList] = [],
    values: [BoundExpression] = [], step: StepRun, rowsOfRange: Int
  ) throws {
    self.mapping = mapping
    let lookups = lists.flatMap(\.lookups) + values.flatMap(\.lookups) + (filter?.lookups ?? [])
    let tables = read.lookupTables()
    try tables.make(lookups)
    let collections = lists.flatMap(\.relatedObjects) + values.flatMap(\.relatedObjects)
    let links = try LinkTables(
      for: (filter?.relatedObjects ?? []) + collections, layout: read.layout, schema: read.schema,
      connection: read.connection)
    let rows = try FilteredReader(
      read, filter: filter, step: step.plan, rowsOfRange: rowsOfRange, links: links
    ) { remaining in
      SourceCells(
        decoded: (remaining?.keyPaths ?? []) + lists.flatMap(\.keyPaths)
          + values.flatMap(\.keyPaths))
    }
    self.rows = rows
    related = try RelatedObjectCursors(
      (rows.filter?.relatedObjects ?? []) + collections, model: read.model, layout: read.layout,
      schema: read.schema, links: links, connection: read.connection)
    var context = EvaluationContext(now: step.plan.now)
    context.relatedObjects = related
    context.lookUp = { try tables.result(of: $0, beside: $1) }
    self.context = context
    // Everything is compiled in the order in which the collections are listed.
    var next = 0
    func numbered(_ related: RelatedObjects) -> Int {
      defer { next += 1 }
      return next
    }
    self.filter = try rows.filter.map {
      try CompiledPredicate($0, slot: { rows.slot($0) }, collection: numbered)
    }
    self.lists = try lists.map {
      try CompiledList($0, slot: { rows.slot($0) }, collection: numbered)
    }
    self.values = try values.map {
      try CompiledExpression($0, slot: { rows.slot($0) }, collection: numbered)
    }
  }

  /// Starts after a key.
  func start(after key: Int64) throws { try rows.start(after: key) }

  /// Ends the reads of the statements.
  func stop() {
    rows.stop()
    related.stop()
  }

  /// Reads rows until a limit is reached or the run should stop.
  ///
  /// - Parameter body: is called for each row that passes the filter.
  /// - Throws: an error that names the object for which an evaluation failed.
  func runBatch(
    rows limit: Int, shouldStop: () -> Bool, _ body: (SourceObject) throws -> Void
  ) throws -> Batch {
    var object = rows.makeObject()
    var batch = Batch()
    var lastKey: Int64?
    var isRangeDone = false
    try rows.beginBatch()
    var question = StopQuestion(everyRows: 256)
    while batch.read < limit {
      if question.isDue(), shouldStop() { break }
      guard try rows.next(into: &object) != nil else {
        isRangeDone = true
        break
      }
      lastKey = object.key
      batch.read += 1
      do {
        guard try filter?.evaluate(object, in: context) ?? true else {
          batch.filtered += 1
          continue
        }
        try body(object)
      } catch {
        let failure = RowFailure(
          hook: nil, mapping: mapping, entity: object.shape.entityName, key: object.key,
          underlying: error)
        throw failure.isOfObject ? failure : error
      }
    }
    let end = try rows.endBatch(lastKey: lastKey, count: batch.read, isRangeDone: isRangeDone)
    batch.lastKey = end.lastKey
    batch.read += end.filtered
    batch.filtered += end.filtered
    batch.isAtEnd = rows.isAtEnd
    return batch
  }

  /// Passes the elements of a list, and what each is sorted by.
  func forEachElement(
    ofList number: Int, of object: SourceObject, _ body: (Value, [Value]) throws -> Void
  ) throws {
    try lists[number].forEach(of: object, in: context, body)
  }

  func value(_ number: Int, of object: SourceObject) throws -> Value {
    try values[number].evaluate(object, in: context)
  }
}
