internal import PassageMappings
internal import PassagePages
internal import PassageStores
internal import PassageValues

/// One entity mapping whose objects are made page by page: what its program counts, and the rows
/// about which the engine decides.
final class PageMapping {
  let work: MappingRun
  let making: PageMaking
  private let step: StepRun
  private let maker: PageMaker
  private var quarantinedCount = 0

  /// - Throws: ``PagesUnsuitable`` when the columns of the tables are not those of the program.
  init(
    _ work: MappingRun, _ columns: ColumnProgram, entity: EntityLayout, from source: PageTable,
    to table: PageTable, step: StepRun
  ) throws {
    self.work = work
    self.step = step
    making = try PageMaking(
      columns, entity: entity, from: source, to: table, step: step.basis,
      isChecked: step.quarantine.isOpen)
    maker = try PageMaker(making, work.policy, work.context)
  }

  var program: PageProgram { making.program }

  /// Called before each batch of rows.
  func beginBatch() throws { try maker.beginBatch() }

  /// Called after the last row.
  func end() { maker.end() }

  // MARK: Rows

  /// Decides about the current row, and about those that follow it without one of another program
  /// between them, and appends their objects. An object that is the cause of an error is quarantined,
  /// if that is allowed.
  ///
  /// - Returns: why the copier stopped then.
  func decideRows(ofProgram index: Int, _ copier: RowCopier) throws -> RowCopier.Stop {
    try maker.decideRows(ofProgram: index, copier) { try handle($0, key: $1) }
  }

  private func handle(_ error: any Error, key: Int64) throws {
    let failure = RowFailure(
      hook: making.made == nil ? nil : .createDestinationInstances, mapping: work.mappingPlan.name,
      entity: making.shape.entityName, key: key, underlying: error)
    guard failure.isOfObject else { throw error }
    guard step.quarantine.isOpen, making.made == nil else { throw failure }
    try step.quarantine.add(
      failure.diagnostic, entity: failure.entity, key: key, mapping: failure.mapping,
      to: work.context.inPass().store.journal)
    maker.nilled.rollBackObject()
    quarantinedCount += 1
  }

  // MARK: Counts

  /// Adds what the rows since the last call have given to the mapping's account.
  ///
  /// - Parameter index: the position of its program.
  /// - Returns: the number of objects read.
  func count(_ copier: RowCopier, program index: Int) -> Int64 {
    let read = copier.takeReadCount(ofProgram: index)
    let copied = copier.takeMadeCount(ofProgram: index)
    var counts = maker.takeCounts()
    counts.tally.read = Int(read)
    work.context.account.foreignNumbers += copier.takeForeignCount()
    counts.tally.filtered += Int(copier.takeRejectedCount(ofProgram: index))
    counts.tally.migrated += Int(copied)
    counts.tally.quarantined = quarantinedCount
    quarantinedCount = 0
    counts.made += copied
    for item in program.counted {
      let count = copier.takeNullCount(ofProgram: index, cell: item.cell)
      if count.nulls > 0, item.isRequired { note(missing: item.attribute) }
      if count.lost > 0 { counts.becameNil[item.attribute, default: 0] += count.lost }
    }
    for item in program.found {
      let count = copier.takeNullCount(ofProgram: index, cell: item.cell)
      work.foundLinks[item.column, default: LinkCount()].unmatched += count.lost
      work.foundLinks[item.column, default: LinkCount()].dangling +=
        copier.takeDanglingCount(ofProgram: index, cell: item.cell)
    }
    for item in program.moved {
      // A key becomes empty where it is larger than that of every object, or is of no entity whose objects are
      // migrated. Links that were not counted from the beginning of the sweep have no count.
      let count = copier.takeNullCount(ofProgram: index, cell: item.cell)
      work.foundLinks[item.column]?.unmatched += count.lost
      work.foundLinks[item.column]?.dangling += count.lost
    }
    add(counts)
    return read
  }

  /// Adds what was made to the mapping's account.
  func add(_ counts: MadeCounts) {
    work.context.account.becameNil.merge(counts.becameNil, uniquingKeysWith: +)
    for suspect in counts.missing {
      work.context.missing.note(entity: suspect.entity, attribute: suspect.attribute)
    }
    if counts.made > 0 {
      work.context.account.count(
        made: work.mappingPlan.destination?.name ?? "", counts.made)
    }
    work.context.account.add(counts.tally)
  }

  private func note(missing attribute: String) {
    work.context.missing.note(
      entity: work.mappingPlan.destination?.name ?? "", attribute: attribute)
  }
}
