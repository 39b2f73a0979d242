/// What an entry of an index over two columns says of a row.
struct PairEntry: Sendable, Hashable {
  /// The indexed values, in the order of the index.
  var first: Int64
  var second: Int64
  var row: Int64
  /// The type codes of the three.
  var types: Types

  struct Types: Sendable, Hashable {
    var first: UInt8
    var second: UInt8
    var row: UInt8
  }

  static let none = PairEntry(
    first: 0, second: 0, row: 0, types: Types(first: 0, second: 0, row: 0))

  /// Whether an index has the entry before another one.
  ///
  /// - Parameter isUnique: whether it has no two with equal values.
  @inline(__always)
  func isBefore(_ other: PairEntry, isUnique: Bool) -> Bool {
    if first != other.first { return first < other.first }
    if second != other.second { return second < other.second }
    return !isUnique && row < other.row
  }
}
