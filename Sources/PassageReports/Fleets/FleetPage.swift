internal import PassageDiagnostics
package import PassageFleets
internal import PassageStores

/// The page about a fleet: what its ledgers say.
///
/// It holds names, numbers and sentences, never values of attributes.
package struct FleetPage: Sendable {
  package var summary: FleetSummary
  package var timeText: String
  package var toolVersion: String

  package init(_ summary: FleetSummary, timeText: String, toolVersion: String) {
    self.summary = summary
    self.timeText = timeText
    self.toolVersion = toolVersion
  }

  /// The page as HTML: what failed first.
  package var html: String {
    PageDocument(
      title: "Fleet: \(sentence)", toolVersion: toolVersion, timeText: timeText,
      command: "fleet report", head: head,
      sections: [
        PageSection(id: "failures", title: "What failed", content: failuresContent),
        PageSection(id: "warnings", title: "About the ledgers", content: warningsContent),
        PageSection(id: "versions", title: "Versions", content: routesContent),
        PageSection(id: "times", title: "Times, until a store is durable", content: timesContent),
        PageSection(id: "slowest", title: "Slowest stores", content: slowestContent),
        PageSection(id: "ledgers", title: "Ledgers", content: ledgersContent),
      ]
    ).html
  }

  private var totals: FleetTotals { summary.totals }

  private var sentence: String {
    if totals.done == 0 { return "no store is in the ledgers" }
    let count = NumberText.count(Int64(totals.failed), "store")
    return totals.failed > 0 ? "\(count) failed" : "all stores are well"
  }

  private var head: Markup {
    let target = Set(summary.routes.compactMap(\.to))
    let name = target.count == 1 ? target.first : nil
    let title: Markup = name.map { "Fleet at version “<bdi>\($0)</bdi>”" } ?? "Fleet"
    let first = sentence.prefix(1).uppercased() + sentence.dropFirst()
    return """
      <header><p class='kicker'>migrate fleet report</p><h1>\(title)</h1>\
      <p class='outcome \(totals.failed == 0 ? "good" : "bad")'><strong>\(first)</strong></p>\
      \(numbers)\(facts)</header>

      """
  }

  private var numbers: Markup {
    var shown: [(String, String)] = [(NumberText.count(Int64(totals.done)), "stores")]
    for (count, name) in [
      (totals.migrated, "migrated"), (totals.published, "published"),
      (totals.upToDate, "up to date"), (totals.failed, "failed"),
    ] where count > 0 { shown.append((NumberText.count(Int64(count)), name)) }
    shown.append((NumberText.count(totals.counts.migrated), "objects migrated"))
    shown.append((NumberText.bytes(totals.bytes), "of sources"))
    let items = shown.map { "<li><b>\($0.0)</b> <span>\($0.1)</span></li>" as Markup }
    return "<ul class='numbers'>\(items.joined())</ul>"
  }

  private var facts: Markup {
    let rows = FleetFacts(summary).rows.map { name, text in
      "<div><dt>\(name)</dt><dd>\(text)</dd></div>" as Markup
    }
    return rows.isEmpty ? "" : "<dl class='facts'>\(rows.joined())</dl>"
  }
}
