/// How far a migration, an installation or a packing has come, by the number of processed objects.
public struct MigrationProgress: Sendable, Hashable {
  /// The current phase, in the order in which they occur.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// Everything is checked; nothing is written.
    case prepare
    /// A source of another type is converted into Core Data's layout.
    case stage
    /// A pre-filled store is copied, to be installed or packed.
    case copy
    /// Destination objects are made.
    case create
    /// Destination objects are related.
    case relate
    /// Policies validate their pass.
    case validate
    /// The pass stores of a step are combined into one store.
    case assemble
    /// What was written is read again and checked: its pages after a pass, and the new store against
    /// its model and the account.
    case verify
    /// Indexes are built, and the store is made durable.
    case seal
    /// The new store is put in place.
    case cutOver
    /// Everything is done.
    case finished
  }

  /// A pass that is finished.
  public struct FinishedPass: Sendable, Hashable {
    /// The pass's step, counted from 1.
    public var step: Int
    /// The pass in its step, counted from 1.
    public var pass: Int
    /// The number of passes of the step.
    public var passCount: Int
    /// The mapping model's name.
    public var name: String
    /// Source objects that the pass has read, including those read by an interrupted run.
    public var read: Int64
    /// The seconds that the pass took in this process.
    public var seconds: Double
  }

  /// The current phase.
  public var phase: Phase = .prepare
  /// The current step, counted from 1.
  public var step = 1
  /// The number of steps of the migration.
  public var stepCount = 1
  /// The current pass, counted from 1.
  public var pass = 1
  /// The number of passes of the step.
  public var passCount = 1
  /// The mapping model's name; empty outside a pass.
  public var passName = ""
  /// The entity mapping's name; empty when no entity mapping is running.
  public var mappingName = ""
  /// Source objects read so far in this pass.
  public var passCompleted: Int64 = 0
  /// Source objects to read in this pass.
  public var passTotal: Int64 = 0
  /// Source objects read so far in all passes of all steps, including those read by an interrupted
  /// run.
  public var completed: Int64 = 0
  /// Source objects to read in all passes of all steps. The number for later steps is estimated, and
  /// corrected when the step before has made what they read.
  public var total: Int64 = 0
  /// Source objects per second since this process began to read; 0 during the first second.
  public var objectsPerSecond: Double = 0
  /// The estimated seconds left at that rate; `nil` until the rate is known.
  public var secondsLeft: Double?

  /// The passes that are finished, in the order in which they ran. Each progress has all of them, so
  /// that a slow reader misses none. Passes of a step that an earlier process finished are not in it.
  public var finishedPasses: [FinishedPass] = []

  /// The completed fraction, from 0 to 1; 1 only when the migration is finished. In the progress of
  /// one migration it never decreases: where the total turns out to be larger, or a pass begins again,
  /// it stays until the work has caught up.
  public var fraction: Double {
    if phase == .finished { return 1 }
    guard total > 0 else { return heldFraction }
    return max(heldFraction, min(Self.largestUnfinished, Double(completed) / Double(total)))
  }

  /// The largest fraction so far.
  private var heldFraction = 0.0

  private static let largestUnfinished = 0.999

  /// Has later changes of this progress not decrease the fraction.
  mutating func holdFraction() { heldFraction = min(Self.largestUnfinished, fraction) }

  /// The progress of a migration that has not begun.
  public init() {}
}
