internal import PassageStores

/// What became of the objects that an entity mapping read.
///
/// Every object read is counted once: `read = filtered + migrated + merged + removed +
/// quarantined`. Every object made is counted once too: `made = migrated + split + added`.
public struct MappingAccount: Sendable, Hashable, Codable {
  /// The entity mapping's name.
  public var name: String
  /// The mapping model's name.
  public var pass: String
  /// The source entity; `nil` for an add mapping.
  public var source: String?
  /// The destination entity; `nil` for a remove mapping.
  public var destination: String?
  /// The lane in which the mapping ran.
  public var lane: MigrationPlan.Lane
  /// Why the mapping ran object by object; `nil` in the set lane and in the page lane.
  public var laneReason: String?
  /// The planned lane, if it could not complete the mapping; `nil` when the planned lane did.
  public var abandonedLane: MigrationPlan.Lane?
  /// Source objects read.
  public var read: Int64 = 0
  /// Source objects that the filter excluded.
  public var filtered: Int64 = 0
  /// Source objects that became at least one new object.
  public var migrated: Int64 = 0
  /// New objects beyond the first of a source object.
  public var split: Int64 = 0
  /// Source objects that became part of an object made earlier.
  public var merged: Int64 = 0
  /// Source objects left behind: by a remove mapping, or by a policy that made nothing from them.
  public var removed: Int64 = 0
  /// Source objects quarantined, each with a reason; at most as many as the options allow.
  public var quarantined: Int64 = 0
  /// New objects that have no source object.
  public var added: Int64 = 0
  /// New objects by destination entity.
  public var made: [String: Int64] = [:]
  /// The number of objects that had a source value and have none now, by destination attribute.
  public var becameNil: [String: Int64] = [:]
  /// The number of links of migrated objects that now lead nowhere, because the related object was
  /// filtered out, removed or quarantined, or merged into one that leads to another; by source relationship.
  public var emptied: [String: Int64] = [:]
  /// The number of values of the source entity that nothing in the step reads, by source property.
  /// If several mappings migrate the entity, the first one has these counts.
  public var unread: [String: Int64] = [:]
  /// The number of numbers that the type of their attribute cannot hold, by destination attribute. Those
  /// that several mappings of an entity make have the count in the first one's account.
  public var narrowed: [String: Int64] = [:]
  /// Source objects with the number of another entity in `Z_ENT`. In a table of one entity Core Data
  /// ignores the number, so they were read like all others.
  public var foreignNumbers: Int64 = 0

  package init(
    name: String, pass: String, source: String?, destination: String?, lane: MigrationPlan.Lane
  ) {
    self.name = name
    self.pass = pass
    self.source = source
    self.destination = destination
    self.lane = lane
  }

  /// Records that the mapping continues object by object, unlike planned.
  mutating func abandonSQL(_ reason: String) {
    abandonedLane = abandonedLane ?? lane
    lane = .row
    laneReason = reason
  }

  /// Whether every object is accounted for.
  public var isBalanced: Bool {
    func sum(_ counts: [Int64]) -> Int64 { counts.reduce(0) { $0.saturatingAdd($1) } }
    return [filtered, migrated, merged, removed, quarantined, split, added].allSatisfy { $0 >= 0 }
      && read == sum([filtered, migrated, merged, removed, quarantined])
      && sum(Array(made.values)) == sum([migrated, split, added])
  }

  /// The numbers of objects, links or values that there can be in a store: a database has at most 2⁴⁸ bytes
  /// (https://www.sqlite.org/limits.html), and each of them takes some. Sums of thousands of such numbers
  /// fit.
  static let possibleCounts: ClosedRange<Int64> = 0...1 << 48

  /// Whether a run can have counted these numbers. Another program may have changed an account that was
  /// recorded.
  var isPossible: Bool {
    let objects = [read, filtered, migrated, split, merged, removed, quarantined, added]
    let parts = [made, becameNil, emptied, unread, narrowed].flatMap(\.values)
    return (objects + [foreignNumbers] + parts).allSatisfy { Self.possibleCounts.contains($0) }
  }

  mutating func count(made entity: String, _ number: Int64 = 1) {
    made[entity] = made[entity, default: 0].saturatingAdd(number)
  }
}
