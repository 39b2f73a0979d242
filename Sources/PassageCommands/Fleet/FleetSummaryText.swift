internal import Passage
internal import PassageFleets
internal import PassageReports

/// What ledgers say of a fleet, as text and as JSON.
struct FleetSummaryText {
  private let summary: FleetSummary
  private let command: String
  private var totals: FleetTotals { summary.totals }

  init(_ summary: FleetSummary, command: String) {
    self.summary = summary
    self.command = command
  }

  /// `1,000 stores: 940 migrated, 50 up to date, 10 failed`
  var headline: String {
    let parts = [
      ("migrated", totals.migrated), ("published", totals.published),
      ("up to date", totals.upToDate), ("failed", totals.failed),
    ].filter { $0.1 > 0 }.map { "\(NumberText.count(Int64($0.1))) \($0.0)" }
    let count = NumberText.count(Int64(totals.done), "store")
    return parts.isEmpty ? "\(count) in the ledgers" : "\(count): \(parts.joined(separator: ", "))"
  }

  var json: JSONText { Self.json(summary, command: command) }

  var text: OutputText {
    var lines = OutputText(lines: [headline, ""])
    for (name, text) in FleetFacts(summary).rows {
      lines.append("  \(name)\(String(repeating: " ", count: max(1, 10 - name.count)))\(text)")
    }
    lines += FailureLines(totals).lines + routes + times + slowest + ledgers
    if !summary.warnings.isEmpty {
      lines.append("")
      lines += OutputText(summary.warnings)
    }
    return lines
  }

  private var routes: [String] {
    guard !summary.routes.isEmpty else { return [] }
    var table = TextTable([
      ("from", .left), ("to", .left), ("outcome", .left), ("stores", .right),
    ])
    for route in summary.routes.sorted(by: { $0.count > $1.count }) {
      table.add([
        route.from ?? "unknown", route.to ?? "unknown", route.outcome.words,
        NumberText.count(Int64(route.count)),
      ])
    }
    let rest = Int64(summary.unlistedRoutes)
    return [""] + table.lines
      + (rest > 0 ? ["  and \(NumberText.count(rest, "store")) between other versions"] : [])
  }

  private var times: [String] {
    let bins = Array(summary.times.shown)
    guard let most = bins.map(\.count).max(), most > 0 else { return [] }
    var table = TextTable([("time", .left), ("stores", .right), ("", .left)])
    for (name, bin) in zip(summary.times.shownNames, bins) {
      let share = Double(bin.count) / Double(most)
      let cells = bin.count > 0 ? max(1, Int((40 * share).rounded())) : 0
      table.add([
        name, NumberText.count(Int64(bin.count)), String(repeating: "#", count: cells),
      ])
    }
    return [""] + table.lines
  }

  private var slowest: [String] {
    guard !summary.slowest.isEmpty else { return [] }
    var table = TextTable([
      ("slowest", .left), ("outcome", .left), ("time", .right), ("size", .right),
      ("objects", .right),
    ])
    for store in summary.slowest {
      table.add([
        store.store, store.outcome.words, NumberText.duration(store.seconds),
        NumberText.bytes(store.bytes), NumberText.count(store.objects),
      ])
    }
    return [""] + table.lines
  }

  private var ledgers: [String] {
    var table = TextTable([
      ("ledger", .left), ("lines", .right), ("of other plans", .right), ("torn", .right),
    ])
    for ledger in summary.ledgers {
      table.add(
        [ledger.path]
          + [ledger.lines, ledger.linesOfOtherPlans, ledger.tornLines].map {
            NumberText.count(Int64($0))
          })
    }
    return [""] + table.lines
  }
}
