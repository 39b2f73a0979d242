internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Carries the objects of one entity mapping over one by one: read, filter, policy, map, write.
final class RowLane {
  private let sweep: Sweep
  private let policy: (any MigrationPolicy)?
  private let context: MigrationContext
  private let objects: FilteredReader
  private let reader: SourceReader
  private let relatedObjects: RelatedObjectCursors
  private let mapper: RowMapper
  private var way: Way

  /// What becomes of an object that the filter lets through.
  private enum Way {
    /// The mapping makes one destination object.
    case mapped(any RowSink)
    /// A policy decides.
    case made(any MigrationPolicy)
    /// It is left behind.
    case removed
  }

  /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT` as they are at the beginning of each row.
  private var cells: [Value]
  /// The positions in ``cells`` that may hold very many bytes.
  private let bytesColumns: [Int]
  /// The last key that was read.
  private var previousKey = Int64.min
  /// Where each cell that changes comes from, resolved once.
  private let sources: [CellSource]

  private struct CellSource {
    enum Origin {
      case attribute(Int)
      case extra(Int)
    }

    var position: Int
    var origin: Origin
    /// The attribute's name when the object must have a value here.
    var requiredName: String?
  }

  /// - Parameter rowsOfRange: how many rows of the table are looked through at once, where SQL
  ///   answers a part of the filter.
  init(
    sweep: Sweep, step: StepRun, context: MigrationContext, policy: (any MigrationPolicy)?,
    rowsOfRange: Int, source: Connection
  ) throws {
    self.sweep = sweep
    self.context = context
    self.policy = policy
    let job = sweep.job
    let extras = sweep.columns.compactMap { column -> String? in
      if case .sql(let sql) = column.cell { sql } else { nil }
    }
    let tables = LookupTables(
      connection: source, model: step.plan.source, layout: step.plan.sourceLayout, schema: "")
    try tables.make(job.bound.lookups)
    let objects = try FilteredReader(
      job: job, step: step.plan, functions: step.policies.functions,
      readsEverything: policy != nil, extras: extras, rowsOfRange: rowsOfRange, source: source)
    self.objects = objects
    let reader = objects.reader
    self.reader = reader
    let functions = policy?.functions ?? [:]
    var evaluation = EvaluationContext(now: step.plan.now) { selector, arguments in
      guard let function = functions[selector] else {
        throw PolicyMistake("the policy has no function “\(selector)”")
      }
      return try function(arguments)
    }
    relatedObjects = try RelatedObjectCursors(
      RowMapper.relatedObjects(of: job.bound, filter: objects.filter), model: step.plan.source,
      layout: step.plan.sourceLayout, links: objects.links, connection: source)
    evaluation.relatedObjects = relatedObjects
    evaluation.lookUp = { try tables.result(of: $0, beside: $1) }
    mapper = try RowMapper(
      bound: job.bound, filter: objects.filter, context: evaluation,
      externalFolder: step.source.externalFolder, nilled: context.nilled,
      slot: { reader.slot($0) })
    context.mapper = mapper
    cells = sweep.columns.map { if case .constant(let value) = $0.cell { value } else { .null } }
    let bytesColumns = sweep.columns.indices.filter { position in
      let column = sweep.columns[position]
      guard column.attribute?.type.holdsBytes == true else { return false }
      if case .constant = column.cell { return false }
      return true
    }
    self.bytesColumns = bytesColumns
    sources = Self.sources(sweep, firstExtra: reader.extraCells.lowerBound)
    if let policy, job.isMadeByPolicy {
      way = .made(policy)
    } else if let destination = job.destination {
      way = .mapped(
        try SQLRowSink(
          connection: context.store.connection, table: destination.tableName,
          fixed: [("Z_ENT", Int64(destination.number)), ("Z_OPT", 1)],
          columns: sweep.columns.map(\.name), bytesColumns: bytesColumns))
    } else {
      way = .removed
    }
  }

  private static func sources(_ sweep: Sweep, firstExtra: Int) -> [CellSource] {
    var nextExtra = firstExtra
    var sources: [CellSource] = []
    for (position, column) in sweep.columns.enumerated() {
      switch column.cell {
      case .constant: break
      case .attribute(let index):
        sources.append(
          CellSource(
            position: position, origin: .attribute(index),
            requiredName: column.isRequired ? column.attribute?.name : nil))
      case .sql:
        sources.append(CellSource(position: position, origin: .extra(nextExtra)))
        nextExtra += 1
      }
    }
    return sources
  }

  /// Begins after a source key.
  func start(after key: Int64) throws {
    previousKey = key
    try objects.start(after: key)
  }

  /// Gives the read of the source back.
  func stop() {
    objects.stop()
    relatedObjects.stop()
  }

  /// Carries objects over until a bound of the batch is reached, or until the run should stop: a
  /// slow policy must not keep a cancelled run waiting for the rest of its batch.
  ///
  /// - Returns: the last key that is done, the number of objects, and whether the source is at its
  ///   end.
  func runBatch(
    rows: Int, bytes: Int, shouldStop: () -> Bool
  ) throws -> (lastKey: Int64?, count: Int, isAtEnd: Bool) {
    var object = reader.makeObject()
    var tally = Tally()
    var lastKey: Int64?
    var batchBytes = 0
    var isRangeDone = false
    if case .made = way, let policy = try context.policyOfBatch() { way = .made(policy) }
    try objects.beginBatch()
    while tally.read < rows, batchBytes < bytes {
      if tally.read & 0xFF == 0xFF, shouldStop() { break }
      guard let rowBytes = try objects.next(into: &object) else {
        isRangeDone = true
        break
      }
      // A damaged table could lead in circles.
      guard object.key > previousKey else { throw outOfOrder(object.key) }
      previousKey = object.key
      lastKey = object.key
      batchBytes += rowBytes
      if context.step.quarantine.isOpen { context.nilled.beginObject() }
      do {
        try carryOver(object, &tally)
      } catch {
        let failure = RowFailure(
          hook: isMadeByPolicy ? .createDestinationInstances : nil, mapping: sweep.job.name,
          entity: object.shape.entityName, key: object.key, underlying: error)
        guard failure.isOfObject else { throw error }
        guard context.step.quarantine.isOpen, !isMadeByPolicy else { throw failure }
        try context.step.quarantine.add(
          failure.diagnostic, entity: failure.entity, key: object.key,
          mapping: failure.mapping, to: context.store.connection)
        context.nilled.takeBackObject()
        tally.quarantined += 1
      }
    }
    if case .mapped(let sink) = way {
      try sink.flush()
      if tally.migrated > 0 {
        context.account.count(made: sweep.job.destination?.name ?? "", Int64(tally.migrated))
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
      .damaged, path: context.step.source.path,
      detail: "the keys of \(sweep.job.source?.tableName ?? "") are out of order: "
        + "\(key) comes after \(previousKey)")
  }

  /// What a policy did for an object before it failed could not be taken back.
  private var isMadeByPolicy: Bool {
    if case .made = way { true } else { false }
  }

  private func carryOver(_ object: SourceObject, _ tally: inout Tally) throws {
    tally.read += 1
    guard try mapper.accepts(object) else {
      tally.filtered += 1
      return
    }
    switch way {
    case .mapped(let sink):
      try map(object)
      try sink.append(key: object.key &+ sweep.job.keyOffset, cells: cells)
      // The object alone keeps them now.
      for position in bytesColumns { cells[position] = .null }
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
  }

  /// Computes the cells of the destination row into ``cells``.
  private func map(_ object: SourceObject) throws {
    for source in sources {
      let value =
        switch source.origin {
        case .attribute(let index): try mapper.value(index, of: object)
        case .extra(let column): reader.extra(column)
        }
      if let name = source.requiredName, value.isNull {
        // A policy may set it later.
        if policy == nil, context.step.quarantine.isOpen { throw MissingRequired(attribute: name) }
        context.missing.note(entity: sweep.job.destination?.name ?? "", attribute: name)
      }
      cells[source.position] = value
    }
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

  /// Counts a source object that a policy has dealt with.
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
