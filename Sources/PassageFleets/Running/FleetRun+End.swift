package import PassageDiagnostics
internal import PassageEngine

extension FleetRun {
  /// How a run ended.
  package struct End: Sendable {
    package var totals: FleetTotals
    /// The stores that were not begun, or not finished.
    package var left: Int
    /// `nil` if every store is done.
    package var stop: FleetStop?
    package var seconds: Double
    /// What could not be cleaned up at the end.
    package var warnings = Diagnostics()

    package init(totals: FleetTotals, left: Int, stop: FleetStop?, seconds: Double) {
      self.totals = totals
      self.left = left
      self.stop = stop
      self.seconds = seconds
    }

    /// The exit status of a run: 0 if all stores are well, 33 if it was stopped, and 31 or 32 if its
    /// ledger cannot be written, so that the same command must be called again for the rest, whatever failed so
    /// far, and 50 if stores failed.
    package var exitStatus: Int32 {
      switch stop {
      case .cancelled: MigrationError.Kind.cancelled.rawValue
      case .ledger(let error): error.kind.rawValue
      case .failures, .canary: Self.someFailed
      case nil: totals.failed > 0 ? Self.someFailed : 0
      }
    }

    /// The exit status of a fleet of which some stores failed.
    package static let someFailed: Int32 = 50
  }
}
