internal import PassageDiagnostics

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

  /// One entity mapping.
  public struct Mapping: Sendable, Hashable, Codable {
    public var name: String
    public var kind: String
    public var source: String?
    public var destination: String?
    public var filter: String?
    /// The filter's conditions, in its order; empty without a filter.
    public var filterParts: [FilterPart]
    public var policy: String?
    /// `set` or `row`.
    public var lane: String
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
    public var name: String
    /// Whether the mapping model was inferred from the two models.
    public var isInferred: Bool
    public var mappings: [Mapping]
  }

  /// Consecutive passes between the same two models.
  public struct Step: Sendable, Hashable, Codable {
    public var source: String
    public var destination: String
    public var passes: [Pass]
  }

  public var storePath: String
  public var destinationPath: String
  /// Whether the store is compatible with the destination model already: then there are no steps.
  public var isUpToDate: Bool
  public var steps: [Step]
  /// Objects in the source.
  public var objects: Int64
  /// Bytes of the source with its sidecars.
  public var bytes: Int64
  /// Bytes a run may need on the destination's disk.
  public var neededBytes: Int64
  public var freeBytes: Int64
  /// What belongs to the source beside its objects, and what becomes of it.
  public var companions: StoreCompanions
  /// What no entity mapping reads: counted in the first step, named in later ones, whose source does not
  /// exist yet. Values that become nil and links that are emptied are known when they are migrated.
  public var losses: [ValueLoss] = []
  /// Warnings, as they are printed.
  public var warnings: [String]
}
