/// How far a migration, an installation or a packing has come, over objects really done.
public struct MigrationProgress: Sendable, Hashable {
  /// What is being done, in the order of a record's way.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// Everything is checked; nothing is written yet.
    case prepare
    /// A source of another type is brought into Core Data's layout.
    case stage
    /// A pre-filled store is copied, to be installed or packed.
    case copy
    /// Destination objects are made.
    case create
    /// Destination objects are related.
    case relate
    /// Policies judge their pass.
    case validate
    /// The passes of a step become one store.
    case assemble
    /// The new store is compared with its model and the account.
    case verify
    /// Indexes are built, and the store is made durable.
    case seal
    /// The new store takes its place.
    case cutOver
    /// All is done.
    case finished
  }

  /// What is being done.
  public var phase: Phase = .prepare
  /// Counted from 1.
  public var step = 1
  /// How many steps the migration has.
  public var stepCount = 1
  /// Counted from 1.
  public var pass = 1
  /// How many passes the step has.
  public var passCount = 1
  /// The mapping model's name; empty outside a pass.
  public var passName = ""
  /// The entity mapping's name; empty outside one.
  public var mappingName = ""
  /// Source objects read so far, in this pass.
  public var passCompleted: Int64 = 0
  /// Source objects to read, in this pass.
  public var passTotal: Int64 = 0
  /// Source objects read so far, in all passes of all steps, those of an interrupted run included.
  public var completed: Int64 = 0
  /// Source objects to read, in all passes of all steps; those of later steps are estimated.
  public var total: Int64 = 0
  /// Source objects a second, since this process began to read; 0 during its first second.
  public var objectsPerSecond: Double = 0
  /// Seconds left at that rate; `nil` before there is one.
  public var secondsLeft: Double?

  /// From 0 to 1; 1 only when the migration is finished.
  public var fraction: Double {
    if phase == .finished { return 1 }
    guard total > 0 else { return 0 }
    return min(0.999, Double(completed) / Double(total))
  }

  /// The progress of a migration that has not begun.
  public init() {}
}
