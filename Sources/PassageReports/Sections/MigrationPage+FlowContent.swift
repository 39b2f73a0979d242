internal import PassageDiagnostics

extension MigrationPage {
  /// The drawing of the flow, what its colours mean, and what is not drawn.
  var flowContent: Markup {
    guard !mappings.isEmpty else { return "" }
    let graph = FlowGraph(steps)
    var content = Markup()
    if !graph.nodes.isEmpty {
      let drawing = FlowDrawing(FlowLayout(graph)).markup
      content.append(
        """
        <p class='lead'>\(isCounted ? Self.countedLead : Self.plannedLead)</p>\
        <div class='scroll drawing' tabindex='0' role='region' aria-label='Flow of objects'>\
        \(drawing)</div>\(legend)
        """)
    }
    return content + folded(graph.folded) + unfilled
  }

  private static let countedLead =
    "Ribbons are as wide as the objects they carry. Those that end at a mapping were left behind there."
  private static let plannedLead =
    "Ribbons are as wide as the objects that are there to be read; what becomes of them is counted when they are."

  private var isCounted: Bool { mappings.contains { $0.counts != nil } }

  /// The colours that occur.
  private var legend: Markup {
    let lost: [Fate] = mappings.contains { $0.lost > 0 } ? [.lost] : []
    let items = (totals.fates.map(\.fate) + lost).map { fate in
      """
      <li><span class='swatch \(fate.rawValue)'></span><b>\(fate.rawValue)</b> \(fate.meaning)</li>
      """ as Markup
    }
    return items.isEmpty ? "" : "<ul class='legend'>\(items.joined())</ul>"
  }

  private func folded(_ folded: [[Mapping]]) -> Markup {
    zip(steps, folded).map { step, mappings in
      guard !mappings.isEmpty else { return "" as Markup }
      let count = NumberText.count(Int64(mappings.count), "entity", "entities")
      let items = mappings.map { mapping in
        let objects = (mapping.counts?.read ?? mapping.objects).map {
          NumberText.count($0, "object")
        }
        return """
          <li><bdi>\(mapping.source ?? mapping.name)</bdi> <span>\(objects ?? "")</span></li>
          """ as Markup
      }.joined()
      return """
        <details><summary>\(count) carried over unchanged from \
        “<bdi>\(step.source)</bdi>” to “<bdi>\(step.destination)</bdi>”</summary>\
        <ul class='names'>\(items)</ul></details>
        """
    }.joined()
  }

  private var unfilled: Markup {
    steps.filter { !$0.unfilledEntities.isEmpty }.map { step in
      let names = step.unfilledEntities.map { "<li><bdi>\($0)</bdi></li>" as Markup }.joined()
      let count = NumberText.count(Int64(step.unfilledEntities.count), "entity", "entities")
      return """
        <details><summary>\(count) of “<bdi>\(step.destination)</bdi>” that no mapping fills\
        </summary><ul class='names'>\(names)</ul></details>
        """ as Markup
    }.joined()
  }
}
