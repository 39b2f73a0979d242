internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
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
  private let policy: PagePolicy?
  /// The current row where a policy makes the objects: it may keep it.
  private var snapshot: RowSnapshot?
  private let hasFilter: Bool
  private let isQuarantineOpen: Bool
  /// By position among the object's values, the column.
  private let columns: [Int]
  /// The positions that are read of a row whose filter and whose rare cells are decided already.
  private let usualPositions: [Int]
  private let shape: ObjectShape
  private var object: SourceObject
  private var tally = Tally()
  /// The objects that the policy has made at their source objects' keys, since the last count.
  private var ownCount: Int64 = 0

  /// - Throws: ``PagesUnsuitable`` when the columns of the tables are not those of the program.
  init(
    _ work: MappingRun, _ columns: ColumnProgram, entity: EntityLayout, from source: PageTable,
    to table: PageTable, step: StepRun
  ) throws {
    self.work = work
    self.step = step
    let bound = work.mappingPlan.bound
    let filter = bound.filter?.safestFirst
    hasFilter = filter != nil
    isQuarantineOpen = step.quarantine.isOpen
    let paths: [ResolvedKeyPath]
    let positions: Set<Int>
    let madeByPolicy = try Self.madeByPolicy(work, columns, step)
    if madeByPolicy != nil, let own = bound.source {
      // A policy may ask for the value of any attribute.
      positions = Set(bound.attributes.indices)
      paths = Self.distinct(
        SourceReader.everyCell(of: own, in: step.plan.source)
          + RowMapper.keyPaths(of: bound, positions: positions, filter: filter))
      program = try PageProgram(
        objectsOf: columns, attributes: madeByPolicy?.attributes ?? [], entity: entity,
        from: source, to: table, now: step.plan.now,
        read: paths.map { source.position(of: $0, in: entity) }, filter: filter)
    } else {
      program = try PageProgram(
        columns, entity: entity, from: source, to: table, now: step.plan.now,
        isChecked: step.quarantine.isOpen, filter: filter)
      positions = program.positions
      paths = Self.distinct(RowMapper.keyPaths(of: bound, positions: positions, filter: filter))
    }
    self.columns = paths.map { source.position(of: $0, in: entity) }
    let usual = Set(Self.usualPaths(of: bound, program, filter: filter).map(\.name))
    usualPositions = paths.indices.filter { usual.contains(paths[$0].name) }
    let shape = ObjectShape(entityName: entity.name, names: paths.map(\.name))
    self.shape = shape
    object = SourceObject(
      shape: shape, key: 0, values: Array(repeating: .null, count: paths.count))
    let functions = work.policy?.functions ?? [:]
    mapper = try RowMapper(
      bound: bound, positions: positions, filter: filter,
      context: EvaluationContext(now: step.plan.now) { selector, arguments in
        guard let function = functions[selector] else {
          throw PolicyMistake("the policy has no function “\(selector)”")
        }
        return try function(arguments)
      }, externalFolder: step.source.externalFolder,
      nilled: work.context.nilled, slot: { shape.position(of: $0.name) ?? 0 })
    guard let (maker, attributes, made) = madeByPolicy else {
      policy = nil
      return
    }
    work.context.mapper = mapper
    snapshot = RowSnapshot(RowSnapshot.Layout(cells: self.columns, of: source.columns))
    policy = PagePolicy(
      maker, work.context, made, attributes: attributes, copy: program.copy,
      deferred: PageProgram.deferred(attributes, of: work.mappingPlan, now: step.plan.now) {
        shape.position(of: $0.name) ?? -1
      })
  }

  /// The policy that makes the objects of a mapping, the columns of their attributes, and their
  /// shape; `nil` when the mapping makes them.
  private static func madeByPolicy(
    _ work: MappingRun, _ program: ColumnProgram, _ step: StepRun
  ) throws -> (any MigrationPolicy, attributes: [ColumnProgram.Column], DestinationShape)? {
    guard work.mappingPlan.isMadeByPolicy, let policy = work.policy,
      let shape = step.shape(ofEntity: work.mappingPlan.destination?.name ?? "")
    else { return nil }
    let columns = Dictionary(
      program.columns.compactMap { column in column.attribute.map { ($0.name, column) } },
      uniquingKeysWith: { first, _ in first })
    let attributes = shape.attributes.compactMap { columns[$0.name] }
    guard attributes.count == shape.attributes.count else {
      throw PagesUnsuitable("an attribute of \(shape.entity.name) has no column")
    }
    return (policy, attributes, shape)
  }

  /// The cells that the engine reads of a row that the pages' own program has decided as far as it
  /// can.
  private static func usualPaths(
    of bound: BoundEntityMapping, _ program: PageProgram, filter: BoundPredicate?
  ) -> [ResolvedKeyPath] {
    RowMapper.keyPaths(
      of: bound, positions: Set(program.computed.filter { !$0.isRare }.map(\.position)),
      filter: program.decidesFilter ? nil : filter)
  }

  private static func distinct(_ paths: [ResolvedKeyPath]) -> [ResolvedKeyPath] {
    var known: Set<String> = []
    return paths.filter { known.insert($0.name).inserted }
  }

  /// Called before each batch of rows.
  func beginBatch() throws { try policy?.beginBatch() }

  /// Called after the last row.
  func end() { policy?.end() }

  // MARK: Rows

  /// Decides about the current row, and appends its object.
  func decide(_ copier: RowCopier) throws {
    if isQuarantineOpen { work.context.nilled.beginObject() }
    if let policy { return try decide(copier, policy) }
    object.key = copier.key
    let isPrepared = copier.isPrepared
    if isPrepared {
      for position in usualPositions {
        object.values[position] = Value(copier.cell(columns[position]))
      }
    } else {
      for (position, column) in columns.enumerated() {
        object.values[position] = Value(copier.cell(column))
      }
    }
    do {
      if hasFilter, !(isPrepared && program.decidesFilter), try !mapper.accepts(object) {
        tally.filtered += 1
        return
      }
      try fill(copier, isPrepared: isPrepared)
    } catch {
      return try handle(error)
    }
    try copier.append()
    tally.migrated += 1
  }

  /// Has the policy make the object of the current row, whose cells are decoded when they are asked
  /// for.
  private func decide(_ copier: RowCopier, _ policy: PagePolicy) throws {
    // The policy may have kept the row before.
    if !isKnownUniquelyReferenced(&snapshot) { snapshot = snapshot.map { RowSnapshot(like: $0) } }
    guard let snapshot else { return }
    copier.copyRow(to: snapshot)
    let object = SourceObject(shape: shape, key: copier.key, row: snapshot)
    do {
      if hasFilter, !(copier.isPrepared && program.decidesFilter), try !mapper.accepts(object) {
        tally.filtered += 1
      } else {
        let outcome = try policy.make(of: object, snapshot, copier)
        tally.count(outcome)
        if outcome.hasPrimary { ownCount += 1 }
      }
    } catch {
      self.object.key = copier.key
      try handle(error)
    }
  }

  private func fill(_ copier: RowCopier, isPrepared: Bool) throws {
    if !isPrepared {
      for (column, attribute) in program.required {
        if case .null = copier.cell(column) { throw MissingRequired(attribute: attribute) }
      }
    }
    for item in program.computed where !(isPrepared && item.isRare) {
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
      hook: policy == nil ? nil : .createDestinationInstances, mapping: work.mappingPlan.name,
      entity: object.shape.entityName, key: object.key,
      underlying: error)
    guard failure.isOfObject else { throw error }
    guard step.quarantine.isOpen, policy == nil else { throw failure }
    try step.quarantine.add(
      failure.diagnostic, entity: failure.entity, key: object.key, mapping: failure.mapping,
      to: work.context.inPass().store.journal)
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
    tally.filtered += Int(copier.takeRejectedCount(ofProgram: index))
    tally.migrated += Int(copier.takeMadeCount(ofProgram: index))
    for item in program.counted {
      let count = copier.takeNullCount(ofProgram: index, cell: item.cell)
      if count.nulls > 0, item.isRequired { note(missing: item.attribute) }
      if count.lost > 0 {
        work.context.account.becameNil[item.attribute, default: 0] += count.lost
      }
    }
    for item in program.found {
      let count = copier.takeNullCount(ofProgram: index, cell: item.cell)
      work.foundLinks[item.column, default: LinkCount()].unmatched += count.lost
      work.foundLinks[item.column, default: LinkCount()].dangling +=
        copier.takeDanglingCount(ofProgram: index, cell: item.cell)
    }
    work.context.account.becameNil.merge(work.context.nilled.take(), uniquingKeysWith: +)
    let made = policy == nil ? Int64(tally.migrated) : ownCount
    ownCount = 0
    if made > 0 {
      work.context.account.count(made: work.mappingPlan.destination?.name ?? "", made)
    }
    work.context.account.add(tally)
    tally = Tally()
    return read
  }
}
