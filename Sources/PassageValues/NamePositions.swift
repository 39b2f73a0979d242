/// The positions of names in a list, for look-ups in each row.
package struct NamePositions: Sendable {
  /// In a longer list the dictionary is faster.
  private static let longestSearch = 16

  private let names: [String]
  /// The lengths of the names in UTF-8; empty for a long list.
  private let lengths: [Int]
  private let positions: [String: Int]

  /// - Complexity: O(`names.count`).
  package init(_ names: [String]) {
    self.names = names
    lengths = names.count > Self.longestSearch ? [] : names.map(\.utf8.count)
    positions = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The position of a name, the first one if it occurs more than once; `nil` if it is not in the
  /// list.
  ///
  /// - Complexity: O(1).
  package func position(of name: String) -> Int? {
    // Few names of an entity have the same length, and comparing is faster than hashing.
    let length = name.utf8.count
    for index in lengths.indices where lengths[index] == length && names[index] == name {
      return index
    }
    // Equal texts may have different lengths.
    return positions[name]
  }
}
