internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Reads the associations of a mapping into a table in memory, in one go, or takes those that the run
/// has just written.
struct AssociationMap {
  /// What the associations came to.
  enum Result {
    /// There are none.
    case none
    /// The destination keys of source keys, how many they are, and the number of their entity.
    case map(KeyMap, count: Int, entityNumber: Int)
    /// They do not fit into memory, lead to objects of several entities, or a source object became
    /// several.
    case unsuitable
  }

  private let mappingPlan: MappingPlan
  private let expected: EntityLayout
  private let step: StepPlan
  private let store: PassStore
  private let recorded: RecordedAssociations?

  /// - Parameter expected: associations that lead to objects of other entities are left out.
  init(
    of mappingPlan: MappingPlan, leadingTo expected: EntityLayout, step: StepRun, store: PassStore
  ) {
    self.mappingPlan = mappingPlan
    self.expected = expected
    self.step = step.plan
    self.store = store
    recorded = step.facts.associations(of: mappingPlan)
  }

  /// - Parameters:
  ///   - keys: the keys that source objects can have.
  ///   - own: the source objects that have an object at their own key too.
  ///   - limit: the bytes that the map may take.
  /// - Complexity: one scan of the associations in the order of their keys, or two.
  func read(keys: ClosedRange<Int64>, except own: KeySet?, limit: Int) throws -> Result {
    if let recorded, let result = taken(recorded, keys, own, limit) { return result }
    // Almost always the objects have new keys, and these were assigned one after the other.
    let first = step.keyspace.firstExtraKeys[expected.tableName] ?? 1
    let next = try store.journal.nextKey(ofTable: expected.tableName) ?? first
    if next > first, let found = try fill(keys, first...next - 1, own, limit) { return found }
    guard let values = try values() else { return .none }
    return try fill(keys, values, own, limit) ?? .unsuitable
  }

  /// - Returns: `nil` when some must be left out.
  private func taken(
    _ recorded: RecordedAssociations, _ keys: ClosedRange<Int64>, _ own: KeySet?, _ limit: Int
  ) -> Result? {
    guard let count = recorded.count, count > 0 else { return Result.none }
    guard let entity = Int(exactly: recorded.entity), expected.familyNumbers.contains(entity) else {
      return nil
    }
    guard let map = KeyMap(keys, to: recorded.destinations, limit: limit),
      recorded.insert(into: map, except: own)
    else { return .unsuitable }
    return .map(map, count: Int(count), entityNumber: entity)
  }

  private var source: String {
    "\(Journal.Table.association.name) WHERE mapping = \(mappingPlan.index) AND entity BETWEEN "
      + "\(expected.familyNumbers.lowerBound) AND \(expected.familyNumbers.upperBound)"
  }

  /// The range of the destination keys; `nil` when there are no associations.
  private func values() throws -> ClosedRange<Int64>? {
    let row = try store.connection.rows("SELECT min(destination), max(destination) FROM \(source)")
    guard let smallest = row.first?[0].integer, let largest = row.first?[1].integer else {
      return nil
    }
    return smallest...max(smallest, largest)
  }

  /// - Returns: `nil` when a destination key is not in the range.
  private func fill(
    _ keys: ClosedRange<Int64>, _ values: ClosedRange<Int64>, _ own: KeySet?, _ limit: Int
  ) throws -> Result? {
    guard let map = KeyMap(keys, to: values, limit: limit) else { return .unsuitable }
    let rows = try store.connection.prepare(
      "SELECT source, destination, entity FROM \(source) ORDER BY source")
    var count = 0
    var last: Int64?
    var number: Int64?
    while try rows.step() {
      let (key, value) = (rows.integer(at: 0), rows.integer(at: 1))
      if number == nil { number = rows.integer(at: 2) }
      guard key != last, number == rows.integer(at: 2), own?.contains(key) != true else {
        return .unsuitable
      }
      guard map.insert(key, value) else { return values.contains(value) ? .unsuitable : nil }
      last = key
      count += 1
    }
    guard let number, let entity = Int(exactly: number) else { return Result.none }
    return .map(map, count: count, entityNumber: entity)
  }
}
