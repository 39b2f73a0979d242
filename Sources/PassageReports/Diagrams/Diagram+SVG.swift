extension Diagram {
  /// The diagram as a file of SVG, which loads nothing and follows the colours of the system.
  package var svg: String { DiagramDrawing(DiagramLayout(self)).document.text }
}

/// Draws a diagram as SVG.
struct DiagramDrawing {
  private let layout: DiagramLayout
  private static let indent = 12.0

  init(_ layout: DiagramLayout) { self.layout = layout }

  var document: Markup {
    let (width, height) = (layout.width, layout.height)
    let title = layout.diagram.title
    let shown = TextMeasure(size: 15, isBold: true)
      .fitted(title, into: width - 2 * DiagramLayout.margin)
    let edges = layout.diagram.edges.map { edge($0) }.joined()
    let boxes = layout.diagram.nodes.indices.map { box($0) }.joined()
    return """
      <svg xmlns='http://www.w3.org/2000/svg' role='img' aria-label='\(title)' width='\(width)' \
      height='\(height)' viewBox='0 0 \(width) \(height)'>
      <title>\(title)</title>
      <style>\(PageStyle.diagram)</style>
      <rect class='paper' width='\(width)' height='\(height)'/>
      <text class='version' x='\(DiagramLayout.margin)' y='36'>\(shown)</text>
      \(edges)\(boxes)
      </svg>

      """
  }

  // MARK: Boxes

  private func box(_ position: Int) -> Markup {
    let (node, box) = (layout.diagram.nodes[position], layout.boxes[position])
    let x = box.x + Self.indent
    let room = box.width - 2 * Self.indent
    let name = TextMeasure(size: 13, isBold: true).fitted(node.name, into: room)
    var markup: Markup = """
      <g class='\(node.kind.rawValue)'><title>\(node.name)</title><rect x='\(box.x)' y='\(box.y)' \
      width='\(box.width)' height='\(box.height)' rx='5'/><text class='name' x='\(x)' \
      y='\(box.y + 20)'>\(name)</text></g>
      """
    if let note = node.note {
      let fitted = TextMeasure(size: 12).fitted(note, into: room)
      markup.append(
        "<g><title>\(note)</title><text class='line' x='\(x)' y='\(box.y + 36)'>\(fitted)</text></g>"
      )
    }
    let top = box.y + layout.rowsTop(of: node)
    if !node.rows.isEmpty {
      markup.append("<path class='rule' d='M\(box.x) \(top - 1)H\(box.x + box.width)'/>")
    }
    for (index, row) in node.rows.enumerated() {
      markup.append(
        line(row, x: x, y: top + DiagramLayout.rowHeight * Double(index) + 14, room: room))
    }
    return markup + "\n"
  }

  private func line(_ row: Diagram.Row, x: Double, y: Double, room: Double) -> Markup {
    let measure = TextMeasure(size: 12)
    let name = measure.fitted(row.name, into: row.text.isEmpty ? room : room * 0.66)
    let rest = room - measure.width(name + "  ")
    let text: Markup =
      row.text.isEmpty
      ? "" : "<tspan class='line' dx='6'>\(measure.fitted(row.text, into: rest))</tspan>"
    return """
      <g><title>\(row.title ?? "\(row.name) \(row.text)")</title><text class='row' x='\(x)' \
      y='\(y)'>\(name)\(text)</text></g>
      """
  }

  // MARK: Arrows

  private func edge(_ edge: Diagram.Edge) -> Markup {
    let (start, end) = (layout.boxes[edge.from], layout.boxes[edge.to])
    let from = layout.level(of: edge.from, row: edge.fromRow, edge.kind)
    let to = layout.level(of: edge.to, row: edge.toRow, edge.kind)
    // Where the arrow leaves and arrives, and to which side each of these is: -1 is to the left.
    var (leaving, arriving) = ((x: start.x + start.width, side: 1.0), (x: end.x, side: -1.0))
    if start.x > end.x {
      (leaving, arriving) = ((start.x, -1), (end.x + end.width, 1))
    } else if start.x == end.x {
      arriving = (end.x + end.width, 1)
    }
    let isMutual = edge.kind == .relationship && edge.toRow != nil
    let x = leaving.x + (isMutual ? Self.tipLength : 0) * leaving.side
    let z = arriving.x + Self.tipLength * arriving.side
    let reach = start.x == end.x ? min(44, 24 + abs(to - from) / 12) : Self.reach(from: x, to: z)
    let (out, back) = (x + reach * leaving.side, z + reach * arriving.side)
    var tips = Self.tip(arriving.x, to, side: arriving.side)
    if isMutual { tips.append(Self.tip(leaving.x, from, side: leaving.side)) }
    return """
      <g class='edge \(edge.kind.rawValue)'><title>\(title(of: edge))</title><path class='way' \
      d='M\(x) \(from)C\(out) \(from) \(back) \(to) \(z) \(to)'/>\(tips)</g>

      """
  }

  private static let tipLength = 7.0

  private static func tip(_ x: Double, _ y: Double, side: Double) -> Markup {
    let base = x + (tipLength + 1) * side
    return "<path class='tip' d='M\(x) \(y)L\(base) \(y - 4)V\(y + 4)Z'/>"
  }

  /// How far a curve leaves its box before it bends.
  private static func reach(from x: Double, to z: Double) -> Double {
    max(30, min(90, abs(z - x) / 2))
  }

  private func title(of edge: Diagram.Edge) -> String {
    let nodes = layout.diagram.nodes
    let ends = "\(nodes[edge.from].name) → \(nodes[edge.to].name)"
    return edge.label.isEmpty ? ends : "\(ends): \(edge.label)"
  }
}
