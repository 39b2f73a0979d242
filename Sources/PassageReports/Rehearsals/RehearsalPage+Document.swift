internal import PassageDiagnostics

extension RehearsalPage {
  /// The page as HTML: what failed first.
  ///
  /// - Complexity: O(n log n) in the ways and their findings.
  package var html: String {
    PageDocument(
      title: "Rehearsal: \(sentence)", toolVersion: toolVersion, timeText: timeText,
      command: "rehearse", head: head,
      sections: [
        PageSection(id: "failure", title: "What stopped it", content: failure?.content ?? ""),
        PageSection(id: "failures", title: "What failed", content: failuresContent),
        PageSection(id: "stores", title: "Stores and their ways", content: storesContent),
        PageSection(id: "flow", title: "Versions and ways", content: flowContent),
        PageSection(id: "meaning", title: "What each way is", content: waysContent),
      ]
    ).html
  }

  private var sentence: String {
    let failed = count(.failed)
    if let failure { return "failed: \(failure.summary)" }
    if failed > 0 { return "\(NumberText.count(Int64(failed), "way")) failed" }
    return nothingRehearsed.map { "nothing was rehearsed: \($0)" }
      ?? "all ways gave the same stores"
  }

  private var head: Markup {
    let title: Markup =
      target.map { "Rehearsal to version “<bdi>\($0)</bdi>”" } ?? "Rehearsal"
    let hasFailed = failure != nil || count(.failed) > 0
    // Nothing is neither.
    let verdict = hasFailed ? "bad" : nothingRehearsed == nil ? "good" : ""
    let first = String(sentence.prefix(1)).uppercased() + sentence.dropFirst()
    return """
      <header><p class='kicker'>migrate rehearse</p><h1>\(title)</h1>\
      <p class='outcome \(verdict)'><strong>\(first)</strong></p>\
      \(numbers)<dl class='facts'>\(seedRow)<div><dt>again</dt><dd><code>\(again)</code></dd></div>\
      </dl></header>

      """
  }

  private var seedRow: Markup {
    seed.map { "<div><dt>seed</dt><dd>\("\($0)")</dd></div>" } ?? ""
  }

  private var numbers: Markup {
    guard target != nil else { return "" }
    let objects = stores.reduce(Int64(0)) {
      $0.addingReportingOverflow($1.objects).partialValue
    }
    var shown = [
      (Int64(stores.count), stores.count == 1 ? "store" : "stores"), (objects, "objects"),
    ]
    for outcome in [Outcome.passed, .failed, .skipped] {
      let count = Int64(count(outcome))
      if count > 0 || outcome != .skipped { shown.append((count, outcome.numberName(count))) }
    }
    var items = shown.map {
      "<li><b>\(NumberText.count($0.0))</b> <span>\($0.1)</span></li>" as Markup
    }
    if let seconds {
      items.append("<li><b>\(NumberText.duration(seconds))</b> <span>time</span></li>")
    }
    return "<ul class='numbers'>\(items.joined())</ul>"
  }
}

extension RehearsalPage.Outcome {
  /// The word below a number in the head.
  fileprivate func numberName(_ count: Int64) -> String {
    let ways = count == 1 ? "way" : "ways"
    return switch self {
    case .passed: "\(ways) passed"
    case .failed: "\(ways) failed"
    case .skipped: "\(ways) not gone"
    }
  }
}
