/// Rows of cells as text.
enum TextTable {
  /// Columns of equal width.
  static func lines(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (cell, width) in zip(row, widths) {
        line += cell + String(repeating: " ", count: width - cell.count + 2)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// Markdown; the first row is the heading.
  static func markdown(_ rows: [[String]]) -> [String] {
    var lines = rows.map { "| \($0.joined(separator: " | ")) |" }
    if let heading = rows.first {
      lines.insert("|" + heading.map { _ in "---|" }.joined(), at: 1)
    }
    return lines
  }
}
