internal import PassagePages
internal import PassageStores
internal import PassageValues

/// Makes the objects of an entity mapping from the rows about which the engine decides. Each thread
/// has its own.
final class PageMaker {
  private let making: PageMaking
  private let hasFilter: Bool
  private let isChecked: Bool
  let context: MigrationContext
  /// The mappings that share a sweep do not share these counts.
  let nilled: NilledValues
  private let mapper: RowMapper
  private let policy: PagePolicy?
  /// The object of the current row, where the mapping makes the objects.
  private var object: SourceObject
  private var counts = MadeCounts()

  /// - Parameters:
  ///   - policy: the thread's instance; `nil` when the mapping has none.
  ///   - context: the thread's.
  init(
    _ making: PageMaking, _ policy: (any MigrationPolicy)?, _ context: MigrationContext
  ) throws {
    self.making = making
    hasFilter = making.filter != nil
    isChecked = making.isChecked
    self.context = context
    nilled = NilledValues(rollsBack: isChecked)
    mapper = try making.makeMapper(functions: policy?.functions ?? [:], nilled: nilled)
    object = SourceObject(
      shape: making.shape, key: 0,
      values: Array(repeating: .null, count: making.shape.names.count))
    guard let made = making.made, let policy else {
      self.policy = nil
      return
    }
    context.mapper = mapper
    self.policy = PagePolicy(
      policy, context, CurrentRow(making.shape, making.snapshots), made.shape,
      attributes: made.attributes, copy: making.program.copy, deferred: making.deferred)
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

  /// Decides about the current row, and about those that follow it without one of another program
  /// between them, and appends their objects.
  ///
  /// - Parameters:
  ///   - index: the position of the program.
  ///   - handle: called for an error, with the key of the source object; the next row follows unless it
  ///     throws.
  /// - Returns: why the copier stopped then.
  func decideRows(
    ofProgram index: Int, _ copier: RowCopier, handle: (any Error, Int64) throws -> Void
  ) throws -> RowCopier.Stop {
    // The object stays in place for all the rows, so that no reference is counted for each.
    guard let policy else { return try mapRows(ofProgram: index, copier, &object, handle) }
    return try policyRows(
      ofProgram: index, copier, policy, policy.instance, &policy.row, handle)
  }

  private func mapRows(
    ofProgram index: Int, _ copier: RowCopier, _ object: inout SourceObject,
    _ handle: (any Error, Int64) throws -> Void
  ) throws -> RowCopier.Stop {
    while true {
      beginObject()
      do {
        try map(copier, &object)
      } catch {
        try handle(error, copier.key)
      }
      let stop = try copier.resume()
      guard case .row(let next) = stop, next == index else { return stop }
    }
  }

  private func policyRows(
    ofProgram index: Int, _ copier: RowCopier, _ policy: PagePolicy,
    _ instance: some MigrationPolicy, _ row: inout CurrentRow,
    _ handle: (any Error, Int64) throws -> Void
  ) throws -> RowCopier.Stop {
    while true {
      beginObject()
      do {
        row.read(from: copier)
        if try accepts(row.object, copier) {
          let outcome = try policy.make(of: row.object, row.identity, copier, by: instance)
          counts.tally.count(outcome)
          if outcome.hasPrimary { counts.made += 1 }
        } else {
          counts.tally.filtered += 1
        }
        row.leaveKept(copier, isLent: policy.isRowLent)
      } catch {
        row.leaveKept(copier, isLent: policy.isRowLent)
        try handle(error, copier.key)
      }
      let stop = try copier.resume()
      guard case .row(let next) = stop, next == index else { return stop }
    }
  }

  @inline(__always)
  private func beginObject() { if isChecked { nilled.beginObject() } }

  private func map(_ copier: RowCopier, _ object: inout SourceObject) throws {
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
    try fill(copier, object, isPrepared: isPrepared)
    try copier.append()
    counts.tally.migrated += 1
    counts.made += 1
  }

  @inline(__always)
  private func accepts(_ object: SourceObject, _ copier: RowCopier) throws -> Bool {
    guard hasFilter, !(copier.isPrepared && making.program.decidesFilter) else { return true }
    return try mapper.accepts(object)
  }

  private func fill(_ copier: RowCopier, _ object: SourceObject, isPrepared: Bool) throws {
    if !isPrepared {
      for (column, attribute) in making.program.required {
        if case .null = copier.cell(column) { throw MissingRequired(attribute: attribute) }
      }
    }
    for item in making.program.computed where !(isPrepared && item.isRare) {
      let value = try mapper.value(item.position, of: object)
      if value.isNull, let name = item.requiredName {
        if isChecked { throw MissingRequired(attribute: name) }
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
