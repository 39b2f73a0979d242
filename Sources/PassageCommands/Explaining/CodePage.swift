internal import Passage

/// What the documentation's page of errors says of one code. The page itself is in the repository, and
/// is part of the program.
struct CodePage {
  let code: String
  /// What the group of codes is about: the heading of its table.
  let subject: String
  let meaning: String
  let remedy: String
  /// `warning` or `note` for a code that is never an error.
  let severity: Diagnostic.Severity

  /// The class of failure; `nil` for a code that never ends a call.
  var failureKind: MigrationError.Kind? {
    severity == .error ? MigrationError.Kind(code: code) : nil
  }

  /// Every code of the page, in its order.
  static let all = pages(in: String(decoding: PackageResources.Errors_md, as: UTF8.self))

  /// The codes of a page: rows of tables whose first cell is a code, below headings.
  static func pages(in markdown: String) -> [CodePage] {
    var subject = ""
    var pages: [CodePage] = []
    for line in markdown.split(separator: "\n") {
      if line.hasPrefix("### ") { subject = String(line.dropFirst(4)) }
      if let page = CodePage(row: line, subject: subject) { pages.append(page) }
    }
    return pages
  }

  /// - Parameter row: a line of the page.
  /// - Returns: `nil` unless it is the row of a code: its cells are the code, what it means and what to
  ///   do.
  private init?(row: Substring, subject: String) {
    let cells = Self.cells(of: row)
    guard cells.count == 3, cells[0].hasPrefix("`"), cells[0].hasSuffix("`") else { return nil }
    let code = cells[0].dropFirst().dropLast()
    guard code.utf8.count == 7, code.dropFirst(3).first == "-" else { return nil }
    self.code = String(code)
    self.subject = subject
    var meaning = cells[1][...]
    let marks: [(mark: String, severity: Diagnostic.Severity)] = [
      ("*Warning.* ", .warning), ("*Note.* ", .note),
    ]
    let found = marks.first { meaning.hasPrefix($0.mark) }
    if let found { meaning.removeFirst(found.mark.count) }
    severity = found?.severity ?? .error
    self.meaning = Self.plain(meaning)
    remedy = Self.plain(cells[2][...])
  }

  /// The cells between vertical bars; one after a backslash is part of a cell.
  private static func cells(of row: Substring) -> [String] {
    guard row.hasPrefix("| "), row.hasSuffix(" |") else { return [] }
    var cells = [""]
    var isEscaped = false
    for letter in row.dropFirst(2).dropLast(2) {
      if letter == "|", !isEscaped {
        cells.append("")
      } else if letter != "\\" || isEscaped {
        cells[cells.count - 1].append(letter)
      }
      isEscaped = letter == "\\" && !isEscaped
    }
    return cells.map { cell in
      String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The text without marks: links to pages become their names.
  private static func plain(_ markdown: Substring) -> String {
    var text = ""
    var rest = markdown
    var isCode = false
    while let letter = rest.first {
      if !isCode, rest.hasPrefix("<doc:"), let end = rest.firstIndex(of: ">") {
        text += "the page “\(rest[rest.index(rest.startIndex, offsetBy: 5)..<end])”"
        rest = rest[rest.index(after: end)...]
        continue
      }
      if letter == "`" {
        isCode.toggle()
      } else if letter != "*" || isCode {
        text.append(letter)
      }
      rest.removeFirst()
    }
    return text
  }
}
