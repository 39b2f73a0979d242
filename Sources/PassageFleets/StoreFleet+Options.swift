internal import Passage
public import PassageEngine
public import PassagePlatform

extension StoreFleet {
  /// How a fleet and each of its stores are migrated.
  public struct Options: Sendable {
    /// The mapping models that every store is migrated by, in the order in which they run: names in the
    /// mappings folder, or paths; `nil` for the way that the history leads. With them no version is
    /// named.
    public var mappings: [String]?
    /// How each store is migrated. Its time budget is not used: see ``timeBudget``.
    public var migration = MigrationOptions()
    /// The folder for the migrated stores, each with the name of its source; `nil` to migrate in
    /// place.
    public var outputFolder: URL?
    /// With ``outputFolder``, the folder around all sources, whose paths below it are kept; `nil` to
    /// use only their names.
    public var baseFolder: URL?
    /// How many stores are computed at a time, from 1 to 64.
    public var jobs = 1
    /// How many stores become durable together, from 1 to 128; with 1, each by itself.
    public var group = 64
    /// The part of the stores that is migrated; `nil` for all. Each store belongs to one shard, by its
    /// path or name as it is given.
    public var shard: Shard?
    /// The order in which stores are begun.
    public var order = FleetOrder.listed
    /// So many stores, or such a share of them, come first, and the others are begun only if all of
    /// these are well; `nil` for none.
    public var canary: FleetShare?
    /// No further store is begun when more than this have failed, with 0 after the first failure; `nil`
    /// for no limit.
    public var maximumFailures: FleetShare?
    /// After this time no further store is begun, and those at work stop at their next batch; `nil`
    /// for no limit.
    public var timeBudget: Duration?
    /// A file to which a line is appended for each store, as `migrate fleet run` writes it; `nil` for
    /// none.
    public var ledger: URL?

    /// In place, one store at a time, durable in groups, without limits.
    public init() {}

    var places: ResultPlaces {
      outputFolder.map { .folder($0.path, base: baseFolder?.path) } ?? .inPlace
    }

    var limits: FleetLimits {
      var limits = FleetLimits()
      limits.jobs = min(max(1, jobs), FleetLimits.maximumJobs)
      limits.group = min(max(1, group), FleetLimits.maximumGroup)
      limits.maximumFailures = maximumFailures
      return limits
    }

    var choice: FleetSetup.Choice {
      var choice = FleetSetup.Choice()
      (choice.shard, choice.order, choice.canary) = (shard, order, canary)
      return choice
    }
  }
}
