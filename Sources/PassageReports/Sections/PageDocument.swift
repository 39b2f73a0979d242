/// A page: one file of HTML that loads nothing and needs no program.
struct PageDocument {
  /// The title of the window.
  var title: String
  /// The version of Passage.
  var toolVersion: String
  /// When the page was written.
  var timeText: String
  /// The subcommand.
  var command: String
  var head: Markup
  /// Those without content are left out.
  var sections: [PageSection]

  /// - Complexity: O(n) in the length of the page.
  var html: String {
    let shown = sections.filter { !$0.content.isEmpty }
    let places = shown.map { section in
      "<li><a href='#\(section.id)'>\(section.title)</a></li>" as Markup
    }.joined()
    let body = shown.map(\.markup).joined()
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
      <title>\(title)</title>
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
}

/// A part of the page with a heading.
struct PageSection {
  var id: String
  var title: String
  var content: Markup

  var markup: Markup {
    "<section id='\(id)'><h2>\(title)</h2>\(content)</section>\n"
  }
}
