internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The objects to which the links of a pass lead, by their keys in the source.
struct LinkedObjects {
  private let step: StepRun
  private let store: PassStore
  private let source: Connection
  private let reader: PageReader

  /// - Parameter source: a connection to the source, for its schema.
  init(step: StepRun, store: PassStore, source: Connection, _ reader: PageReader) {
    self.step = step
    self.store = store
    self.source = source
    self.reader = reader
  }

  /// The keys of the objects in a source table.
  func keys(of table: String) -> ClosedRange<Int64> {
    step.plan.extent.keys[table]?.range(offset: 0) ?? 0...0
  }

  /// The number of objects in a source table.
  func rowCount(of table: String) -> Int {
    let counts = step.plan.extent.counts.byEntity
    return step.plan.sourceLayout.entities.reduce(0) { sum, entity in
      sum + (entity.tableName == table ? Int(counts[entity.name] ?? 0) : 0)
    }
  }

  /// Adds the keys of all objects in a source table to a set.
  func read(keysOf name: String, into set: KeySet) throws {
    let table = try PageTable(ofSource: name, source)
    let sweep = TableSweep(reader, root: table.root, columnCount: table.names.count)
    do {
      while try sweep.next() { set.insert(sweep.key) }
    } catch let damage as PageDamage {
      throw DamagedTable(table: table.name, damage: damage)
    }
  }

  /// Adds the source objects that have become objects at their own keys to a set, for a mapping whose
  /// objects SQLite has.
  func read(takenBy mappingPlan: MappingPlan, into set: KeySet) throws {
    guard let range = mappingPlan.keyRange, let destination = mappingPlan.destination else {
      return
    }
    let rows = try store.connection.prepare(
      "SELECT Z_PK FROM main.\(destination.tableName.quotedIdentifier) "
        + "WHERE Z_PK BETWEEN ? AND ? AND Z_ENT = ?")
    try rows.bind([
      .integer(range.lowerBound), .integer(range.upperBound), .integer(Int64(destination.number)),
    ])
    while try rows.step() { set.insert(rows.integer(at: 0) &- mappingPlan.keyOffset) }
  }

  /// What has become of the objects at an end of pairs, for mappings whose objects SQLite has.
  ///
  /// - Parameter freeBytes: the memory for it, which is taken.
  /// - Returns: `nil` when it is too much for the memory, or an object may have become several.
  func table(of end: JoinedLink.End, freeBytes: inout Int) throws -> LinkTable? {
    let table = LinkTable()
    let keys = keys(of: end.table)
    var known = 0
    var sets: [(candidate: MappingPlan, set: KeySet)] = []
    func makeSet() -> KeySet? {
      guard let set = KeySet(keys, limit: freeBytes) else { return nil }
      freeBytes -= KeySet.byteCount(of: keys) ?? 0
      return set
    }
    for candidate in end.candidates {
      guard let destination = candidate.destination else { continue }
      var own: KeySet?
      if end.expected.familyNumbers.contains(destination.number) {
        own = sets.first { $0.candidate.sharesKeys(with: candidate) }?.set
        if own == nil {
          guard let set = makeSet() else { return nil }
          try read(takenBy: candidate, into: set)
          table.append(set, offset: candidate.keyOffset, entityNumber: destination.number)
          sets.append((candidate, set))
          own = set
          known += set.count
        }
      }
      guard candidate.hasAssociations else { continue }
      let associations = AssociationMap(
        of: candidate, leadingTo: end.expected, step: step, store: store)
      switch try associations.read(keys: keys, except: own, limit: freeBytes) {
      case .none: break
      case .map(let map, let count, let number):
        table.append(map, entityNumber: number)
        freeBytes -= map.byteCount
        known += count
      case .unsuitable: return nil
      }
    }
    if known < rowCount(of: end.table) {
      guard let existing = makeSet() else { return nil }
      try read(keysOf: end.table, into: existing)
      table.existing = existing
    }
    return table
  }
}
