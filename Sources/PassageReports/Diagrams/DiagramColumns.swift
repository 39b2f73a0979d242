/// Puts the boxes of a diagram into columns, so that arrows mostly lead from one column to the next.
enum DiagramColumns {
  /// The positions of the boxes by column, in the order in which they are stacked.
  ///
  /// Boxes that name their column are in it. Others are in the order of their distance from the box
  /// with the most arrows, and a column that would be too high continues in the next one.
  ///
  /// - Parameter heights: of the boxes, in pixels.
  /// - Complexity: O(n log n) in boxes and arrows.
  static func columns(of diagram: Diagram, heights: [Double]) -> [[Int]] {
    if diagram.nodes.allSatisfy({ $0.column != nil }) {
      var columns: [[Int]] = []
      for (position, node) in diagram.nodes.enumerated() {
        let column = node.column ?? 0
        while columns.count <= column { columns.append([]) }
        columns[column].append(position)
      }
      return columns
    }
    let limit = highest(heights)
    let layers = layers(of: diagram)
    let columns = layers.flatMap { cut($0, heights: heights, limit: limit) }
    let width = Double(columns.count) * (DiagramLayout.boxWidth + DiagramLayout.columnGap)
    // A long chain would be a drawing of one line: then the layers share their columns.
    return width > 2.5 * limit
      ? cut(layers.flatMap(\.self), heights: heights, limit: limit) : columns
  }

  /// Boxes in their order, cut into columns that are not too high.
  private static func cut(_ boxes: [Int], heights: [Double], limit: Double) -> [[Int]] {
    var columns: [[Int]] = []
    var height = Double.infinity
    for position in boxes {
      if height + heights[position] > limit {
        columns.append([])
        height = 0
      }
      columns[columns.count - 1].append(position)
      height += heights[position] + DiagramLayout.rowGap
    }
    return columns
  }

  /// A height with which the whole is about as high as it is wide.
  private static func highest(_ heights: [Double]) -> Double {
    let area = heights.reduce(0) { $0 + $1 + DiagramLayout.rowGap } * (DiagramLayout.boxWidth * 1.3)
    return max(area.squareRoot(), heights.max() ?? 0, 640)
  }

  /// The boxes by their distance from the one with the most arrows; then those of other parts, and at
  /// last those without arrows.
  private static func layers(of diagram: Diagram) -> [[Int]] {
    var neighbours = [[Int]](repeating: [], count: diagram.nodes.count)
    for edge in diagram.edges where edge.from != edge.to {
      neighbours[edge.from].append(edge.to)
      neighbours[edge.to].append(edge.from)
    }
    let order = diagram.nodes.indices.sorted {
      (neighbours[$1].count, $0) < (neighbours[$0].count, $1)
    }
    var layers: [[Int]] = []
    var isSeen = diagram.nodes.map { _ in false }
    for start in order where !isSeen[start] && !neighbours[start].isEmpty {
      var layer = [start]
      isSeen[start] = true
      while !layer.isEmpty {
        layers.append(layer)
        var next: [Int] = []
        for position in layer {
          for other in neighbours[position] where !isSeen[other] {
            isSeen[other] = true
            next.append(other)
          }
        }
        layer = next
      }
    }
    let alone = diagram.nodes.indices.filter { neighbours[$0].isEmpty }
    return layers + (alone.isEmpty ? [] : [alone])
  }
}
