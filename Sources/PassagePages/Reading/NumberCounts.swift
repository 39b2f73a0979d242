internal import PassageValues

/// How many rows of a table have which number in a column.
package struct NumberCounts: Sendable, Hashable {
  /// Numbers below this one are counted without looking them up, as most are.
  private static let directCount = 256
  /// So many other numbers are looked up at most: a damaged table may have a number for each row.
  private static let mostLooked = 1 << 16

  /// The rows by number, for small numbers.
  private var direct = [Int64](repeating: 0, count: directCount)
  private var looked: [Int64: Int64] = [:]
  /// The rows with anything but an integer in the column, or with nothing, or with a number too many.
  package private(set) var otherCount: Int64 = 0

  package init() {}

  /// The rows by number. Numbers that no row has are left out.
  package var byNumber: [Int64: Int64] {
    var counts = looked
    for (number, count) in direct.enumerated() where count > 0 { counts[Int64(number)] = count }
    return counts
  }

  /// Adds a row with a number of 0 to 127.
  @inline(__always)
  mutating func add(small number: Int64) { direct[Int(number)] &+= 1 }

  /// Adds a row.
  @inline(__always)
  mutating func add(_ cell: RawCell) {
    guard case .integer(let number) = cell else {
      otherCount &+= 1
      return
    }
    if number >= 0, number < Self.directCount {
      direct[Int(number)] &+= 1
    } else {
      look(up: number, adding: 1)
    }
  }

  private mutating func look(up number: Int64, adding count: Int64) {
    if looked.count < Self.mostLooked || looked[number] != nil {
      looked[number, default: 0] &+= count
    } else {
      otherCount &+= count
    }
  }

  /// Adds the rows of another part of the table.
  package mutating func add(_ other: NumberCounts) {
    for (number, count) in other.direct.enumerated() { direct[number] &+= count }
    for (number, count) in other.looked { look(up: number, adding: count) }
    otherCount &+= other.otherCount
  }
}
