internal import PassagePages
internal import PassageStores
internal import PassageValues

/// Makes the objects of an entity mapping from the rows about which the engine decides. Each thread
/// has its own.
final class PageMaker {
  private let making: PageMaking
  let context: MigrationContext
  /// The mappings that share a sweep do not share these counts.
  let nilled: NilledValues
  private let mapper: RowMapper
  private let policy: PagePolicy?
  /// The current row where a policy makes the objects: it may keep it.
  private var snapshot: RowSnapshot?
  private var object: SourceObject
  private var counts = MadeCounts()

  /// - Parameters:
  ///   - policy: the thread's instance; `nil` when the mapping has none.
  ///   - context: the thread's.
  init(
    _ making: PageMaking, _ policy: (any MigrationPolicy)?, _ context: MigrationContext
  ) throws {
    self.making = making
    self.context = context
    nilled = NilledValues(rollsBack: making.isChecked)
    mapper = try making.makeMapper(functions: policy?.functions ?? [:], nilled: nilled)
    object = SourceObject(
      shape: making.shape, key: 0,
      values: Array(repeating: .null, count: making.shape.names.count))
    guard let made = making.made, let policy else {
      self.policy = nil
      return
    }
    context.mapper = mapper
    snapshot = RowSnapshot(making.layout)
    self.policy = PagePolicy(
      policy, context, made.shape, attributes: made.attributes, copy: making.program.copy,
      deferred: making.deferred)
  }

  /// Called before each batch of rows.
  func beginBatch() throws { try policy?.beginBatch() }

  /// Called after the last row.
  func end() { policy?.end() }

  /// What was made since the last call. The copier has counted the rows about which nobody decided.
  func takeCounts() -> MadeCounts {
    defer { counts = MadeCounts() }
    counts.becameNil = nilled.take()
    return counts
  }

  // MARK: Rows

  /// Decides about the current row, and appends its object.
  func decide(_ copier: RowCopier) throws {
    if let policy { return try decide(copier, policy) }
    object.key = copier.key
    let isPrepared = copier.isPrepared
    if isPrepared {
      for position in making.usualPositions {
        object.values[position] = Value(copier.cell(making.columns[position]))
      }
    } else {
      for (position, column) in making.columns.enumerated() {
        object.values[position] = Value(copier.cell(column))
      }
    }
    if try !accepts(object, copier) {
      counts.tally.filtered += 1
      return
    }
    try fill(copier, isPrepared: isPrepared)
    try copier.append()
    counts.tally.migrated += 1
    counts.made += 1
  }

  /// Has the policy make the object of the current row, whose cells are decoded when they are asked
  /// for.
  private func decide(_ copier: RowCopier, _ policy: PagePolicy) throws {
    // The policy may have kept the row before.
    if !isKnownUniquelyReferenced(&snapshot) { snapshot = snapshot.map { RowSnapshot(like: $0) } }
    guard let snapshot else { return }
    copier.copyRow(to: snapshot)
    let row = ObjectIdentifier(snapshot)
    let object = SourceObject(shape: making.shape, key: copier.key, row: snapshot)
    if try !accepts(object, copier) {
      counts.tally.filtered += 1
      return
    }
    let outcome = try policy.make(of: object, row, copier)
    counts.tally.count(outcome)
    if outcome.hasPrimary { counts.made += 1 }
  }

  @inline(__always)
  private func accepts(_ object: SourceObject, _ copier: RowCopier) throws -> Bool {
    guard making.filter != nil, !(copier.isPrepared && making.program.decidesFilter) else {
      return true
    }
    return try mapper.accepts(object)
  }

  private func fill(_ copier: RowCopier, isPrepared: Bool) throws {
    if !isPrepared {
      for (column, attribute) in making.program.required {
        if case .null = copier.cell(column) { throw MissingRequired(attribute: attribute) }
      }
    }
    for item in making.program.computed where !(isPrepared && item.isRare) {
      let value = try mapper.value(item.position, of: object)
      if value.isNull, let name = item.requiredName {
        if making.isChecked { throw MissingRequired(attribute: name) }
        context.missing.note(
          entity: making.mappingPlan.destination?.name ?? "", attribute: name)
      }
      try copier.set(item.cell, to: value)
    }
  }
}

/// What became of rows about which the engine has decided.
struct MadeCounts: Sendable {
  var tally = Tally()
  /// The objects at their source objects' keys.
  var made: Int64 = 0
  /// Values that became nil, by attribute.
  var becameNil: [String: Int64] = [:]
  /// Required attributes that may be nil.
  var missing: Set<MissingValues.Suspect> = []
}
