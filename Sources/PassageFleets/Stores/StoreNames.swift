/// The names of many stores, in the order in which they were given.
///
/// They are kept one after another in one block of memory: a list may hold a million names, and each
/// text of its own would cost more than the name.
package struct StoreNames: Sendable {
  private var bytes: [UInt8] = []
  /// Where each name ends.
  private var ends: [Int] = []

  package init() {}

  package init(_ names: some Sequence<String>) {
    for name in names { append(name) }
  }

  package var count: Int { ends.count }

  package var isEmpty: Bool { ends.isEmpty }

  package mutating func append(_ name: String) {
    bytes.append(contentsOf: name.utf8)
    ends.append(bytes.count)
  }

  /// - Complexity: O(n) in the length of the name.
  package subscript(index: Int) -> String { String(decoding: utf8(index), as: UTF8.self) }

  /// The bytes of a name.
  package func utf8(_ index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// The positions of a name that is there twice; `nil` if all are different.
  ///
  /// - Complexity: O(n log n) comparisons.
  package func firstRepetition() -> (first: Int, second: Int)? {
    Self.firstRepetition(count) { utf8($0).lexicographicallyPrecedes(utf8($1)) }
  }

  /// Two positions whose elements neither precede nor follow each other, in their order.
  static func firstRepetition(
    _ count: Int, precedes: (Int, Int) -> Bool
  ) -> (first: Int, second: Int)? {
    // Equal elements stay in the order of their positions.
    let order = (0..<count).sorted { precedes($0, $1) || (!precedes($1, $0) && $0 < $1) }
    var found: (first: Int, second: Int)?
    for (first, second) in zip(order, order.dropFirst()) where !precedes(first, second) {
      if found.map({ second < $0.second }) ?? true { found = (first, second) }
    }
    return found
  }
}
