/// Where the boxes of a diagram are, in pixels.
struct DiagramLayout {
  typealias Box = FlowLayout.Box

  static let boxWidth = 330.0
  static let columnGap = 96.0
  static let rowGap = 22.0
  static let rowHeight = 18.0
  static let headHeight = 30.0
  static let noteHeight = 16.0
  /// The room around the drawing, and for its title.
  static let margin = 24.0
  static let titleHeight = 40.0

  let diagram: Diagram
  private(set) var boxes: [Box]
  private(set) var width: Double
  private(set) var height: Double

  init(_ diagram: Diagram) {
    self.diagram = diagram
    let heights = diagram.nodes.map { Self.height(of: $0) }
    let columns = DiagramColumns.columns(of: diagram, heights: heights)
    boxes = heights.map { Box(x: 0, y: 0, width: Self.boxWidth, height: $0) }
    width = 0
    height = 0
    for (index, column) in columns.enumerated() {
      for position in column {
        boxes[position].x = Self.margin + Double(index) * (Self.boxWidth + Self.columnGap)
      }
    }
    place(columns)
    width = (boxes.map { $0.x + $0.width }.max() ?? Self.boxWidth) + Self.margin + 40
    height = (boxes.map { $0.y + $0.height }.max() ?? Self.titleHeight) + Self.margin
  }

  static func height(of node: Diagram.Node) -> Double {
    headHeight + (node.note == nil ? 0 : noteHeight)
      + (node.rows.isEmpty ? 0 : 10 + rowHeight * Double(node.rows.count))
  }

  /// The height at which an arrow meets a box.
  func level(of position: Int, row: Int?, _ kind: Diagram.Edge.Kind) -> Double {
    let (node, box) = (diagram.nodes[position], boxes[position])
    if kind == .flow { return box.center }
    guard let row, node.rows.indices.contains(row) else { return box.y + Self.headHeight / 2 }
    return box.y + rowsTop(of: node) + Self.rowHeight * (Double(row) + 0.5)
  }

  /// Where the rows of a box begin, from its upper edge.
  func rowsTop(of node: Diagram.Node) -> Double {
    Self.headHeight + (node.note == nil ? 0 : Self.noteHeight) + 4
  }

  private mutating func place(_ columns: [[Int]]) {
    var before = [[Int]](repeating: [], count: boxes.count)
    var after = before
    for edge in diagram.edges {
      for (one, other) in [(edge.from, edge.to), (edge.to, edge.from)] {
        if boxes[one].x < boxes[other].x { after[one].append(other) }
        if boxes[one].x > boxes[other].x { before[one].append(other) }
      }
    }
    let placement = ColumnPlacement(
      columns: columns, before: before, after: after, heights: boxes.map(\.height),
      gap: Self.rowGap)
    for position in boxes.indices {
      boxes[position].y = Self.margin + Self.titleHeight + placement.tops[position]
    }
  }
}
