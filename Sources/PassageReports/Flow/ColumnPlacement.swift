/// Places boxes that stand in columns, so that boxes that are joined are level where they can be.
struct ColumnPlacement {
  private let heights: [Double]
  private let gap: Double
  /// The upper edge of each box; the highest is at 0.
  private(set) var tops: [Double]

  /// - Parameters:
  ///   - columns: the positions of the boxes by column, in an order that may change.
  ///   - before: to which boxes of earlier columns each box is joined.
  ///   - after: to which boxes of later columns.
  ///   - heights: of the boxes.
  ///   - gap: the space between two boxes.
  /// - Complexity: O(n log n) in boxes and joints.
  init(
    columns: [[Int]], before: [[Int]], after: [[Int]], heights: [Double], gap: Double
  ) {
    self.heights = heights
    self.gap = gap
    tops = heights.map { _ in 0 }
    var columns = columns
    for index in columns.indices {
      let column = columns[index]
      let levels = column.map { level(of: before[$0]) ?? .infinity }
      let order = column.indices.sorted { (levels[$0], $0) < (levels[$1], $1) }
      columns[index] = order.map { column[$0] }
      place(columns[index], near: before)
    }
    // Earlier columns move to where their boxes lead, and the later ones follow once more.
    for column in columns.reversed() { place(column, near: after) }
    for column in columns.dropFirst() { place(column, near: before) }
    let top = tops.min() ?? 0
    for position in tops.indices { tops[position] -= top }
  }

  /// The average middle of boxes; `nil` without boxes.
  private func level(of others: [Int]) -> Double? {
    guard !others.isEmpty else { return nil }
    return others.reduce(0) { $0 + tops[$1] + heights[$1] / 2 } / Double(others.count)
  }

  /// Places the boxes of a column in their order, each level with its neighbours if there is room.
  /// One without neighbours goes below the one before it.
  private mutating func place(_ column: [Int], near others: [[Int]]) {
    var desired: [Double] = []
    for position in column {
      let wish = level(of: others[position]).map { $0 - heights[position] / 2 }
      desired.append(wish ?? desired.last ?? tops[position])
    }
    let places = ColumnStack.tops(
      desired: desired, heights: column.map { heights[$0] }, gap: gap)
    for (position, top) in zip(column, places) { tops[position] = top }
  }
}
