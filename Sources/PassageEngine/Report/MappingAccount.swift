internal import PassageStores

/// What became of the objects an entity mapping read.
///
/// Every object read is counted once:
/// `read = filtered + migrated + merged + removed + quarantined`. Every object
/// made is counted once too: `made = migrated + split + added`.
public struct MappingAccount: Sendable, Hashable, Codable {
  /// The entity mapping's name.
  public var name: String
  /// The mapping model's name.
  public var pass: String
  /// The source entity; `nil` for an add mapping.
  public var source: String?
  /// The destination entity; `nil` for a remove mapping.
  public var destination: String?
  /// The lane that ran.
  public var lane: MigrationPlan.Lane
  /// Why the mapping ran object by object; `nil` in the set lane.
  public var laneReason: String?
  /// The lane that the plan said and that could not do it; `nil` where the plan's lane ran.
  public var abandonedLane: MigrationPlan.Lane?
  /// Source objects read.
  public var read: Int64 = 0
  /// Source objects the filter left out.
  public var filtered: Int64 = 0
  /// Source objects that became at least one new object.
  public var migrated: Int64 = 0
  /// New objects beyond the first of a source object.
  public var split: Int64 = 0
  /// Source objects that became part of an object made before.
  public var merged: Int64 = 0
  /// Source objects left behind: by a remove mapping, or by a policy that made nothing of them.
  public var removed: Int64 = 0
  /// Source objects quarantined with a reason: as many as
  /// the options allow.
  public var quarantined: Int64 = 0
  /// New objects that stand for no source object.
  public var added: Int64 = 0
  /// New objects by destination entity.
  public var made: [String: Int64] = [:]
  /// By destination attribute, how many objects had a value in what it is made of and have none now.
  public var becameNil: [String: Int64] = [:]
  /// By source relationship, how many links of the objects taken over lead nowhere now, because what
  /// they led to was filtered out, removed or quarantined.
  public var emptied: [String: Int64] = [:]
  /// By source property, how many values of the mapping's source entity nothing in the step reads. Of
  /// several mappings that take an entity over, the first has them.
  public var unread: [String: Int64] = [:]

  package init(
    name: String, pass: String, source: String?, destination: String?, lane: MigrationPlan.Lane
  ) {
    self.name = name
    self.pass = pass
    self.source = source
    self.destination = destination
    self.lane = lane
  }

  /// Takes down that the mapping continues object by object, which the plan did not say.
  mutating func abandonSQL(_ reason: String) {
    abandonedLane = abandonedLane ?? lane
    lane = .row
    laneReason = reason
  }

  /// Whether every object is accounted for.
  public var isBalanced: Bool {
    func sum(_ counts: [Int64]) -> Int64 { counts.reduce(0) { $0.saturatingAdd($1) } }
    return read == sum([filtered, migrated, merged, removed, quarantined])
      && sum(Array(made.values)) == sum([migrated, split, added])
  }

  mutating func count(made entity: String, _ number: Int64 = 1) {
    made[entity] = made[entity, default: 0].saturatingAdd(number)
  }
}
