/// A digest of the rows of a table as its pages store them, to compare what was written with what is
/// read again. It finds faults, not forgeries.
///
/// The parts of a table are added in any order: the pages of its leaves, and the payloads of rows
/// that do not fit their page.
package struct PageDigest: Sendable, Hashable {
  /// The sum of the parts' hashes.
  package private(set) var sum: UInt64
  /// The rows.
  package private(set) var rowCount: Int64

  package init() { self.init(sum: 0, rowCount: 0) }

  /// A digest that was stored.
  package init(sum: UInt64, rowCount: Int64) {
    self.sum = sum
    self.rowCount = rowCount
  }

  /// The digest of the parts of both.
  package func adding(_ other: PageDigest) -> PageDigest {
    PageDigest(sum: sum &+ other.sum, rowCount: rowCount &+ other.rowCount)
  }

  /// Adds a leaf.
  mutating func add(leaf bytes: UnsafeRawPointer, byteCount: Int, rows: Int) {
    var hash = PartHash()
    hash.add(bytes, byteCount: byteCount)
    sum &+= hash.value
    rowCount &+= Int64(rows)
  }

  /// Adds the payload of a row that does not fit its page.
  mutating func add(_ payload: PartHash) { sum &+= payload.value }

  /// Adds the digest of another part of the table: the order of the parts makes no difference.
  package mutating func add(_ other: PageDigest) {
    sum &+= other.sum
    rowCount &+= other.rowCount
  }
}

/// The hash of one part of a ``PageDigest``, in four lanes of 64 bits.
struct PartHash {
  private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

  private var lanes = SIMD4<UInt64>(
    0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344, 0xA409_3822_299F_31D0, 0x082E_FA98_EC4E_6C89)
  /// Bytes that wait for a whole block, followed by zeros.
  private var rest = SIMD4<UInt64>(repeating: 0)
  private var restCount = 0
  private var byteCount: UInt64 = 0

  /// Adds bytes. It makes no difference in how many pieces they come.
  mutating func add(_ bytes: UnsafeRawPointer, byteCount count: Int) {
    byteCount &+= UInt64(count)
    var place = 0
    if restCount > 0 {
      place = min(32 - restCount, count)
      keep(bytes, byteCount: place)
      guard restCount == 32 else { return }
      add(rest)
      rest = SIMD4(repeating: 0)
      restCount = 0
    }
    let end = place &+ (count &- place) & ~31
    add(bytes + place, end: bytes + end)
    keep(bytes + end, byteCount: count - end)
  }

  /// Adds whole blocks.
  ///
  /// Two lanes are two blocks ahead of the others. Words beside each other would be made vectors, and
  /// most processors' vectors have no product of 64 bits.
  private mutating func add(_ start: UnsafeRawPointer, end: UnsafeRawPointer) {
    var (lane0, lane1, lane2, lane3) = (lanes[0], lanes[1], lanes[2], lanes[3])
    var (ahead, behind) = (start, start)
    while ahead < min(start + 64, end) {
      lane0 = Self.mixed(lane0, ahead.loadUnaligned(as: UInt64.self))
      lane2 = Self.mixed(lane2, ahead.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
      ahead += 32
    }
    while ahead < end {
      lane0 = Self.mixed(lane0, ahead.loadUnaligned(as: UInt64.self))
      lane1 = Self.mixed(lane1, behind.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      lane2 = Self.mixed(lane2, ahead.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
      lane3 = Self.mixed(lane3, behind.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
      ahead += 32
      behind += 32
    }
    while behind < end {
      lane1 = Self.mixed(lane1, behind.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      lane3 = Self.mixed(lane3, behind.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
      behind += 32
    }
    lanes = SIMD4(lane0, lane1, lane2, lane3)
  }

  /// Keeps bytes for the next block, which has room for them.
  private mutating func keep(_ bytes: UnsafeRawPointer, byteCount count: Int) {
    withUnsafeMutableBytes(of: &rest) {
      UnsafeMutableRawBufferPointer(rebasing: $0[restCount..<restCount + count])
        .copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count))
    }
    restCount += count
  }

  private mutating func add(_ block: SIMD4<UInt64>) {
    for lane in 0..<4 { lanes[lane] = Self.mixed(lanes[lane], block[lane]) }
  }

  /// Adds a word to a lane. Each lane is a chain of its own, so that they run beside each other.
  @inline(__always)
  private static func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (lane ^ word) &* factor
    return mixed ^ mixed &>> 29
  }

  var value: UInt64 {
    var copy = self
    if restCount > 0 { copy.add(rest) }
    var result = byteCount
    for lane in 0..<4 {
      result = (result ^ copy.lanes[lane]) &* Self.factor
      result ^= result >> 32
    }
    return result
  }
}
