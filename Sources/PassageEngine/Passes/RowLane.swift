internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Migrates the objects of one entity mapping one by one: read, filter, policy, map, write.
///
/// It is specialised for its source and its sink, because they are called for every object.
final class RowLane<Source: RowSource, Sink: RowSink> {
  private let mappingPlan: MappingPlan
  private let policy: (any MigrationPolicy)?
  private let step: StepRun
  private let context: MigrationContext
  private let objects: Source
  private let relatedObjects: RelatedObjectCursors
  private let mapper: RowMapper
  private var way: Way
  /// The objects that become part of others; `nil` when none do.
  private var merged: MergedAwayKeys?
  /// The key of the object read last.
  private var previousKey = Int64.min

  /// What is done with an object that passes the filter.
  private enum Way {
    /// The mapping makes one destination object.
    case mapped(RowProgram, Sink)
    /// A policy decides.
    case made(any MigrationPolicy)
    /// The object is left behind.
    case removed
  }

  /// How a lane reaches the rows of source and destination.
  struct Doors {
    /// Opens the source for a mapping. The last argument returns what is read of each object, given
    /// the part of the filter that is evaluated in memory.
    let source: (LinkTables, (BoundPredicate?) -> SourceCells) throws -> Source
    /// Opens the destination table for the columns of a program.
    let sink: ([String]) throws -> Sink
  }

  /// - Parameters:
  ///   - read: what is read, for look-ups and related objects.
  init(
    _ program: ColumnProgram, step: StepRun, context: MigrationContext,
    policy: (any MigrationPolicy)?, reading read: ReadRows, doors: Doors
  ) throws {
    self.step = step
    self.context = context
    self.policy = policy
    mappingPlan = program.mapping
    merged = try MergedAway(of: mappingPlan)?.keys(context.inPass().store.connection)
    let bound = mappingPlan.bound
    let tables = read.lookupTables()
    try tables.make(bound.lookups)
    let links = try LinkTables(
      for: bound.relatedObjects, layout: read.layout, schema: read.schema,
      connection: read.connection)
    // A policy may ask for the value of any attribute. Without one, copied cells are never decoded.
    let positions = policy == nil ? program.computed : Set(bound.attributes.indices)
    let objects = try doors.source(links) { filter in
      SourceCells(
        decoded: RowMapper.keyPaths(of: bound, positions: positions, filter: filter),
        copied: program.copied, columns: program.linkColumns, readsEverything: policy != nil)
    }
    self.objects = objects
    var evaluation = EvaluationContext(now: step.plan.now, functions: policy?.functions ?? [:])
    relatedObjects = try RelatedObjectCursors(
      RowMapper.relatedObjects(of: bound, positions: positions, filter: objects.filter),
      model: read.model, layout: read.layout, schema: read.schema, links: links,
      connection: read.connection)
    evaluation.relatedObjects = relatedObjects
    evaluation.lookUp = { try tables.result(of: $0, beside: $1) }
    mapper = try RowMapper(
      bound: bound, positions: positions, filter: objects.filter, context: evaluation,
      externalFolder: step.source.externalFolder, nilled: context.nilled,
      shape: objects.shape)
    context.mapper = mapper
    if let policy, mappingPlan.isMadeByPolicy {
      way = .made(policy)
    } else if mappingPlan.destination != nil {
      let row = RowProgram(program, source: objects)
      way = .mapped(row, try doors.sink(row.columns))
    } else {
      way = .removed
    }
  }

  /// Starts after a source key.
  func start(after key: Int64) throws {
    previousKey = key
    try objects.start(after: key)
  }

  /// Ends the read of the source.
  func stop() {
    objects.stop()
    relatedObjects.stop()
  }

