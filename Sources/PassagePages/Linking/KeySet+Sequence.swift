extension KeySet: Sequence {
  /// Gives the keys in ascending order.
  package struct Iterator: IteratorProtocol {
    private let set: KeySet
    /// The place of the next word, and what is left of the one before.
    private var place = 0
    private var bits: UInt64 = 0

    fileprivate init(_ set: KeySet) { self.set = set }

    package mutating func next() -> Int64? {
      while bits == 0 {
        guard place <= Int(truncatingIfNeeded: set.lastIndex >> 6) else { return nil }
        bits = set.words[place]
        place += 1
      }
      let bit = bits.trailingZeroBitCount
      bits &= bits - 1
      return set.first &+ Int64((place - 1) << 6 | bit)
    }
  }

  package func makeIterator() -> Iterator { Iterator(self) }
}
