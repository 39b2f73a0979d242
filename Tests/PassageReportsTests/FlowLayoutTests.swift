import Testing

@testable import PassageReports

/// Where boxes and ribbons of a flow are.
struct FlowLayoutTests {
  /// Two steps in which every entity changes, so that all are drawn.
  private static func steps(_ count: Int) -> [MigrationPage.Step] {
    func mappings(_ kind: String) -> [MigrationPage.Mapping] {
      (0..<count).map { number in
        var mapping = SamplePages.mapping(
          String(repeating: "N", count: 1 + number % 90) + "\(number)",
          count: Int64(number * number), kind: kind)
        mapping.counts?.filtered = Int64(number % 3)
        mapping.counts?.quarantined = Int64(number % 2)
        return mapping
      }
    }
    return [
      MigrationPage.Step(
        source: "1", destination: "2",
        passes: [.init(name: "One", isInferred: false, mappings: mappings("transform"))]),
      MigrationPage.Step(
        source: "2", destination: "3",
        passes: [.init(name: "Two", isInferred: false, mappings: mappings("custom"))]),
    ]
  }

  @Test(arguments: [1, 2, 7, 200])
  func `boxes of a column do not overlap`(_ count: Int) {
    let layout = FlowLayout(FlowGraph(Self.steps(count)))
    #expect(layout.boxes.count == 5 * count)
    let columns = Dictionary(grouping: layout.boxes, by: \.x)
    #expect(columns.count == 5)
    for column in columns.values {
      let boxes = column.sorted { $0.y < $1.y }
      for (upper, lower) in zip(boxes, boxes.dropFirst()) {
        #expect(upper.y + upper.height + FlowLayout.rowGap <= lower.y + 0.001)
      }
      #expect(boxes.allSatisfy { $0.y >= FlowLayout.headerHeight - 0.001 })
      #expect(boxes.allSatisfy { $0.y + $0.height <= layout.height })
    }
  }

  @Test func `ribbons end at their boxes, and are as wide as their objects`() throws {
    let graph = FlowGraph(Self.steps(40))
    let layout = FlowLayout(graph)
    for strand in layout.strands {
      let ribbon = graph.ribbons[strand.ribbon]
      for (position, edge) in [(ribbon.from, strand.from), (ribbon.to, strand.to)] {
        let box = layout.boxes[position]
        #expect(edge >= box.y - 0.001 && edge + strand.width <= box.y + box.height + 0.001)
      }
    }
    let broad = layout.strands.filter { $0.width > 2.001 }
    let unit = try #require(broad.first).width / Double(try #require(broad.first).count)
    #expect(broad.allSatisfy { abs($0.width - Double($0.count) * unit) < 0.001 })
  }

  @Test func `the numbers of the entities are those of the account`() {
    let graph = FlowGraph(Self.steps(3))
    let entities = graph.nodes.filter { !$0.isMapping }
    #expect(
      entities.first { $0.name == "NNN2" && $0.column == 0 }?.lines.first?.text == "4 objects")
    #expect(
      entities.first { $0.name == "NNN2" && $0.column == 4 }?.lines.first?.text == "4 objects")
  }

  @Test func `a flow without mappings is empty`() {
    let graph = FlowGraph([])
    #expect(graph.nodes.isEmpty)
    #expect(FlowLayout(graph).boxes.isEmpty)
  }

  @Test(arguments: [
    ([0.0, 100], [0.0, 100]), ([0, 0], [-10, 10]), ([50, 0], [15, 35]),
    ([0, 0, 100], [-10, 10, 100]),
  ])
  func `boxes go where they want, as far as there is room`(_ desired: [Double], _ tops: [Double]) {
    #expect(
      ColumnStack.tops(desired: desired, heights: desired.map { _ in 15 }, gap: 5) == tops)
  }
}
