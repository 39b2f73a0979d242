internal import PassageDiagnostics

extension MigrationPage.Outcome {
  /// The outcome as a title.
  var words: String {
    switch self {
    case .migrated: "migrated"
    case .upToDate: "nothing to do"
    case .planned: "planned"
    case .equal: "verified"
    case .different: "differences found"
    case .failed: "failed"
    }
  }

  /// The outcome as a sentence.
  fileprivate var sentence: String {
    switch self {
    case .migrated: "Migrated"
    case .upToDate: "Nothing to do: the store is at its version already"
    case .planned: "Planned; nothing was migrated"
    case .equal: "Verified: the store equals a new migration of its source"
    case .different: "The store differs from a new migration of its source"
    case .failed: "Failed"
    }
  }

  /// The class for its colour.
  fileprivate var tone: String {
    switch self {
    case .migrated, .equal, .upToDate: "good"
    case .planned: "plain"
    case .different, .failed: "bad"
    }
  }
}

extension MigrationPage {
  /// The head of the page: what ran on what, how it ended, and the most important numbers.
  var head: Markup {
    let sentence = failure.map { "\(outcome.sentence): \($0.summary)" } ?? outcome.sentence
    return """
      <header><p class='kicker'>migrate \(command)</p><h1>\(storeName)</h1>\
      <p class='outcome \(outcome.tone)'><strong>\(sentence)</strong>\(way)</p>\
      \(numbers)\(factList)</header>

      """
  }

  private var way: Markup {
    guard let first = steps.first else { return "" }
    let names = [first.source] + steps.map(\.destination)
    return
      " <span class='way'>\(names.map { "<bdi>\($0)</bdi>" as Markup }.joined(separator: " → "))</span>"
  }

  /// The sum of all accounts.
  var totals: Counts { mappings.compactMap(\.counts).sum }

  private var numbers: Markup {
    var shown: [(String, String)] = []
    if mappings.contains(where: { $0.counts != nil }) {
      let totals = totals
      shown.append((NumberText.count(totals.read), "read"))
      let made = [totals.migrated, totals.split, totals.added]
        .reduce(Int64(0)) { $0.addingReportingOverflow($1).partialValue }
      shown.append((NumberText.count(made), "made"))
      shown += totals.fates.filter { $0.fate != .migrated }.map {
        (NumberText.count($0.count), $0.fate.rawValue)
      }
    }
    let lost = losses.compactMap(\.count).reduce(Int64(0)) {
      $0.addingReportingOverflow($1).partialValue
    }
    if lost > 0 { shown.append((NumberText.count(lost), lost == 1 ? "value lost" : "values lost")) }
    if let seconds { shown.append((NumberText.duration(seconds), "time")) }
    guard !shown.isEmpty else { return "" }
    let items = shown.map { "<li><b>\($0.0)</b> <span>\($0.1)</span></li>" as Markup }
    return "<ul class='numbers'>\(items.joined())</ul>"
  }

  private var factList: Markup {
    let items = facts.map { "<div><dt>\($0.name)</dt><dd>\($0.text)</dd></div>" as Markup }
    return items.isEmpty ? "" : "<dl class='facts'>\(items.joined())</dl>"
  }
}
