internal import PassageDiagnostics

/// Draws a flow as SVG. The colours come from the page's style sheet.
struct FlowDrawing {
  private let layout: FlowLayout
  private static let margin = 12.0
  private static let swatch = 9.0

  init(_ layout: FlowLayout) { self.layout = layout }

  var markup: Markup {
    let (width, height) = (layout.width, layout.height)
    let parts = [headers, ribbons, boxes].joined()
    return """
      <svg class='flow' role='img' aria-label='\(label)' width='\(width)' height='\(height)' \
      viewBox='0 0 \(width) \(height)'>\(parts)</svg>
      """
  }

  private var label: String {
    "The flow of objects from \(layout.graph.versions.map { "“\($0)”" }.joined(separator: " to "))"
  }

  // MARK: Versions

  private var headers: Markup {
    let measure = TextMeasure(size: 15, isBold: true)
    return layout.graph.versions.enumerated().map { index, name in
      let x = FlowLayout.x(ofColumn: index * 2)
      let fitted = measure.fitted(name, into: FlowLayout.entityWidth)
      return """
        <g><title>\(name)</title><text class='caption' x='\(x)' y='11'>version</text>\
        <text class='version' x='\(x)' y='30'>\(fitted)</text></g>
        """ as Markup
    }.joined()
  }

  // MARK: Ribbons

  private var ribbons: Markup {
    layout.strands.map { strand in
      let ribbon = layout.graph.ribbons[strand.ribbon]
      let (start, end) = (layout.boxes[ribbon.from], layout.boxes[ribbon.to])
      let (x, z) = (start.x + start.width, end.x)
      let middle = (x + z) / 2
      let (from, to, width) = (strand.from, strand.to, strand.width)
      let names = layout.graph.nodes
      let what = strand.fate?.rawValue ?? "planned"
      let title =
        "\(names[ribbon.from].name) → \(names[ribbon.to].name): "
        + "\(NumberText.count(strand.count)) \(what)"
      return """
        <path class='ribbon \(what)' d='M\(x) \(from)C\(middle) \(from) \(middle) \(to) \(z) \(to)\
        V\(to + width)C\(middle) \(to + width) \(middle) \(from + width) \(x) \(from + width)Z'>\
        <title>\(title)</title></path>
        """ as Markup
    }.joined()
  }

  // MARK: Boxes

  private var boxes: Markup {
    zip(layout.graph.nodes, layout.boxes).map { box($0, $1) }.joined()
  }

  private func box(_ node: FlowGraph.Node, _ box: FlowLayout.Box) -> Markup {
    let room = box.width - 2 * Self.margin
    let x = box.x + Self.margin
    var y = box.center - FlowLayout.textHeight(of: node) / 2 + 22
    let name = TextMeasure(size: 13, isBold: true).fitted(node.name, into: room)
    let kind = node.isMapping ? "mapping" : node.isLeftBehind ? "entity behind" : "entity"
    var markup: Markup = """
      <g class='\(kind)'><title>\(node.name)</title><rect x='\(box.x)' y='\(box.y)' \
      width='\(box.width)' height='\(box.height)' rx='5'/><text class='name' x='\(x)' \
      y='\(y)'>\(name)</text></g>
      """
    for line in node.lines {
      y += 17
      markup.append(self.line(line, x: x, y: y, room: room))
    }
    return markup
  }

  private func line(_ line: FlowGraph.Line, x: Double, y: Double, room: Double) -> Markup {
    let indent = line.fate == nil ? 0 : Self.swatch + 6
    let fitted = TextMeasure(size: 12).fitted(line.text, into: room - indent)
    let title = line.title ?? line.text
    guard let fate = line.fate else {
      return "<g><title>\(title)</title><text class='line' x='\(x)' y='\(y)'>\(fitted)</text></g>"
    }
    return """
      <g><title>\(title)</title><rect class='swatch \(fate.rawValue)' x='\(x)' y='\(y - Self.swatch)' \
      width='\(Self.swatch)' height='\(Self.swatch)' rx='2'/><text class='line' x='\(x + indent)' \
      y='\(y)'>\(fitted)</text></g>
      """
  }
}
