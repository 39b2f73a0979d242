internal import PassageMappings
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The phases after all objects are made.
extension PassRun {
  // MARK: Relate

  func relate(_ work: MappingRun) throws {
    guard work.progress.phase == .relate else { return }
    let context = work.context
    var others: () throws -> Void = {}
    if let policy = work.policy, work.mappingPlan.isRelatedByPolicy {
      control.update(isMilestone: true) {
        $0.phase = .relate
        $0.mappingName = work.mappingPlan.name
      }
      var instance = policy
      let relate = { (object: DestinationObject) in
        do {
          context.currentDestination = object.reference
          defer { context.currentDestination = nil }
          try instance.createRelationships(for: object, in: context)
          try context.checkNeeds()
        } catch {
          let failure = RowFailure(
            hook: .createRelationships, mapping: work.mappingPlan.name, entity: object.entityName,
            key: object.key, underlying: error)
          throw failure.isOfObject ? failure : error
        }
      }
      try relateFirst(work, relate) { instance = try context.policyOfBatch() ?? instance }
      others = { try self.relateOthers(work, relate) }
    }
    try batch(work, nextPhase: .validate, cursor: .min) {
      try others()
      try call(.endRelationshipCreation, work) { try $0.endRelationshipCreation(in: context) }
      return 0
    }
  }

  /// Calls `body` for every destination object that has its source object's key plus the offset,
  /// and `beginBatch` before each batch.
  private func relateFirst(
    _ work: MappingRun, _ body: (DestinationObject) throws -> Void,
    beginBatch: () throws -> Void
  ) throws {
    guard let destination = work.mappingPlan.destination, let source = work.mappingPlan.source,
      let range = work.mappingPlan.keyRange
    else { return }
    let writer = try work.context.inPass().objects.writer(ofEntity: destination.name)
    let sharesKeys = step.plan.mappingPlans.contains {
      $0.index != work.mappingPlan.index && $0.destination?.name == destination.name
        && $0.keyOffset == work.mappingPlan.keyOffset && $0.source?.tableName == source.tableName
    }
    let numberOf =
      try sharesKeys && !source.isAlone
      ? lookup.source().prepare(
        "SELECT Z_ENT FROM \(source.tableName.quotedIdentifier) WHERE Z_PK = ?") : nil
    // The cursor is the last completed key, or `.min` before the first.
    while work.progress.cursor < range.upperBound {
      let first = max(
        range.lowerBound, work.progress.cursor == .min ? .min : work.progress.cursor + 1)
      try batch(work, cursor: nil) {
        let clock = BatchClock()
        var count = 0
        try beginBatch()
        do {
          try writer.forEach(in: first...range.upperBound) { object in
            work.progress.cursor = object.key
            count += 1
            if try Self.isOf(object, work.mappingPlan, numberOf) { try body(object) }
            if count == limits.rows || clock.isOver || control.shouldStop { throw BatchIsFull() }
          }
          work.progress.cursor = range.upperBound
        } catch is BatchIsFull {
          // The next batch continues after this object.
        }
        return 0
      }
    }
  }

  /// Calls `body` for every other destination object of the mapping: those that associations name.
  private func relateOthers(
    _ work: MappingRun, _ body: (DestinationObject) throws -> Void
  ) throws {
    let others = try store.connection.prepare(
      "SELECT DISTINCT entity, destination FROM \(Journal.Table.association.name) "
        + "WHERE mapping = ? "
        + "ORDER BY entity, destination")
    try others.bind(Int64(work.mappingPlan.index), at: 1)
    while try others.step() {
      guard let entity = step.plan.destinationLayout.entity(numbered: others.integer(at: 0)),
        let object = try work.context.inPass().objects.read(
          ObjectReference(entityName: entity.name, key: others.integer(at: 1)))
      else { continue }
      try body(object)
    }
  }

  /// Whether an object was made from a source object of the mapping's own entity, where several
  /// mappings share the keys of one source table.
  private static func isOf(
    _ object: DestinationObject, _ mappingPlan: MappingPlan, _ numberOf: Statement?
  ) throws -> Bool {
    guard let numberOf else { return true }
    try numberOf.bind(object.key &- mappingPlan.keyOffset, at: 1)
    defer { numberOf.reset() }
    return try numberOf.step() && numberOf.integer(at: 0) == Int64(mappingPlan.source?.number ?? -1)
  }

  // MARK: Validate

  func validate(_ work: MappingRun) throws {
    let context = work.context
    if work.policy != nil {
      control.update(isMilestone: true) {
        $0.phase = .validate
        $0.mappingName = work.mappingPlan.name
      }
    }
    if work.progress.phase == .validate {
      try batch(work, nextPhase: .end, cursor: nil) {
        try call(.performCustomValidation, work) { try $0.performCustomValidation(in: context) }
        return 0
      }
    }
    if work.progress.phase == .end {
      try batch(work, nextPhase: .finished, cursor: nil) {
        try call(.end, work) { try $0.end(in: context) }
        return 0
      }
    }
  }
}

private struct BatchIsFull: Error {}
