/// A table in a box of its own, which scrolls when the window is narrow.
struct ReportTable {
  enum Alignment {
    case text
    case number
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [Markup] = []
  private var foot = Markup()

  init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

  /// Adds a row of texts. It has a name of its own, since literals would be taken for texts.
  mutating func add(texts cells: [String]) { rows.append(row(cells.map { Markup(escaping: $0) })) }

  /// Adds a row of markup.
  mutating func add(_ cells: [Markup]) { rows.append(row(cells)) }

  /// Sets the row of sums.
  mutating func setFoot(_ cells: [String]) { foot = row(cells.map { Markup(escaping: $0) }) }

  var markup: Markup {
    let heads = columns.map { column in
      let kind = column.alignment == .number ? "number" : "text"
      return "<th class='\(kind)'>\(column.title)</th>" as Markup
    }.joined()
    let end: Markup = foot.isEmpty ? "" : "<tfoot>\(foot)</tfoot>"
    return """
      <div class='scroll'><table><thead><tr>\(heads)</tr></thead><tbody>\(rows.joined())</tbody>\
      \(end)</table></div>
      """
  }

  private func row(_ cells: [Markup]) -> Markup {
    let cells = zip(columns, cells).map { column, cell in
      column.alignment == .number
        ? "<td class='number'>\(cell)</td>" as Markup : "<td>\(cell)</td>"
    }
    return "<tr>\(cells.joined())</tr>"
  }
}
