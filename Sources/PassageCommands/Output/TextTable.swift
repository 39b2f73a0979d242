internal import PassagePlatform

/// A table in which each column is as wide as its widest cell.
struct TextTable {
  enum Alignment {
    case left
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// - Parameter columns: each column's title and alignment.
  init(_ columns: [(title: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.title)]
  }

  /// Adds a row; missing cells are empty. Names in it are as wide as they are printed.
  mutating func add(_ cells: [String]) {
    rows.append((0..<alignments.count).map { $0 < cells.count ? cells[$0].visibleLine : "" })
  }

  /// The lines, indented by two spaces, without spaces at their ends.
  var lines: [String] {
    let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = " "
      for (column, cell) in row.enumerated() {
        let space = String(repeating: " ", count: widths[column] - cell.count)
        line += " " + (alignments[column] == .left ? cell + space : space + cell) + " "
      }
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }
}
