internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The relationships that a policy decides, recorded in the journal until the step is assembled.
final class PolicyLinks {
  private let mappingPlan: MappingPlan
  private let step: StepBasis
  private let store: PassStore
  private let numbers: EntityNumbers
  /// Why the work must be done by another lane: a link was given where nothing is recorded.
  private(set) var refusal: PagesUnsuitable?
  private var mark = PreparedOnce(Journal.addDefaultRelationship)
  private var clear = PreparedOnce(Journal.removeLinks)
  private var write = PreparedOnce(Journal.addLink)

  init(mappingPlan: MappingPlan, step: StepBasis, store: PassStore, numbers: EntityNumbers) {
    self.mappingPlan = mappingPlan
    self.step = step
    self.store = store
    self.numbers = numbers
  }

  /// Records that an object gets the relationships of its mapping.
  func markDefault(_ key: Int64) throws {
    // The mark requests the mapping's relationships; if there are none, it is not needed.
    guard !mappingPlan.bound.relationships.isEmpty else { return }
    try checkJournal()
    let statement = try mark.statement(on: store.connection)
    try statement.bind(Int64(mappingPlan.index), at: 1)
    try statement.bind(key, at: 2)
    try statement.run()
  }

  /// Records the objects to which an object is related, in order.
  func set(_ name: String, of object: ObjectReference, to targets: [ObjectReference]) throws {
    try check(name, of: object, to: targets)
    try checkJournal()
    let number = try numbers.number(of: object.entityName)
    let head: [Value] = [
      .integer(number), .text(name), .integer(object.key), .integer(Int64(mappingPlan.passIndex)),
    ]
    try clear.run(head, on: store.connection)
    // Position -1 records that the policy decided, even if the list is empty.
    let mapping = Value.integer(Int64(mappingPlan.index))
    try write.run(head + [.integer(-1), .null, .null, mapping], on: store.connection)
    for (position, target) in targets.enumerated() {
      try write.run(
        head + [
          .integer(Int64(position)), .integer(target.key),
          .integer(try numbers.number(of: target.entityName)), mapping,
        ], on: store.connection)
    }
  }

  private func checkJournal() throws {
    guard !store.journal.isRecording else { return }
    let refusal = PagesUnsuitable("the policy of “\(mappingPlan.name)” decides relationships")
    self.refusal = refusal
    throw refusal
  }

  private func check(
    _ name: String, of object: ObjectReference, to targets: [ObjectReference]
  ) throws {
    let model = step.plan.destination
    guard let entity = model.entity(named: object.entityName),
      let relationship = model.relationship(name, of: entity),
      let expected = model.entity(named: relationship.destinationEntityName)
    else { throw PolicyMistake("“\(object.entityName)” has no relationship “\(name)”") }
    guard relationship.isToMany || targets.count <= 1 else {
      throw PolicyMistake(
        "“\(name)” is a to-one relationship, but \(targets.count) objects were given")
    }
    for target in targets {
      guard let found = model.entity(named: target.entityName), model.isKind(found, of: expected)
      else {
        throw PolicyMistake(
          "“\(name)” leads to objects of “\(expected.name)”, not of “\(target.entityName)”")
      }
    }
  }
}
