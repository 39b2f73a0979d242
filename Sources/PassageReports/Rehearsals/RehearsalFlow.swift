internal import PassageDiagnostics

/// The versions, the ways that their stores went, and the version they reached, as boxes and strands.
struct RehearsalFlow {
  typealias Outcome = RehearsalPage.Outcome
  typealias Box = FlowLayout.Box

  /// A line of a box below its name.
  struct Line {
    var text: String
    /// The outcome that the line counts.
    var outcome: Outcome?
  }

  struct Node {
    /// 0 for a version, 1 for a way, 2 for the version that is reached.
    var column: Int
    var name: String
    var lines: [Line]
  }

  /// Stores that took one way, or arrived by it.
  struct Strand {
    var from: Int
    var to: Int
    var outcome: Outcome
    var count: Int
    var width = 0.0
    /// The upper edges at both ends.
    var fromTop = 0.0
    var toTop = 0.0
  }

  /// So many versions have a box of their own.
  static let shownVersions = 40
  static let headerHeight = 24.0
  private static let widths = [230.0, 200.0, 230.0]
  private static let columnGap = 130.0
  private static let rowGap = 14.0
  private static let thinnest = 1.5
  private static let broadest = 84.0

  private(set) var nodes: [Node] = []
  private(set) var strands: [Strand] = []
  private(set) var boxes: [Box] = []

  var width: Double { Self.x(ofColumn: 2) + Self.widths[2] + 1 }
  var height: Double { (boxes.map { $0.y + $0.height }.max() ?? 0) + 4 }

  /// - Complexity: O(n log n) in the stores and ways.
  init(_ page: RehearsalPage) {
    let groups = Self.groups(page)
    for group in groups { nodes.append(Self.node(group.name, group.stores)) }
    let target = groups.count + page.wayNames.count
    for (position, name) in page.wayNames.enumerated() {
      let all = page.stores.compactMap { $0.way(name) }
      nodes.append(Node(column: 1, name: name, lines: Self.lines(all)))
      for (from, group) in groups.enumerated() {
        let ways = group.stores.compactMap { $0.way(name) }
        for outcome in Outcome.allCases {
          let count = ways.count { $0.outcome == outcome }
          guard count > 0 else { continue }
          strands.append(
            Strand(from: from, to: groups.count + position, outcome: outcome, count: count))
        }
      }
      let passed = all.count { $0.outcome == .passed }
      if passed > 0 {
        strands.append(
          Strand(from: groups.count + position, to: target, outcome: .passed, count: passed))
      }
    }
    nodes.append(
      Node(
        column: 2, name: page.target ?? "", lines: Self.lines(page.stores.flatMap(\.ways))))
    place()
  }

  static func x(ofColumn column: Int) -> Double {
    widths.prefix(column).reduce(0) { $0 + $1 + columnGap }
  }

  static func textHeight(of node: Node) -> Double { 34 + 17 * Double(node.lines.count) }

  // MARK: Boxes

  /// The stores by version. Of many versions those with failures come first, and the others are one.
  private static func groups(
    _ page: RehearsalPage
  ) -> [(name: String, stores: [RehearsalPage.Store])] {
    var groups: [(name: String, stores: [RehearsalPage.Store])] = []
    var positions: [String: Int] = [:]
    for store in page.stores {
      let position = positions[store.versionName] ?? groups.count
      if position == groups.count {
        positions[store.versionName] = position
        groups.append((store.versionName, []))
      }
      groups[position].stores.append(store)
    }
    guard groups.count > shownVersions else { return groups }
    let order = groups.indices.sorted { one, other in
      let (first, second) = (hasFailed(groups[one].stores), hasFailed(groups[other].stores))
      return first == second ? one < other : first
    }
    let shown = order.prefix(shownVersions - 1).sorted().map { groups[$0] }
    let rest = order.dropFirst(shownVersions - 1).map { groups[$0] }
    let name = NumberText.count(Int64(rest.count), "further version")
    return shown + [(name, rest.flatMap(\.stores))]
  }

  private static func hasFailed(_ stores: [RehearsalPage.Store]) -> Bool {
    stores.contains { store in store.ways.contains { $0.outcome == .failed } }
  }

  private static func node(_ name: String, _ stores: [RehearsalPage.Store]) -> Node {
    let objects = stores.reduce(Int64(0)) { $0.addingReportingOverflow($1.objects).partialValue }
    let text =
      "\(NumberText.count(Int64(stores.count), "store")), \(NumberText.count(objects, "object"))"
    return Node(
      column: 0, name: name,
      lines: [Line(text: text)] + lines(stores.flatMap(\.ways)).filter { $0.outcome == .failed })
  }

  private static func lines(_ ways: [RehearsalPage.Way]) -> [Line] {
    Outcome.allCases.compactMap { outcome in
      let count = ways.count { $0.outcome == outcome }
      return count > 0
        ? Line(text: "\(NumberText.count(Int64(count))) \(outcome.word)", outcome: outcome) : nil
    }
  }

  // MARK: Places

  private mutating func place() {
    var loads = nodes.map { _ in 0 }
    for strand in strands where nodes[strand.to].column == 1 { loads[strand.to] += strand.count }
    let unit = min(6, Self.broadest / Double(max(1, loads.max() ?? 1)))
    var sums = nodes.map { _ in (outgoing: 0.0, incoming: 0.0) }
    for position in strands.indices {
      let width = max(Self.thinnest, Double(strands[position].count) * unit)
      strands[position].width = width
      sums[strands[position].from].outgoing += width
      sums[strands[position].to].incoming += width
    }
    let heights = zip(nodes, sums).map { node, sum in
      max(Self.textHeight(of: node), max(sum.outgoing, sum.incoming) + 8)
    }
    let columns = (0..<3).map { column in nodes.indices.filter { nodes[$0].column == column } }
    let stacked = columns.map { column in
      column.reduce(0) { $0 + heights[$1] } + Self.rowGap * Double(max(0, column.count - 1))
    }
    let tallest = stacked.max() ?? 0
    boxes = heights.map { Box(x: 0, y: 0, width: 0, height: $0) }
    for (column, members) in columns.enumerated() {
      // Boxes of a short column stand apart, so that the strands stay short.
      let room = tallest - stacked[column]
      let extra = members.count > 1 ? min(70, room / Double(members.count - 1)) : 0
      var top =
        Self.headerHeight + (room - extra * Double(max(0, members.count - 1))) / 2
      for member in members {
        boxes[member].x = Self.x(ofColumn: column)
        boxes[member].width = Self.widths[column]
        boxes[member].y = top
        top += heights[member] + Self.rowGap + extra
      }
    }
    var tops = boxes.indices.map { position in
      (
        outgoing: boxes[position].center - sums[position].outgoing / 2,
        incoming: boxes[position].center - sums[position].incoming / 2
      )
    }
    for position in strands.indices {
      let strand = strands[position]
      strands[position].fromTop = tops[strand.from].outgoing
      strands[position].toTop = tops[strand.to].incoming
      tops[strand.from].outgoing += strand.width
      tops[strand.to].incoming += strand.width
    }
  }
}
