/// Boxes one below the other, each as near to its best place as the others let it.
enum ColumnStack {
  /// The upper edges of boxes that keep their order and a gap, with the least sum of squared
  /// distances from the edges they should have: pooling of neighbours that would overlap.
  ///
  /// - Parameters:
  ///   - desired: the upper edges they should have.
  ///   - heights: as many.
  ///   - gap: the space between two boxes.
  /// - Complexity: O(n).
  static func tops(desired: [Double], heights: [Double], gap: Double) -> [Double] {
    // Without the boxes above it, each box would be at its offset; what remains must only not fall.
    var offsets: [Double] = []
    var offset = 0.0
    for height in heights {
      offsets.append(offset)
      offset += height + gap
    }
    var pools: [(sum: Double, count: Int)] = []
    for (wish, offset) in zip(desired, offsets) {
      pools.append((wish - offset, 1))
      while pools.count > 1 {
        let (upper, lower) = (pools[pools.count - 2], pools[pools.count - 1])
        guard upper.sum / Double(upper.count) > lower.sum / Double(lower.count) else { break }
        pools.removeLast(2)
        pools.append((upper.sum + lower.sum, upper.count + lower.count))
      }
    }
    let shifts = pools.flatMap { pool in
      Array(repeating: pool.sum / Double(pool.count), count: pool.count)
    }
    return zip(shifts, offsets).map { $0 + $1 }
  }
}
