internal import PassageDiagnostics
package import PassageFleets
internal import PassageStores

/// What is said about a fleet besides the outcomes of its stores, on the page and as text.
package struct FleetFacts {
  private let summary: FleetSummary

  package init(_ summary: FleetSummary) { self.summary = summary }

  /// Names and texts; only those that there is something to say about.
  package var rows: [(name: String, text: String)] {
    var rows: [(name: String, text: String)] = []
    let counts = summary.totals.counts
    let objects = [
      ("migrated", counts.migrated), ("split", counts.split), ("merged", counts.merged),
      ("filtered", counts.filtered), ("removed", counts.removed),
      ("quarantined", counts.quarantined), ("added", counts.added),
    ].filter { $0.1 > 0 }.map { "\(NumberText.count($0.1)) \($0.0)" }
    if !objects.isEmpty { rows.append(("objects", objects.joined(separator: ", "))) }
    if summary.totals.losses > 0 {
      rows.append(("lost", NumberText.count(summary.totals.losses, "value")))
    }
    if summary.totals.warnings > 0 {
      rows.append(("warnings", "\(NumberText.count(summary.totals.warnings)), told by each run"))
    }
    if summary.retried > 0 {
      rows.append(
        (
          "retried",
          "\(NumberText.count(Int64(summary.retried), "store")), at most "
            + "\(NumberText.count(Int64(summary.mostAttempts))) attempts of one"
        ))
    }
    if let first = summary.firstTime, let last = summary.lastTime {
      rows.append(("time", first == last ? first : "\(first) to \(last)"))
    }
    if let plan = summary.plan { rows.append(("plan", plan)) }
    return rows
  }
}
