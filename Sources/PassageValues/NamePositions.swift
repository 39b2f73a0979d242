/// The positions of names in a list, for look-ups in each row.
@usableFromInline
package struct NamePositions: Sendable {
  /// In a longer list the dictionary is faster.
  private static let longestSearch = 16

  private let names: [String]
  /// The memory of the names; empty for a long list, and when a name occurs more than once.
  private let words: [SIMD2<UInt64>]
  /// The lengths of the names in UTF-8; empty for a long list.
  private let lengths: [Int]
  private let positions: [String: Int]

  /// - Complexity: O(`names.count`).
  package init(_ names: [String]) {
    self.names = names
    let positions = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let isShort = names.count <= Self.longestSearch
    words =
      isShort && positions.count == names.count && Self.hasWords ? names.map(Self.words) : []
    lengths = isShort ? names.map(\.utf8.count) : []
    self.positions = positions
  }

  /// The position of a name, the first one if it occurs more than once; `nil` if it is not in the
  /// list.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package func position(of name: String) -> Int? {
    if Self.hasWords {
      let wanted = Self.words(of: name)
      for index in words.indices where words[index] == wanted { return index }
    }
    return positionOfText(name)
  }

  /// Whether a text is two words, as it is where words have 64 bits.
  @inline(__always)
  private static var hasWords: Bool {
    MemoryLayout<String>.size == MemoryLayout<SIMD2<UInt64>>.size
  }

  /// The memory of a text. Texts with the same memory are the same, and most names are so short that
  /// they lie in it.
  @inline(__always)
  private static func words(of name: String) -> SIMD2<UInt64> {
    unsafeBitCast(name, to: SIMD2<UInt64>.self)
  }

  @inline(never)
  private func positionOfText(_ name: String) -> Int? {
    // Few names of an entity have the same length, and comparing is faster than hashing.
    let length = name.utf8.count
    for index in lengths.indices where lengths[index] == length && names[index] == name {
      return index
    }
    // Equal texts may have different lengths.
    return positions[name]
  }
}
