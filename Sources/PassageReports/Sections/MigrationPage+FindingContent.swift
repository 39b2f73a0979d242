internal import PassageDiagnostics

extension MigrationPage.Failure {
  /// What failed, where, why, and what comes next.
  var content: Markup {
    var content = findings.map(\.markup).joined()
    if unlistedCount > 0 {
      content.append("<p>And \(NumberText.count(Int64(unlistedCount))) more.</p>")
    }
    var rows: Markup = """
      <div><dt>exit status</dt><dd>\(exitStatus): \(summary)</dd></div>
      """
    if let disk = diskState {
      rows.append("<div><dt>on disk</dt><dd>\(disk)</dd></div>")
    }
    return content + "<dl class='facts'>\(rows)</dl>"
  }
}

extension MigrationPage {
  /// The warnings and notes.
  var findingsContent: Markup { findings.map(\.markup).joined() }
}

extension MigrationPage.Finding {
  var markup: Markup { markup(at: nil) }

  /// - Parameter place: what the finding is about, as a line below its message.
  func markup(at place: Markup?) -> Markup {
    let severity = diagnostic.severity.rawValue
    var rows = Markup()
    func add(_ name: String, _ text: String?) {
      guard let text else { return }
      rows.append("<div><dt>\(name)</dt><dd>\(text)</dd></div>")
    }
    add("where", diagnostic.location?.description)
    if !excerpt.isEmpty {
      rows.append("<div><dt></dt><dd><pre>\(excerpt.joined(separator: "\n"))</pre></dd></div>")
    }
    add("why", diagnostic.reason)
    add("try", diagnostic.remedy)
    if isExplained {
      rows.append(
        "<div><dt>more</dt><dd><code>migrate explain \(diagnostic.code)</code></dd></div>")
    }
    let list: Markup = rows.isEmpty ? "" : "<dl class='facts'>\(rows)</dl>"
    return """
      <article class='finding \(severity)'><h3><span class='severity'>\(severity)</span> \
      <code>\(diagnostic.code)</code> \(diagnostic.message)</h3>\(place ?? "")\(list)</article>
      """
  }
}
