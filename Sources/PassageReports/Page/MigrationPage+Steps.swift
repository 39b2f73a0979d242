extension MigrationPage {
  /// Consecutive passes between the same two versions.
  package struct Step: Sendable {
    package var source: String
    package var destination: String
    package var passes: [Pass]
    /// Entities with objects of their own that no entity mapping reads.
    package var unreadEntities: [String] = []
    /// Entities with objects of their own that no entity mapping fills.
    package var unfilledEntities: [String] = []
    package var changes: [ChangedEntity] = []

    package init(source: String, destination: String, passes: [Pass]) {
      self.source = source
      self.destination = destination
      self.passes = passes
    }
  }

  /// One mapping model.
  package struct Pass: Sendable {
    package var name: String
    package var isInferred: Bool
    /// How long it ran in this process; `nil` when it did not, or when that is not known.
    package var seconds: Double?
    package var mappings: [Mapping]

    package init(name: String, isInferred: Bool, seconds: Double? = nil, mappings: [Mapping]) {
      self.name = name
      self.isInferred = isInferred
      self.seconds = seconds
      self.mappings = mappings
    }
  }

  /// One entity mapping: what it does, and what became of the objects.
  package struct Mapping: Sendable {
    package var name: String
    /// `add`, `remove`, `copy`, `transform` or `custom`; `nil` when it is not known.
    package var kind: String?
    package var source: String?
    package var destination: String?
    package var filter: String?
    package var policy: String?
    /// The expression whose equal values make several objects one.
    package var mergeBy: String?
    /// The list of whose elements objects are made.
    package var forEach: String?
    package var lane: String
    package var laneReason: String?
    /// The source objects that are there to be read; `nil` when they are not counted.
    package var objects: Int64?
    /// What became of the objects; `nil` when nothing ran.
    package var counts: Counts?
    /// The values and links that the new store does not hold.
    package var lost: Int64 = 0
    /// New objects by destination entity, sorted by name.
    package var made: [Made] = []

    package init(name: String, source: String?, destination: String?, lane: String) {
      self.name = name
      self.source = source
      self.destination = destination
      self.lane = lane
    }

    /// Whether every object is carried over to an entity of the same name, and nothing else happens.
    var isPlain: Bool {
      guard kind == "copy", source == destination, filter == nil, mergeBy == nil, forEach == nil,
        policy == nil, lost == 0
      else { return false }
      return counts.map { $0.fates.allSatisfy { $0.fate == .migrated } } ?? true
    }
  }

  /// The number of new objects of an entity.
  package struct Made: Sendable, Hashable {
    package var entity: String
    package var count: Int64

    package init(entity: String, count: Int64) {
      self.entity = entity
      self.count = count
    }
  }
}
