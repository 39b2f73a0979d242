internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Records which objects each source object became, and looks this up in this pass and earlier
/// ones.
///
/// An object at its source object's key plus the key offset needs no row, because the keys express
/// it.
final class PolicyAssociations {
  private let mappingPlan: MappingPlan
  private let step: StepBasis
  private let store: PassStore
  private let passes: PassLookup
  private let numbers: EntityNumbers
  private var rows: AssociationWriter
  /// Why the work must be done by another lane: an association was given where nothing is recorded.
  private(set) var refusal: PagesUnsuitable?
  /// Whether the journal has it that the policy itself names objects.
  private var isNoted = false

  init(
    mappingPlan: MappingPlan, step: StepBasis, store: PassStore, passes: PassLookup,
    numbers: EntityNumbers, recorded: RecordedAssociations?
  ) {
    self.mappingPlan = mappingPlan
    self.step = step
    self.store = store
    self.passes = passes
    self.numbers = numbers
    rows = AssociationWriter(mapping: mappingPlan.index, store: store, recorded: recorded)
  }

  func record(_ source: Int64, _ destination: ObjectReference) throws {
    try rows.append(
      source: source, destination: destination.key,
      entity: numbers.number(of: destination.entityName))
  }

  /// Notes that the policy itself names the object that a source object became. Whether that object
  /// exists is checked when the step is assembled, because its pass may only make it later.
  func noteNamed() throws {
    guard store.journal.isRecording else {
      let refusal = PagesUnsuitable("the policy of “\(mappingPlan.name)” associates objects")
      self.refusal = refusal
      throw refusal
    }
    if isNoted { return }
    try store.journal.setNamesAssociated(byPolicyOf: mappingPlan.index)
    isNoted = true
  }

  /// Forgets what was noted in a transaction that was rolled back.
  func forgetNote() { isNoted = false }

  /// Writes buffered associations to the table; until then, look-ups do not see them.
  func flush() throws { try rows.flush() }

  // MARK: Finding

  func destinationInstances(
    forMappingNamed name: String, sourceKey: Int64
  ) throws -> [ObjectReference] {
    var found: [ObjectReference] = []
    for asked in try mappingPlans(named: name) {
      for object in try destinationInstances(of: asked, sourceKey: sourceKey)
      where !found.contains(object) {
        found.append(object)
      }
    }
    return found
  }

  private func destinationInstances(
    of asked: MappingPlan, sourceKey: Int64
  ) throws -> [ObjectReference] {
    let connection = try connection(of: asked)
    var found: [ObjectReference] = []
    if let source = asked.source, let destination = asked.destination,
      try number(ofSourceKey: sourceKey, in: source) == Int64(source.number)
    {
      let key = sourceKey &+ asked.keyOffset
      let exists = try connection.integer(
        "SELECT count(*) FROM main.\(destination.tableName.quotedIdentifier) "
          + "WHERE Z_PK = ? AND Z_ENT = ?", [.integer(key), .integer(Int64(destination.number))])
      if exists > 0 { found.append(ObjectReference(entityName: destination.name, key: key)) }
    }
    let associated = try store.connection.rows(
      "SELECT entity, destination FROM \(Journal.Table.association.name) "
        + "WHERE mapping = ? AND source = ? ORDER BY destination",
      [.integer(Int64(asked.index)), .integer(sourceKey)])
    for row in associated {
      guard let number = row[0].integer, let key = row[1].integer,
        let entity = step.plan.destinationLayout.entity(numbered: number)
      else { continue }
      let reference = ObjectReference(entityName: entity.name, key: key)
      if !found.contains(reference) { found.append(reference) }
    }
    return found
  }

  func sourceKeys(
    forMappingNamed name: String, destination reference: ObjectReference
  ) throws -> [Int64] {
    var keys: Set<Int64> = []
    for asked in try mappingPlans(named: name) {
      keys.formUnion(try sourceKeys(of: asked, reference))
    }
    return keys.sorted()
  }

  private func sourceKeys(of asked: MappingPlan, _ reference: ObjectReference) throws -> Set<Int64>
  {
    var keys: Set<Int64> = []
    if let source = asked.source, asked.destination?.name == reference.entityName {
      let key = reference.key &- asked.keyOffset
      if try destinationInstances(of: asked, sourceKey: key).contains(reference),
        try number(ofSourceKey: key, in: source) == Int64(source.number)
      {
        keys.insert(key)
      }
    }
    let rows = try store.connection.rows(
      "SELECT source FROM \(Journal.Table.association.name) "
        + "WHERE mapping = ? AND destination = ? AND entity = ?",
      [
        .integer(Int64(asked.index)), .integer(reference.key),
        .integer(try numbers.number(of: reference.entityName)),
      ])
    for row in rows { row[0].integer.map { _ = keys.insert($0) } }
    return keys
  }

  /// Passes may use the same name for similar entity mappings, as when an entity is split by
  /// ranges.
  private func mappingPlans(named name: String) throws -> [MappingPlan] {
    let found = step.plan.mappingPlans.filter {
      $0.passIndex <= mappingPlan.passIndex && $0.name == name
    }
    if found.isEmpty {
      throw PolicyMistake("there is no entity mapping “\(name)” in this pass or an earlier one")
    }
    return found
  }

  private func connection(of mappingPlan: MappingPlan) throws -> Connection {
    mappingPlan.passIndex == self.mappingPlan.passIndex
      ? store.connection : try passes.connection(ofPass: mappingPlan.passIndex)
  }

  /// The number of the entity of a source object; `nil` when it does not exist.
  private func number(ofSourceKey key: Int64, in entity: EntityLayout) throws -> Int64? {
    try passes.source().value(
      "SELECT \(entity.numberSQL(nil)) FROM \(entity.tableName.quotedIdentifier) WHERE Z_PK = ?",
      [.integer(key)])?
      .integer
  }
}