  /// Migrates objects until a limit of the batch is reached or the run should stop: a slow policy
  /// must not delay cancellation until the end of its batch.
  ///
  /// - Returns: the last completed key, the number of objects, and whether the source is at its
  ///   end.
  func runBatch(
    rows: Int, bytes: Int, shouldStop: () -> Bool
  ) throws -> (lastKey: Int64?, count: Int, isAtEnd: Bool) {
    var object = objects.makeObject()
    var tally = Tally()
    var lastKey: Int64?
    var batchBytes = 0
    var isRangeDone = false
    if case .made = way, let policy = try context.policyOfBatch() { way = .made(policy) }
    try objects.beginBatch()
    let isQuarantining = step.quarantine.isOpen
    var question = StopQuestion(everyRows: 16)
    while tally.read < rows, batchBytes < bytes {
      if question.isDue(), shouldStop() { break }
      guard let rowBytes = try objects.next(into: &object) else {
        isRangeDone = true
        break
      }
      // A damaged table could cause an endless loop.
      guard object.key > previousKey else { throw outOfOrder(object.key) }
      previousKey = object.key
      lastKey = object.key
      batchBytes += rowBytes
      if isQuarantining { context.nilled.beginObject() }
      do {
        batchBytes += try carryOver(object, &tally)
      } catch {
        let failure = RowFailure(
          hook: isMadeByPolicy ? .createDestinationInstances : nil, mapping: mappingPlan.name,
          entity: object.shape.entityName, key: object.key, underlying: error)
        guard failure.isOfObject else { throw error }
        // What other objects became part of cannot be left out.
        guard isQuarantining, mappingPlan.isTraceable else { throw failure }
        try step.quarantine.add(
          failure.diagnostic, entity: failure.entity, key: object.key,
          mapping: failure.mapping, to: context.inPass().store.journal)
        context.nilled.rollBackObject()
        tally.quarantined += 1
      }
    }
    if case .mapped(_, let sink) = way {
      try sink.mark()
      if tally.migrated > 0 {
        context.account.count(made: mappingPlan.destination?.name ?? "", Int64(tally.migrated))
      }
    }
    let end = try objects.endBatch(lastKey: lastKey, count: tally.read, isRangeDone: isRangeDone)
    tally.read += end.filtered
    tally.filtered += end.filtered
    context.account.add(tally)
    return (end.lastKey, tally.read, objects.isAtEnd)
  }

  private func outOfOrder(_ key: Int64) -> StoreError {
    StoreError(
      .damaged, path: step.source.path,
      detail: "the keys of \(mappingPlan.source?.tableName ?? "") are out of order: "
        + "\(key) comes after \(previousKey)")
  }

  /// Whether a policy makes the objects. What it did for an object before it failed cannot be
  /// rolled back.
  private var isMadeByPolicy: Bool {
    if case .made = way { true } else { false }
  }

  /// - Returns: the bytes that were copied without being decoded.
  private func carryOver(_ object: SourceObject, _ tally: inout Tally) throws -> Int {
    tally.read += 1
    if try merged?.contains(object.key) == true {
      tally.merged += 1
      return 0
    }
    guard try mapper.accepts(object) else {
      tally.filtered += 1
      return 0
    }
    var byteCount = 0
    switch way {
    case .mapped(let program, let sink):
      try sink.append(key: object.key &+ mappingPlan.keyOffset) { batch in
        let before = batch.byteCount
        try program.fill(&batch, from: object, objects, mapper, missing: noteMissing)
        byteCount = batch.byteCount - before
      }
      tally.migrated += 1
    case .made(let policy):
      context.begin(object.key)
      defer { context.end() }
      try policy.createDestinationInstances(for: object, in: context)
      try context.checkNeeds()
      tally.count(context.outcome)
    case .removed:
      tally.removed += 1
    }
    return byteCount
  }

  private func noteMissing(_ attribute: String) throws {
    // A policy may set the attribute later.
    if policy == nil, step.quarantine.isOpen, mappingPlan.isTraceable {
      throw MissingRequired(attribute: attribute)
    }
    context.missing.note(entity: mappingPlan.destination?.name ?? "", attribute: attribute)
  }
}

/// What became of the objects of one batch.
struct Tally {
  var read = 0
  var filtered = 0
  var migrated = 0
  var split = 0
  var merged = 0
  var removed = 0
  var quarantined = 0

  /// Counts a source object that a policy has handled.
  mutating func count(_ outcome: MigrationContext.Outcome) {
    if outcome.made > 0 {
      migrated += 1
      split += outcome.made - 1
    } else if outcome.merged > 0 {
      merged += 1
    } else {
      removed += 1
    }
  }
}

extension MappingAccount {
  mutating func add(_ tally: Tally) {
    read += Int64(tally.read)
    filtered += Int64(tally.filtered)
    migrated += Int64(tally.migrated)
    split += Int64(tally.split)
    merged += Int64(tally.merged)
    removed += Int64(tally.removed)
    quarantined += Int64(tally.quarantined)
  }
}
