internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Carries the objects of one entity mapping over one by one: read, filter, policy, map, write.
final class RowLane {
  private let step: StepRun
  private let sweep: Sweep
  private let worker: PolicyWorker
  private let policy: (any MigrationPolicy)?
  private let context: MigrationContext
  private let reader: SourceReader
  private let mapper: RowMapper
  private let writer: SQLTableWriter?

  private var object: SourceObject
  private var cells: [Value]
  /// Where each cell of a row comes from, resolved once.
  private let sources: [CellSource]

  private enum CellSource {
    case constant
    case attribute(Int, requiredName: String?)
    case extra(Int)
  }

  init(
    sweep: Sweep, step: StepRun, worker: PolicyWorker, policy: (any MigrationPolicy)?,
    source: Connection
  ) throws {
    self.sweep = sweep
    self.step = step
    self.worker = worker
    self.policy = policy
    let job = sweep.job
    context = MigrationContext(mapping: PolicyMapping(job.bound.mapping), worker: worker)
    let makesByHand = policy != nil && job.isMadeByPolicy
    let extras = sweep.columns.compactMap { column -> String? in
      if case .sql(let sql) = column.cell { sql } else { nil }
    }
    let reader = try SourceReader(
      job: job, model: step.source, layout: step.sourceLayout,
      keyPaths: RowMapper.keyPaths(of: job.bound), readsEverything: policy != nil, extras: extras,
      connection: source)
    self.reader = reader
    let functions = policy?.functions ?? [:]
    mapper = try RowMapper(
      bound: job.bound,
      context: EvaluationContext(now: step.now) { selector, arguments in
        guard let function = functions[selector] else {
          throw PolicyMistake("the policy has no function “\(selector)”")
        }
        return try function(arguments)
      }, slot: { reader.slot($0) })
    worker.mapper = mapper
    var nextExtra = reader.extraCells.lowerBound
    sources = sweep.columns.map { column in
      switch column.cell {
      case .constant: return .constant
      case .attribute(let index):
        return .attribute(index, requiredName: column.isRequired ? column.attribute?.name : nil)
      case .sql:
        defer { nextExtra += 1 }
        return .extra(nextExtra)
      }
    }
    object = reader.makeObject()
    cells = [.integer(Int64(job.destination?.number ?? 0)), .integer(1)]
    for column in sweep.columns {
      if case .constant(let value) = column.cell {
        cells.append(value)
      } else {
        cells.append(.null)
      }
    }
    if let destination = job.destination, !makesByHand {
      writer = try SQLTableWriter(
        connection: worker.store.connection, table: destination.tableName,
        columns: ["Z_ENT", "Z_OPT"] + sweep.columns.map(\.name))
    } else {
      writer = nil
    }
  }

  /// Begins after a source key.
  func start(after key: Int64) throws { try reader.start(after: key) }

  /// Gives the read of the source back.
  func stop() { reader.stop() }

  /// Carries objects over until a bound of the batch is reached, or until the run should stop: a
  /// slow policy must not keep a cancelled run waiting for the rest of its batch.
  ///
  /// - Returns: the last key read, the number of objects, and whether the source is at its end.
  func runBatch(
    rows: Int, bytes: Int, shouldStop: () -> Bool
  ) throws -> (lastKey: Int64?, count: Int, isAtEnd: Bool) {
    var lastKey: Int64?
    var count = 0
    var batchBytes = 0
    while count < rows, batchBytes < bytes {
      if count & 0xFF == 0xFF, shouldStop() { break }
      guard try reader.next(into: &object) else { return (lastKey, count, true) }
      lastKey = object.key
      count += 1
      batchBytes += reader.rowByteCount
      do {
        try carryOver()
      } catch {
        throw RowFailure(
          hook: policy == nil ? nil : .createDestinationInstances, mapping: sweep.job.name,
          entity: object.shape.entityName, key: object.key, underlying: error)
      }
    }
    return (lastKey, count, false)
  }

  private func carryOver() throws {
    worker.account.read += 1
    guard try mapper.accepts(object) else {
      worker.account.filtered += 1
      return
    }
    if let writer {
      try map()
      try writer.append(key: object.key &+ sweep.job.keyOffset, cells: cells)
      worker.account.migrated += 1
      worker.account.count(made: sweep.job.destination?.name ?? "")
    } else if let policy, sweep.job.isMadeByPolicy {
      worker.outcome = PolicyWorker.Outcome()
      worker.currentSource = object.key
      defer { worker.currentSource = nil }
      try policy.createDestinationInstances(for: object, in: context)
      if worker.outcome.made > 0 {
        worker.account.migrated += 1
        worker.account.split += Int64(worker.outcome.made - 1)
      } else if worker.outcome.merged > 0 {
        worker.account.merged += 1
      } else {
        worker.account.removed += 1
      }
    } else {
      worker.account.removed += 1
    }
  }

  /// Computes the cells of the destination row into ``cells``.
  private func map() throws {
    for (index, source) in sources.enumerated() {
      switch source {
      case .constant:
        break
      case .attribute(let position, let requiredName):
        let value = try mapper.value(position, of: object)
        if let requiredName, value.isNull {
          worker.missing.note(entity: sweep.job.destination?.name ?? "", attribute: requiredName)
        }
        cells[index + 2] = value
      case .extra(let position):
        cells[index + 2] = reader.extra(position)
      }
    }
  }
}

/// What went wrong with one object.
struct RowFailure: Error {
  /// The hook that threw; `nil` when no policy was asked.
  var hook: MigrationHook?
  var mapping: String
  var entity: String
  /// The object's key; `nil` for a hook that is called once for each mapping.
  var key: Int64?
  var underlying: any Error
}
