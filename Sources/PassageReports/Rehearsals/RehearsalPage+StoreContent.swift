internal import PassageDiagnostics

extension RehearsalPage {
  /// Every store with every way, and why ways were not gone.
  var storesContent: Markup {
    guard !stores.isEmpty else { return "" }
    var table = ReportTable(
      [("store", .text), ("version", .text), ("objects", .number)]
        + wayNames.map { ($0, .text) })
    for store in stores {
      let version: Markup = "<bdi>\(store.versionName)</bdi>"
      table.add(
        ["<b>\(store.label)</b>", version, "\(NumberText.count(store.objects))"]
          + wayNames.map { cell(store.way($0)) })
    }
    return table.markup + skippedContent
  }

  private func cell(_ way: Way?) -> Markup {
    guard let way else { return "" }
    let time = way.seconds.map { NumberText.duration($0) } ?? ""
    return """
      <span class='trial \(way.outcome.rawValue)'>\(way.outcome.word)</span> \
      <span class='traits date'>\(time)</span>
      """
  }

  /// Each reason once, with the ways and the number of stores.
  private var skippedContent: Markup {
    var reasons: [String] = []
    var counts: [String: [String: Int]] = [:]
    for way in stores.flatMap(\.ways) {
      guard way.outcome == .skipped, let reason = way.reason else { continue }
      if counts[reason] == nil { reasons.append(reason) }
      counts[reason, default: [:]][way.name, default: 0] += 1
    }
    guard !reasons.isEmpty else { return "" }
    let items = reasons.map { reason in
      let ways = wayNames.compactMap { name in
        counts[reason]?[name].map { "\(name) of \(NumberText.count(Int64($0), "store"))" }
      }
      return "<li>\(reason): \(ways.joined(separator: ", "))</li>" as Markup
    }.joined()
    return
      "<details><summary>Why ways were not gone</summary><ul class='reasons'>\(items)</ul></details>"
  }

  /// What the names of the ways mean.
  var waysContent: Markup {
    let rows = ways.map { "<div><dt>\($0.name)</dt><dd>\($0.text)</dd></div>" as Markup }
    return stores.isEmpty ? "" : "<dl class='facts'>\(rows.joined())</dl>"
  }
}

extension RehearsalPage.Outcome {
  /// The outcome as one word, or two.
  var word: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .skipped: "not gone"
    }
  }
}
