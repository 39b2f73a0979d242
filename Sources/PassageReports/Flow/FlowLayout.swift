/// Where the boxes and ribbons of a flow are, in pixels.
struct FlowLayout {
  /// The box of a node.
  struct Box {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var center: Double { y + height / 2 }
  }

  /// One end of a ribbon's part.
  struct Strand {
    var ribbon: Int
    var fate: MigrationPage.Fate?
    var count: Int64
    var width: Double
    /// The upper edges at both ends.
    var from: Double
    var to: Double
  }

  static let entityWidth = 230.0
  static let mappingWidth = 310.0
  static let columnGap = 112.0
  static let rowGap = 16.0
  static let headerHeight = 46.0
  /// The width of the broadest box's ribbons.
  private static let broadest = 88.0
  private static let thinnest = 2.0

  let graph: FlowGraph
  private(set) var boxes: [Box]
  private(set) var strands: [Strand] = []
  private(set) var width = 0.0
  private(set) var height = 0.0
  private let unit: Double
  /// The ribbons that begin at each box, and those that end there.
  private let outgoing: [[Int]]
  private let incoming: [[Int]]

  /// - Complexity: O(n log n) in the boxes and ribbons.
  init(_ graph: FlowGraph) {
    self.graph = graph
    var ends = (
      outgoing: [[Int]](repeating: [], count: graph.nodes.count),
      incoming: [[Int]](repeating: [], count: graph.nodes.count)
    )
    for (index, ribbon) in graph.ribbons.enumerated() {
      ends.outgoing[ribbon.from].append(index)
      ends.incoming[ribbon.to].append(index)
    }
    (outgoing, incoming) = ends
    var loads = [(incoming: Double, outgoing: Double)](
      repeating: (0, 0), count: graph.nodes.count)
    for ribbon in graph.ribbons {
      loads[ribbon.from].outgoing += Double(ribbon.count)
      loads[ribbon.to].incoming += Double(ribbon.count)
    }
    let largest = loads.map { max($0.incoming, $0.outgoing) }.max() ?? 0
    unit = largest > 0 ? Self.broadest / largest : 0
    boxes = []
    for node in graph.nodes {
      boxes.append(
        Box(
          x: Self.x(ofColumn: node.column), y: 0,
          width: node.isMapping ? Self.mappingWidth : Self.entityWidth,
          height: Self.textHeight(of: node)))
    }
    for position in boxes.indices {
      boxes[position].height = max(boxes[position].height, breadth(of: position))
    }
    placeBoxes()
    placeStrands()
    width = (boxes.map { $0.x + $0.width }.max() ?? 0) + 1
    height = (boxes.map { $0.y + $0.height }.max() ?? 0) + 2
  }

  static func x(ofColumn column: Int) -> Double {
    let pairs = Double(column / 2)
    let x = pairs * (entityWidth + mappingWidth + 2 * columnGap) + 1
    return column.isMultiple(of: 2) ? x : x + entityWidth + columnGap
  }

  /// The room that the texts of a box need.
  static func textHeight(of node: FlowGraph.Node) -> Double {
    32 + 17 * Double(node.lines.count)
  }

  func breadth(_ count: Int64) -> Double { max(Self.thinnest, Double(count) * unit) }

  private func breadth(_ ribbon: FlowGraph.Ribbon) -> Double {
    ribbon.parts.reduce(0) { $0 + breadth($1.count) }
  }

  /// The room that the ribbons of a box need, on the side that has more of them.
  private func breadth(of position: Int) -> Double {
    func sum(_ ribbons: [Int]) -> Double { ribbons.reduce(0) { $0 + breadth(graph.ribbons[$1]) } }
    return max(sum(incoming[position]), sum(outgoing[position]))
  }

  // MARK: Boxes

  private mutating func placeBoxes() {
    var columns = [[Int]](repeating: [], count: max(1, graph.columnCount))
    for (position, node) in graph.nodes.enumerated() { columns[node.column].append(position) }
    let placement = ColumnPlacement(
      columns: columns, before: incoming.map { $0.map { graph.ribbons[$0].from } },
      after: outgoing.map { $0.map { graph.ribbons[$0].to } }, heights: boxes.map(\.height),
      gap: Self.rowGap)
    for position in boxes.indices {
      boxes[position].y = Self.headerHeight + placement.tops[position]
    }
  }

  // MARK: Ribbons

  private mutating func placeStrands() {
    var starts = [Double](repeating: 0, count: graph.ribbons.count)
    var ends = starts
    for position in boxes.indices {
      let leaving = outgoing[position].sorted {
        boxes[graph.ribbons[$0].to].y < boxes[graph.ribbons[$1].to].y
      }
      stack(leaving, at: boxes[position], into: &starts)
      let arriving = incoming[position].sorted {
        boxes[graph.ribbons[$0].from].y < boxes[graph.ribbons[$1].from].y
      }
      stack(arriving, at: boxes[position], into: &ends)
    }
    for (index, ribbon) in graph.ribbons.enumerated() {
      var (from, to) = (starts[index], ends[index])
      for part in ribbon.parts {
        let width = breadth(part.count)
        strands.append(
          Strand(
            ribbon: index, fate: part.fate, count: part.count, width: width, from: from, to: to))
        from += width
        to += width
      }
    }
  }

  /// The upper edges of ribbons at one side of a box, around its middle.
  private func stack(_ ribbons: [Int], at box: Box, into edges: inout [Double]) {
    var edge = box.center - ribbons.reduce(0) { $0 + breadth(graph.ribbons[$1]) } / 2
    for index in ribbons {
      edges[index] = edge
      edge += breadth(graph.ribbons[index])
    }
  }
}
