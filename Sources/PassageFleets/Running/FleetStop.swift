package import PassageDiagnostics
package import PassageEngine

/// Why a run ended before every store was done.
package enum FleetStop: Sendable {
  /// It was cancelled, or its time was over.
  case cancelled
  /// More stores failed than may fail.
  case failures(allowed: Int)
  /// Some of the stores that came first failed.
  case canary(failed: Int, of: Int)
  /// The ledger cannot be written.
  case ledger(MigrationError)

  /// What a message says about it.
  ///
  /// - Parameter left: the stores that are not done.
  package func diagnostic(left: Int) -> Diagnostic {
    switch self {
    case .cancelled:
      Diagnostic(
        "FLT-014", "the run was stopped before \(left) stores were done", severity: .warning,
        reason: "it was cancelled, or its time was over",
        remedy: "run the same command again: it goes on with them")
    case .failures(let allowed):
      Diagnostic(
        "FLT-015", "too many stores failed", severity: .error,
        reason: "more than \(allowed) may not fail; \(left) stores were not begun",
        remedy:
          "correct what makes them fail, or allow more with --max-failures, then run the same "
          + "command again")
    case .canary(let failed, let count):
      Diagnostic(
        "FLT-016", "\(failed) of the \(count) stores that come first failed", severity: .error,
        reason:
          "all of them must be well before the others are begun; \(left) stores were not begun",
        remedy: "correct what makes them fail, then run the same command again")
    case .ledger(let error):
      error.diagnostics.all.first
        ?? Diagnostic("FLT-013", "the ledger cannot be written", severity: .error)
    }
  }
}
