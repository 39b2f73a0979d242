/// Sorts entries of words byte by byte, from the lowest to the highest that differs.
enum RadixSort {
  /// As few entries are sorted faster by comparing.
  private static let few = 48

  /// - Parameters:
  ///   - spare: memory for as many entries.
  ///   - words: those that count; entries that agree in them keep their order.
  /// - Returns: where the sorted entries are: at `entries` or at `spare`.
  static func sort<Entry: WordEntry>(
    _ entries: UnsafeMutablePointer<Entry>, spare: UnsafeMutablePointer<Entry>, count: Int,
    words: Range<Int>
  ) -> UnsafeMutablePointer<Entry> {
    if count <= few {
      sortFew(entries, count: count)
      return entries
    }
    var source = entries
    var target = spare
    for word in words.reversed() {
      var differing: Entry.Word = 0
      let first = source[0][word]
      for index in 1..<count { differing |= source[index][word] ^ first }
      for shift in stride(from: 0, to: Entry.Word.bitWidth, by: 8)
      where differing >> shift & 0xFF != 0 {
        scatter(
          source, to: target, count: count, word: word, shift: Entry.Word(truncatingIfNeeded: shift)
        )
        swap(&source, &target)
      }
    }
    return source
  }

  /// Distributes entries by one byte, those with the same byte in their order.
  @inline(__always)
  private static func scatter<Entry: WordEntry>(
    _ source: UnsafeMutablePointer<Entry>, to target: UnsafeMutablePointer<Entry>, count: Int,
    word: Int, shift: Entry.Word
  ) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { places in
      guard let places = places.baseAddress else { return }
      places.initialize(repeating: 0, count: 256)
      for index in 0..<count {
        places[Int(truncatingIfNeeded: source[index][word] &>> shift & 0xFF)] &+= 1
      }
      var place = 0
      for digit in 0..<256 {
        let digits = places[digit]
        places[digit] = place
        place &+= digits
      }
      for index in 0..<count {
        let entry = source[index]
        let digit = Int(truncatingIfNeeded: entry[word] &>> shift & 0xFF)
        target[places[digit]] = entry
        places[digit] &+= 1
      }
    }
  }

  private static func sortFew<Entry: WordEntry>(
    _ entries: UnsafeMutablePointer<Entry>, count: Int
  ) {
    guard count > 1 else { return }
    for index in 1..<count {
      let entry = entries[index]
      var place = index
      while place > 0, Entry.isBefore(entry, entries[place - 1]) {
        entries[place] = entries[place - 1]
        place -= 1
      }
      entries[place] = entry
    }
  }
}
