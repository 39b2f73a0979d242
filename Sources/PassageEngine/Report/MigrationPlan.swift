public import PassageDiagnostics

/// What a run would do, as a printable value. Making a plan writes nothing.
public struct MigrationPlan: Sendable, Codable {
  /// One of the conditions that a filter joins by `AND`.
  public struct FilterPart: Sendable, Hashable, Codable {
    /// The condition, in the format language.
    public var text: String
    /// Whether the condition is evaluated in SQL; otherwise it is evaluated in memory, for the
    /// objects that pass the conditions in SQL.
    public var isInSQL: Bool
    /// Why it is evaluated in memory; `nil` in SQL.
    public var reason: String?
  }

  /// How the objects of an entity mapping are migrated.
  public enum Lane: String, Sendable, Hashable, Codable, CaseIterable {
    /// Many at once: one SQL statement for each range of keys.
    case set
    /// One at a time, because of a policy or of something that does not translate to SQL.
    case row
    /// The pages of the destination are written from the pages of the source, without SQL.
    case page
  }

  /// What an entity mapping does, in Core Data's terms.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The destination entity is new; only a policy makes objects of it.
    case add
    /// The objects of the source entity are left behind and counted.
    case remove
    /// Properties that both entities have are copied unchanged.
    case copy
    /// Properties are mapped one by one.
    case transform
    /// A policy makes the destination objects.
    case custom
  }

  /// One entity mapping.
  public struct Mapping: Sendable, Hashable, Codable {
    /// The entity mapping's name.
    public var name: String
    /// The type of the entity mapping.
    public var kind: Kind
    /// The source entity; `nil` for an add mapping.
    public var source: String?
    /// The destination entity; `nil` for a remove mapping.
    public var destination: String?
    /// The filter of the source objects, in the format language; `nil` for all objects.
    public var filter: String?
    /// The conditions of the filter, in order; empty without a filter.
    public var filterParts: [FilterPart]
    /// The list of whose elements objects are made, in the format language; `nil` when they are made
    /// of source objects.
    public var forEach: String?
    /// What objects have in common that become one, in the format language; `nil` when each stays by
    /// itself.
    public var mergeBy: String?
    /// Which of the objects that become one gives its key and its values, `first` or `last`; `nil`
    /// when each stays by itself.
    public var keep: String?
    /// The number of objects that an add mapping lists.
    public var listedObjects = 0
    /// The name of the policy; `nil` without one.
    public var policy: String?
    /// The lane in which the mapping runs.
    public var lane: Lane
    /// Why the mapping runs in this lane, and not in one that may be faster.
    public var reason: String?
    /// The number of source objects; `nil` for later steps, whose source does not exist yet.
    public var objects: Int64?
    /// Whether it is known which properties of the source entity nothing reads, and which of its links
    /// are lost. A policy that receives the objects may read any property, unless it declares which
    /// (``MigrationPolicy/readProperties``). One that has the hook
    /// ``MigrationHook/createRelationships`` may leave out links that the mapping would keep.
    public var areLossesKnown = true
  }

  /// One mapping model.
  public struct Pass: Sendable, Hashable, Codable {
    /// The mapping model's name.
    public var name: String
    /// Whether the mapping model was inferred from the two models.
    public var isInferred: Bool
    /// The entity mappings, in order.
    public var mappings: [Mapping]
  }

  /// Consecutive passes between the same two models.
  public struct Step: Sendable, Hashable, Codable {
    /// The name of the source model.
    public var source: String
    /// The name of the destination model.
    public var destination: String
    /// The passes, in the order in which they run.
    public var passes: [Pass]
  }

  /// The source store.
  public var storePath: String
  /// Where the migrated store goes.
  public var destinationPath: String
  /// Whether the store is already compatible with the destination model; if so, there are no steps.
  public var isUpToDate: Bool
  /// The steps, in the order in which they run.
  public var steps: [Step]
  /// The number of objects in the source.
  public var objects: Int64
  /// The size of the source with its sidecars, in bytes.
  public var bytes: Int64
  /// An estimate of the bytes that a run needs on the destination's disk, at most at a time; what an
  /// unfinished run has written already is not among them. The values that policies and expressions compute
  /// may be of any size, so that more or less may be needed.
  public var neededBytes: Int64
  /// The free bytes on the destination's disk.
  public var freeBytes: Int64
  /// What belongs to the source besides its objects, and what becomes of it.
  public var companions: StoreCompanions
  /// The values that no entity mapping reads: with counts in the first step, without in later
  /// steps, whose source does not exist yet. Values that become nil and emptied links are known
  /// only after the migration.
  public var losses: [ValueLoss] = []
  /// Warnings to read before the migration is run.
  public var warnings: Diagnostics
}
