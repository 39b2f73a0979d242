/// The offsets of a time zone from UTC, in a table: the system takes a lock for each answer.
package struct ZoneOffsets: Sendable {
  /// The moments for which the offset is known, in milliseconds since 1970.
  package let range: Range<Int>
  /// The moments at which the offset changes, ascending.
  private let changes: [Int]
  /// The offset in milliseconds before the first change, and after each.
  private let offsets: [Int]

  /// - Parameter offsets: one more than the changes.
  package init(range: Range<Int>, changes: [Int], offsets: [Int]) {
    self.range = range
    self.changes = changes
    self.offsets = offsets
  }

  /// The offset in milliseconds at a moment within ``range``.
  ///
  /// - Complexity: O(log *n*) in the number of changes.
  package func offset(at milliseconds: Int) -> Int {
    var low = 0
    var high = changes.count
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= milliseconds { low = middle + 1 } else { high = middle }
    }
    return offsets[low]
  }
}
