internal import PassageModels
internal import PassagePages
internal import PassageStores
internal import PassageValues

/// The objects that a policy makes of the rows of a ``RowCopier``: at most one of each, at its key.
final class PagePolicy {
  private let context: MigrationContext
  private let shape: DestinationShape
  /// The attributes that an object must have, by position.
  private let required: [Int]
  private var policy: any MigrationPolicy

  /// - Returns: `nil` when no policy makes the objects of the mapping.
  init?(_ work: MappingRun, step: StepRun) {
    guard work.mappingPlan.isMadeByPolicy, let policy = work.policy,
      let shape = step.shape(ofEntity: work.mappingPlan.destination?.name ?? "")
    else { return nil }
    self.policy = policy
    self.shape = shape
    context = work.context
    required = shape.attributes.indices.filter { !shape.attributes[$0].isOptional }
  }

  /// The columns of the objects' values, in their order.
  func columns(in layout: EntityLayout) -> [String] {
    shape.attributes.map { layout.columnName(ofAttribute: $0.name) ?? "" }
  }

  /// Directs the policy's objects to the rows of a copier.
  func begin(_ copier: RowCopier) {
    context.appendToPages = { [context, required, shape] object in
      for position in required where object.values[position].isNull {
        context.missing.note(
          entity: shape.entity.name, attribute: shape.attributes[position].name)
      }
      for (cell, value) in object.values.enumerated() { try copier.set(cell, to: value) }
      try copier.append()
    }
  }

  func beginBatch() throws {
    if let fresh = try context.policyOfBatch() { policy = fresh }
  }

  /// Calls the policy for a source object.
  func make(of object: SourceObject, _ tally: inout Tally) throws {
    context.begin(object.key)
    defer { context.end() }
    try policy.createDestinationInstances(for: object, in: context)
    try context.checkNeeds()
    tally.count(context.outcome)
  }

  func end() {
    context.appendToPages = nil
    context.mapper = nil
  }
}
