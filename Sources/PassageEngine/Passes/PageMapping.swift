internal import PassageExpressions
internal import PassageMappings
internal import PassagePages
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// One entity mapping whose objects are made page by page: what its program counts, and the rows
/// about which the engine decides.
final class PageMapping {
  let work: MappingRun
  let program: PageProgram
  private let step: StepRun
  private let mapper: RowMapper
  private let hasFilter: Bool
  /// By position among the object's values, the column.
  private let columns: [Int]
  private var object: SourceObject
  private var tally = Tally()

  /// - Throws: ``PagesUnsuitable`` when the columns of the tables are not those of the program.
  init(
    _ work: MappingRun, _ columns: ColumnProgram, entity: EntityLayout, from source: PageTable,
    to table: PageTable, step: StepRun
  ) throws {
    self.work = work
    self.step = step
    let bound = work.mappingPlan.bound
    let filter = bound.filter?.safestFirst
    program = try PageProgram(
      columns, entity: entity, from: source, to: table, now: step.plan.now,
      isChecked: step.quarantine.isOpen, filter: filter)
    hasFilter = filter != nil
    var known: Set<String> = []
    let paths = RowMapper.keyPaths(of: bound, positions: program.positions, filter: filter)
      .filter { known.insert($0.name).inserted }
    let shape = ObjectShape(entityName: entity.name, names: paths.map(\.name))
    self.columns = paths.map { source.position(of: $0, in: entity) }
    object = SourceObject(
      shape: shape, key: 0, values: Array(repeating: .null, count: paths.count))
    mapper = try RowMapper(
      bound: bound, positions: program.positions, filter: filter,
      context: EvaluationContext(now: step.plan.now), externalFolder: step.source.externalFolder,
      nilled: work.context.nilled, slot: { shape.position(of: $0.name) ?? 0 })
  }

  // MARK: Rows

  /// Decides about the current row, and appends its object.
  func decide(_ copier: RowCopier) throws {
    object.key = copier.key
    for (position, column) in columns.enumerated() {
      object.values[position] = Value(copier.cell(column))
    }
    if step.quarantine.isOpen { work.context.nilled.beginObject() }
    do {
      if hasFilter, try !mapper.accepts(object) {
        tally.filtered += 1
        return
      }
      try fill(copier)
    } catch {
      return try handle(error)
    }
    try copier.append()
    tally.migrated += 1
  }

  private func fill(_ copier: RowCopier) throws {
    for (column, attribute) in program.required {
      if case .null = copier.cell(column) { throw MissingRequired(attribute: attribute) }
    }
    for item in program.computed {
      let value = try mapper.value(item.position, of: object)
      if value.isNull, let name = item.requiredName {
        if step.quarantine.isOpen { throw MissingRequired(attribute: name) }
        note(missing: name)
      }
      try copier.set(item.cell, to: value)
    }
  }

  /// Quarantines the current object, if it is the cause of an error and that is allowed.
  private func handle(_ error: any Error) throws {
    let failure = RowFailure(
      mapping: work.mappingPlan.name, entity: object.shape.entityName, key: object.key,
      underlying: error)
    guard failure.isOfObject else { throw error }
    guard step.quarantine.isOpen else { throw failure }
    try step.quarantine.add(
      failure.diagnostic, entity: failure.entity, key: object.key, mapping: failure.mapping,
      to: work.context.store.journal)
    work.context.nilled.rollBackObject()
    tally.quarantined += 1
  }

  private func note(missing attribute: String) {
    work.context.missing.note(
      entity: work.mappingPlan.destination?.name ?? "", attribute: attribute)
  }

  // MARK: Counts

  /// Adds what the rows since the last call have given to the mapping's account.
  ///
  /// - Parameter index: the position of its program.
  /// - Returns: the number of objects read.
  func count(_ copier: RowCopier, program index: Int) -> Int64 {
    let read = copier.takeReadCount(ofProgram: index)
    tally.read = Int(read)
    if !program.copy.isDecidedByCaller { tally.migrated = Int(read) }
    for item in program.counted {
      let count = copier.takeNullCount(ofProgram: index, cell: item.cell)
      if count.nulls > 0, item.isRequired { note(missing: item.attribute) }
      if count.lost > 0 {
        work.context.account.becameNil[item.attribute, default: 0] += count.lost
      }
    }
    work.context.account.becameNil.merge(work.context.nilled.take(), uniquingKeysWith: +)
    if tally.migrated > 0 {
      work.context.account.count(
        made: work.mappingPlan.destination?.name ?? "", Int64(tally.migrated))
    }
    work.context.account.add(tally)
    tally = Tally()
    return read
  }
}
