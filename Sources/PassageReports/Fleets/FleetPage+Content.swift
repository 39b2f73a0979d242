internal import PassageDiagnostics
internal import PassageFleets

extension FleetPage {
  /// Each code once, with its remedy, the most frequent first.
  var failuresContent: Markup {
    let all = summary.totals.failures.sorted { $0.count > $1.count }
    let rest = summary.totals.unlistedFailures
    let more: Markup =
      rest > 0
      ? """
      <p class='rest'>\(NumberText.count(Int64(rest), "further store")) failed with other codes, \
      which the ledgers name.</p>
      """ : ""
    return all.map { content($0) }.joined() + more
  }

  private func content(_ failure: FleetTotals.Failures) -> Markup {
    let remedy: Markup = failure.remedy.map { "<div><dt>try</dt><dd>\($0)</dd></div>" } ?? ""
    return """
      <article class='finding error'><h3><span class='severity'>\
      \(NumberText.count(Int64(failure.count), "store"))</span> <code>\(failure.code)</code> \
      \(failure.message)</h3><dl class='facts'><div><dt>class</dt><dd>\("\(failure.exitClass)")</dd>\
      </div><div><dt>first</dt><dd><bdi>\(failure.example)</bdi></dd></div>\(remedy)</dl></article>
      """
  }

  var warningsContent: Markup {
    let rest = summary.warnings.unlistedCount
    let more: Markup =
      rest > 0 ? "<p class='rest'>And \(NumberText.count(Int64(rest))) more.</p>" : ""
    return summary.warnings.all.map { MigrationPage.Finding($0).markup }.joined() + more
  }

  var routesContent: Markup {
    guard !summary.routes.isEmpty else { return "" }
    var table = ReportTable([
      ("from", .text), ("to", .text), ("outcome", .text), ("stores", .number),
    ])
    for route in summary.routes.sorted(by: { $0.count > $1.count }) {
      table.add([
        "<bdi>\(route.from ?? "unknown")</bdi>", "<bdi>\(route.to ?? "unknown")</bdi>",
        "\(route.outcome.words)", "\(NumberText.count(Int64(route.count)))",
      ])
    }
    guard summary.unlistedRoutes > 0 else { return table.markup }
    let rest = NumberText.count(Int64(summary.unlistedRoutes), "store")
    return table.markup + "<p class='rest'>And \(rest) between other versions.</p>"
  }

  var slowestContent: Markup {
    guard !summary.slowest.isEmpty else { return "" }
    var table = ReportTable([
      ("store", .text), ("outcome", .text), ("time", .number), ("size", .number),
      ("objects", .number),
    ])
    for store in summary.slowest {
      table.add([
        "<b><bdi>\(store.store)</bdi></b>", "\(store.outcome.words)",
        "\(NumberText.duration(store.seconds))", "\(NumberText.bytes(store.bytes))",
        "\(NumberText.count(store.objects))",
      ])
    }
    return table.markup
  }

  var ledgersContent: Markup {
    var table = ReportTable([
      ("ledger", .text), ("lines", .number), ("of other plans", .number), ("torn", .number),
    ])
    for ledger in summary.ledgers {
      table.add([
        "<bdi>\(ledger.path)</bdi>", "\(NumberText.count(Int64(ledger.lines)))",
        "\(NumberText.count(Int64(ledger.linesOfOtherPlans)))",
        "\(NumberText.count(Int64(ledger.tornLines)))",
      ])
    }
    return table.markup
  }
}

extension LedgerEntry.Outcome {
  /// The outcome as words.
  package var words: String {
    switch self {
    case .migrated: "migrated"
    case .upToDate: "up to date"
    case .failed: "failed"
    case .published: "published"
    }
  }
}
