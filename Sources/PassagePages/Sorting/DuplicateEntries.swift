/// Entries of a unique index that are equal. The index is complete all the same, but SQLite takes
/// it for damaged.
package struct DuplicateEntries: Sendable, Hashable {
  /// The keys of two rows with the same indexed values.
  package struct Pair: Sendable, Hashable {
    package let first: Int64
    package let second: Int64
  }

  /// As many pairs as are kept.
  private static let mostPairs = 100

  /// How many entries equal the one before them.
  package private(set) var count = 0
  /// The first of them in the order of the index, each with the one before it.
  package private(set) var pairs: [Pair] = []

  package var isEmpty: Bool { count == 0 }

  mutating func add(_ first: Int64, _ second: Int64) {
    count += 1
    if pairs.count < Self.mostPairs { pairs.append(Pair(first: first, second: second)) }
  }
}
