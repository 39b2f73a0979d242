internal import PassageDiagnostics

extension RehearsalPage {
  /// The drawing of versions and ways, and what its colours mean.
  var flowContent: Markup {
    guard target != nil, stores.contains(where: { !$0.ways.isEmpty }) else { return "" }
    let items = Outcome.allCases.filter { count($0) > 0 }.map { outcome in
      """
      <li><span class='swatch \(outcome.rawValue)'></span>\
      <b>\(outcome.word)</b></li>
      """ as Markup
    }.joined()
    return """
      <p class='lead'>Ribbons are as wide as the stores they carry. Those that end at a way did not \
      arrive by it.</p>\
      <div class='scroll drawing' tabindex='0' role='region' aria-label='Versions and ways'>\
      \(RehearsalDrawing(flow: RehearsalFlow(self)).markup)</div><ul class='legend'>\(items)</ul>
      """
  }
}

/// Draws versions and ways as SVG. The colours come from the page's style sheet.
private struct RehearsalDrawing {
  let flow: RehearsalFlow
  private static let margin = 12.0
  private static let swatch = 9.0

  var markup: Markup {
    let (width, height) = (flow.width, flow.height)
    return """
      <svg class='flow' role='img' aria-label='Versions and ways' width='\(width)' \
      height='\(height)' viewBox='0 0 \(width) \(height)'>\(headers)\
      \(flow.strands.map { ribbon($0) }.joined())\
      \(zip(flow.nodes, flow.boxes).map { box($0, $1) }.joined())</svg>
      """
  }

  private var headers: Markup {
    ["from version", "way", "to version"].enumerated().map { column, text in
      "<text class='caption' x='\(RehearsalFlow.x(ofColumn: column))' y='12'>\(text)</text>"
        as Markup
    }.joined()
  }

  private func ribbon(_ strand: RehearsalFlow.Strand) -> Markup {
    let (start, end) = (flow.boxes[strand.from], flow.boxes[strand.to])
    let (x, z) = (start.x + start.width, end.x)
    let middle = (x + z) / 2
    let (from, to, width) = (strand.fromTop, strand.toTop, strand.width)
    let title =
      "\(flow.nodes[strand.from].name) → \(flow.nodes[strand.to].name): "
      + "\(NumberText.count(Int64(strand.count))) \(strand.outcome.word)"
    return """
      <path class='ribbon \(strand.outcome.rawValue)' d='M\(x) \(from)C\(middle) \(from) \(middle) \
      \(to) \(z) \(to)V\(to + width)C\(middle) \(to + width) \(middle) \(from + width) \(x) \
      \(from + width)Z'><title>\(title)</title></path>
      """
  }

  private func box(_ node: RehearsalFlow.Node, _ box: RehearsalFlow.Box) -> Markup {
    let room = box.width - 2 * Self.margin
    let x = box.x + Self.margin
    var y = box.center - RehearsalFlow.textHeight(of: node) / 2 + 22
    let name = TextMeasure(size: 13, isBold: true).fitted(node.name, into: room)
    var markup: Markup = """
      <g class='\(node.column == 1 ? "mapping" : "entity")'><title>\(node.name)</title>\
      <rect x='\(box.x)' y='\(box.y)' width='\(box.width)' height='\(box.height)' rx='5'/>\
      <text class='name' x='\(x)' y='\(y)'>\(name)</text></g>
      """
    for line in node.lines {
      y += 17
      let indent = line.outcome == nil ? 0 : Self.swatch + 6
      let fitted = TextMeasure(size: 12).fitted(line.text, into: room - indent)
      let mark: Markup =
        line.outcome.map {
          """
          <rect class='swatch \($0.rawValue)' x='\(x)' y='\(y - Self.swatch)' \
          width='\(Self.swatch)' height='\(Self.swatch)' rx='2'/>
          """
        } ?? ""
      markup.append(
        "<g>\(mark)<text class='line' x='\(x + indent)' y='\(y)'>\(fitted)</text></g>")
    }
    return markup
  }
}
