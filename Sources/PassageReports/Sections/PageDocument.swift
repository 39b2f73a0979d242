extension MigrationPage {
  /// The page: one file of HTML that loads nothing and needs no program.
  ///
  /// - Complexity: O(n log n) in the entities, mappings and diagnostics.
  package var html: String {
    let sections = PageSection.all(of: self)
    let places = sections.map { section in
      "<li><a href='#\(section.id)'>\(section.title)</a></li>" as Markup
    }.joined()
    let body = sections.map(\.markup).joined()
    let document: Markup = """
      <!doctype html>
      <html lang='en'>
      <head>
      <meta charset='utf-8'>
      <meta name='viewport' content='width=device-width, initial-scale=1'>
      <meta name='generator' content='Passage \(toolVersion)'>
      <meta name='color-scheme' content='light dark'>
      <meta http-equiv='Content-Security-Policy' \
      content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
      <title>\(storeName): \(outcome.words)</title>
      <style>\(PageStyle.sheet)</style>
      </head>
      <body>
      <main>
      \(head)<nav aria-label='Sections'><ul>\(places)</ul></nav>
      \(body)<footer><p>Written on \(timeText) by Passage \(toolVersion), \
      <code>migrate \(command)</code>. This page loads nothing, and holds no values of attributes.\
      </p></footer>
      </main>
      </body>
      </html>

      """
    return document.text
  }

  /// Whether a file that begins with these bytes is such a page, which another one may replace.
  package static func isPage(_ prefix: [UInt8]) -> Bool {
    let text = String(decoding: prefix.prefix(Self.prefixBytes), as: UTF8.self)
    return text.hasPrefix("<!doctype html>")
      && text.contains("<meta name='generator' content='Passage ")
  }

  /// The number of bytes from which a page is recognised.
  package static let prefixBytes = 512
}

/// A part of the page with a heading.
struct PageSection {
  var id: String
  var title: String
  var content: Markup

  var markup: Markup {
    "<section id='\(id)'><h2>\(title)</h2>\(content)</section>\n"
  }

  /// The parts that have something to show, in order: what failed first.
  static func all(of page: MigrationPage) -> [PageSection] {
    [
      PageSection(id: "failure", title: "What failed", content: page.failureContent),
      PageSection(id: "comparison", title: "Comparison", content: page.comparisonContent),
      PageSection(id: "flow", title: "Flow of objects", content: page.flowContent),
      PageSection(id: "properties", title: "Changed properties", content: page.changesContent),
      PageSection(id: "passes", title: "Passes", content: page.passesContent),
      PageSection(id: "account", title: "Account of objects", content: page.accountContent),
      PageSection(id: "losses", title: "Losses", content: page.lossesContent),
      PageSection(id: "warnings", title: "Warnings", content: page.findingsContent),
      PageSection(id: "record", title: "Record of the store", content: page.recordContent),
    ].filter { !$0.content.isEmpty }
  }
}
