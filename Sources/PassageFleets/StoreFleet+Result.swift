internal import Passage
public import PassageDiagnostics
public import PassageEngine
public import PassagePlatform

extension StoreFleet {
  /// What became of one store.
  public struct Result: Sendable {
    /// How an attempt can end.
    public enum Outcome: String, Sendable, Hashable {
      /// The migrated store is in place.
      case migrated
      /// There was nothing to do.
      case upToDate
      /// The store is as it was.
      case failed
    }

    /// The store; for one that is not a file here, its name as a path.
    public var store: URL
    /// The path or name as it was given.
    public var name: String
    /// How the attempt ended.
    public var outcome: Outcome
    /// The report of the migration; `nil` if it failed.
    public var report: MigrationReport?
    /// Why it failed; `nil` if it did not.
    public var error: MigrationError?
    /// How long it took until it was durable, in seconds.
    public var seconds: Double

    init(_ result: FleetResult) {
      store = URL(filePath: result.entry.store)
      name = result.entry.store
      outcome =
        result.error != nil
        ? .failed
        : result.report?.outcome == .migrated
          ? .migrated : .upToDate
      report = result.report
      error = result.error
      seconds = result.entry.seconds
    }
  }

  /// What became of all stores.
  public struct Summary: Sendable, Hashable {
    /// The stores that were migrated.
    public var migrated: Int
    /// The stores with nothing to do.
    public var upToDate: Int
    /// The stores that stayed as they were.
    public var failed: Int
    /// The stores that were not begun, or not finished: the same call goes on with them.
    public var notDone: Int
    /// Why the run ended before every store was done, with one of these codes: `FLT-013` if the ledger
    /// cannot be written (`RUN-006` on a full disk), `FLT-014` if it was cancelled or its time was over, `FLT-015` if more
    /// stores failed than may fail, `FLT-016` if some of those that come first failed. `nil` if
    /// every store is done, well or not.
    public var stop: Diagnostic?
    /// What is to be checked, such as a line of the ledger that cannot be read.
    public var warnings: Diagnostics
    /// How long the run took, in seconds.
    public var seconds: Double

    init(_ end: FleetRun.End, warnings: Diagnostics) {
      migrated = end.totals.migrated
      upToDate = end.totals.upToDate
      failed = end.totals.failed
      notDone = end.left
      stop = end.stop?.diagnostic(left: end.left)
      self.warnings = warnings
      seconds = end.seconds
    }
  }
}
