/// A digest of pairs and of the rows that hold them, in any order: whether an index has the pairs of its
/// table. It finds faults, not forgeries.
package struct PairDigest: Sendable, Hashable {
  /// The sum of the hashes of all pairs.
  package private(set) var sum: UInt64
  package private(set) var count: Int64

  package init() { self.init(sum: 0, count: 0) }

  /// A digest that was stored.
  package init(sum: UInt64, count: Int64) {
    self.sum = sum
    self.count = count
  }

  /// Adds a pair.
  ///
  /// - Parameters:
  ///   - first: the key of the first end.
  ///   - row: the key of the row that holds it.
  @inline(__always)
  mutating func add(_ first: Int64, _ second: Int64, row: Int64) {
    var hash = Self.mixed(0x243F_6A88_85A3_08D3, first)
    hash = Self.mixed(hash, second)
    hash = Self.mixed(hash, row)
    sum &+= hash
    count &+= 1
  }

  @inline(__always)
  private static func mixed(_ hash: UInt64, _ number: Int64) -> UInt64 {
    let mixed = (hash ^ UInt64(bitPattern: number)) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ mixed &>> 29
  }

  /// Adds other pairs.
  package mutating func add(_ other: PairDigest) {
    sum &+= other.sum
    count &+= other.count
  }
}

/// The pairs that were read: those that are copied, and how many are left out because an end leads to no
/// object.
package struct PairCounts: Sendable, Hashable {
  package var copied = PairDigest()
  package var leftOut: Int64 = 0

  package init() {}

  package var readCount: Int64 { copied.count &+ leftOut }

  /// Adds other pairs.
  package mutating func add(_ other: PairCounts) {
    copied.add(other.copied)
    leftOut &+= other.leftOut
  }
}
