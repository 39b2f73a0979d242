internal import PassagePlatform

/// A reference to an entry's key in memory, with eight of its bytes.
struct EntryReference: BitwiseCopyable {
  var prefix: UInt64
  var offset: UInt32
  var byteCount: UInt32
}

/// Sorts references by the keys that they refer to: byte by byte from the first that differs, few
/// keys by comparing them.
struct EntryOrder {
  private static let few = 24
  /// Where keys agree in so many groups of eight bytes, they are compared, so that no keys, however
  /// long, make the recursion deep.
  private static let mostRounds = 8

  /// The memory of the keys. Eight bytes after the last of them are readable.
  let base: UnsafeRawPointer

  /// - Complexity: O(*n*) accesses for each byte in which the keys differ early, O(*n* log *n*)
  ///   comparisons for those that differ late.
  func sort(_ references: UnsafeMutablePointer<EntryReference>, count: Int) {
    sortGroup(references, count, depth: 0, round: 0)
  }

  /// Sorts keys that agree in their first bytes.
  private func sortGroup(
    _ references: UnsafeMutablePointer<EntryReference>, _ count: Int, depth: Int, round: Int
  ) {
    guard count > 1 else { return }
    let shared = count > Self.few ? sharedBytes(references, count, from: depth) : depth
    for index in 0..<count { references[index].prefix = prefix(references[index], at: shared) }
    if round >= Self.mostRounds {
      heapSort(references, count, depth: shared)
    } else {
      sortBytes(references, count, depth: shared, shift: 56, round: round)
    }
  }

  /// Sorts keys that agree in all bytes before one of the prefix.
  private func sortBytes(
    _ references: UnsafeMutablePointer<EntryReference>, _ count: Int, depth: Int, shift: UInt64,
    round: Int
  ) {
    if count <= Self.few { return sortFew(references, count, depth: depth) }
    var differing: UInt64 = 0
    let first = references[0].prefix
    for index in 1..<count { differing |= references[index].prefix ^ first }
    guard differing != 0 else {
      return sortGroup(references, count, depth: depth + 8, round: round + 1)
    }
    let shift = min(shift, UInt64(63 - differing.leadingZeroBitCount) & ~7)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 512) { table in
      guard let places = table.baseAddress else { return }
      let ends = places + 256
      permute(references, count, shift: shift, places: places, ends: ends)
      var start = 0
      for digit in 0..<256 {
        let end = ends[digit]
        if end - start > 1 {
          if shift == 0 {
            sortGroup(references + start, end - start, depth: depth + 8, round: round + 1)
          } else {
            sortBytes(
              references + start, end - start, depth: depth, shift: shift - 8, round: round)
          }
        }
        start = end
      }
    }
  }

  /// Brings references into the order of one byte, in place.
  @inline(__always)
  private func permute(
    _ references: UnsafeMutablePointer<EntryReference>, _ count: Int, shift: UInt64,
    places: UnsafeMutablePointer<Int>, ends: UnsafeMutablePointer<Int>
  ) {
    places.initialize(repeating: 0, count: 256)
    for index in 0..<count { places[Int(references[index].prefix &>> shift & 0xFF)] &+= 1 }
    var place = 0
    for digit in 0..<256 {
      let digits = places[digit]
      places[digit] = place
      place &+= digits
      ends[digit] = place
    }
    for digit in 0..<256 {
      while places[digit] < ends[digit] {
        var moved = references[places[digit]]
        var home = Int(moved.prefix &>> shift & 0xFF)
        while home != digit {
          let other = references[places[home]]
          references[places[home]] = moved
          places[home] &+= 1
          moved = other
          home = Int(moved.prefix &>> shift & 0xFF)
        }
        references[places[digit]] = moved
        places[digit] &+= 1
      }
    }
  }

  private func sortFew(
    _ references: UnsafeMutablePointer<EntryReference>, _ count: Int, depth: Int
  ) {
    for index in 1..<count {
      let moved = references[index]
      var place = index
      while place > 0, isBefore(moved, references[place - 1], depth: depth) {
        references[place] = references[place - 1]
        place -= 1
      }
      references[place] = moved
    }
  }

  private func heapSort(
    _ references: UnsafeMutablePointer<EntryReference>, _ count: Int, depth: Int
  ) {
    for root in (0..<count / 2).reversed() { sift(references, root, count, depth: depth) }
    for end in (1..<count).reversed() {
      swap(&references[0], &references[end])
      sift(references, 0, end, depth: depth)
    }
  }

  private func sift(
    _ references: UnsafeMutablePointer<EntryReference>, _ root: Int, _ count: Int, depth: Int
  ) {
    var root = root
    while true {
      var child = 2 * root + 1
      guard child < count else { return }
      if child + 1 < count, isBefore(references[child], references[child + 1], depth: depth) {
        child += 1
      }
      guard isBefore(references[root], references[child], depth: depth) else { return }
      swap(&references[root], &references[child])
      root = child
    }
  }

  // MARK: Keys

  /// The bytes in which all keys agree, of which `depth` are known.
  private func sharedBytes(
    _ references: UnsafeMutablePointer<EntryReference>, _ count: Int, from depth: Int
  ) -> Int {
    let first = base + Int(references[0].offset)
    var shared = Int(references[0].byteCount)
    for index in 1..<count {
      let key = base + Int(references[index].offset)
      let limit = min(shared, Int(references[index].byteCount))
      var place = depth
      while place + 8 <= limit, first.bigUInt64(at: place) == key.bigUInt64(at: place) {
        place += 8
      }
      while place < limit,
        first.load(fromByteOffset: place, as: UInt8.self)
          == key.load(fromByteOffset: place, as: UInt8.self)
      { place += 1 }
      shared = place
      if shared <= depth { return depth }
    }
    return shared
  }

  /// Eight bytes of a key, zeros after its end.
  @inline(__always)
  private func prefix(_ reference: EntryReference, at depth: Int) -> UInt64 {
    let left = Int(reference.byteCount) - depth
    guard left > 0 else { return 0 }
    // Memory after the key is readable, but not part of it.
    let bytes = base.bigUInt64(at: Int(reference.offset) + depth)
    return left >= 8 ? bytes : bytes & ~(UInt64.max >> UInt64(8 * left))
  }

  @inline(__always)
  private func isBefore(_ one: EntryReference, _ other: EntryReference, depth: Int) -> Bool {
    one.prefix != other.prefix
      ? one.prefix < other.prefix : isBeforeBehind(one, other, depth: depth)
  }

  private func isBeforeBehind(
    _ one: EntryReference, _ other: EntryReference, depth: Int
  ) -> Bool {
    let shorter = Int(min(one.byteCount, other.byteCount))
    if shorter > depth {
      // Both keys have at least so many bytes.
      let order = memcmp(
        base + Int(one.offset) + depth, base + Int(other.offset) + depth, shorter - depth)
      if order != 0 { return order < 0 }
    }
    return one.byteCount < other.byteCount
  }
}
