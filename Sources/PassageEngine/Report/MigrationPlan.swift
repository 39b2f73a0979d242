public import PassageDiagnostics

/// What a run would do, as a value that can be printed. Nothing has been written.
public struct MigrationPlan: Sendable, Codable {
  /// One of the conditions that a filter joins by `AND`.
  public struct FilterPart: Sendable, Hashable, Codable {
    /// The condition, in the format language.
    public var text: String
    /// Whether SQL answers it; otherwise it is evaluated in memory, for the objects that the parts in
    /// SQL let through.
    public var isInSQL: Bool
    /// Why it is evaluated in memory; `nil` in SQL.
    public var reason: String?
  }

  /// How the objects of an entity mapping go.
  public enum Lane: String, Sendable, Hashable, Codable, CaseIterable {
    /// Many at once, by one statement of SQL for a range of keys.
    case set
    /// One by one, through the policy or what SQL cannot say.
    case row
  }

  /// What an entity mapping does, in Core Data's words.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The destination entity is new; only a policy makes objects of it.
    case add
    /// The objects of the source entity are left behind and counted.
    case remove
    /// What both entities have is taken over as it is.
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
    /// What it does.
    public var kind: Kind
    /// The source entity; `nil` for an add mapping.
    public var source: String?
    /// The destination entity; `nil` for a remove mapping.
    public var destination: String?
    /// Which source objects it takes, in the format language; `nil` for all.
    public var filter: String?
    /// The filter's conditions, in its order; empty without a filter.
    public var filterParts: [FilterPart]
    /// The name of its policy; `nil` without one.
    public var policy: String?
    /// How its objects go.
    public var lane: Lane
    /// Why the mapping runs object by object; `nil` in the set lane.
    public var reason: String?
    /// Source objects; `nil` for later steps, whose source does not exist yet.
    public var objects: Int64?
    /// Whether it is known what of the source entity nothing reads: a policy that is handed the objects
    /// may read anything, unless it says what (``MigrationPolicy/readProperties``).
    public var areLossesKnown = true
  }

  /// One mapping model.
  public struct Pass: Sendable, Hashable, Codable {
    /// The mapping model's name.
    public var name: String
    /// Whether the mapping model was inferred from the two models.
    public var isInferred: Bool
    /// Its entity mappings, in their order.
    public var mappings: [Mapping]
  }

  /// Consecutive passes between the same two models.
  public struct Step: Sendable, Hashable, Codable {
    /// The name of the model it starts from.
    public var source: String
    /// The name of the model it ends with.
    public var destination: String
    /// Its passes, in the order they run.
    public var passes: [Pass]
  }

  /// The source store.
  public var storePath: String
  /// Where the migrated store goes.
  public var destinationPath: String
  /// Whether the store is compatible with the destination model already: then there are no steps.
  public var isUpToDate: Bool
  /// The steps, in the order they run.
  public var steps: [Step]
  /// Objects in the source.
  public var objects: Int64
  /// Bytes of the source with its sidecars.
  public var bytes: Int64
  /// Bytes a run may need on the destination's disk.
  public var neededBytes: Int64
  /// Bytes that are free there.
  public var freeBytes: Int64
  /// What belongs to the source beside its objects, and what becomes of it.
  public var companions: StoreCompanions
  /// What no entity mapping reads: counted in the first step, named in later ones, whose source does not
  /// exist yet. Values that become nil and links that are emptied are known when they are migrated.
  public var losses: [ValueLoss] = []
  /// What to look at before it is run.
  public var warnings: Diagnostics
}
