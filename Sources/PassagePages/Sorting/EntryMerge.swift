internal import PassagePlatform

/// Merges runs of ``EntryKey``s.
final class EntryMerge: MergeRuns {
  private struct Reader {
    /// The eight first bytes of the key.
    var prefix: UInt64 = 0
    var key: UnsafeRawPointer
    /// The bytes of the key; -1 at the end of the run.
    var keyBytes = 0
    let buffer: UnsafeMutableRawPointer
    var filled = 0
    var offset: Int64
    var remaining: Int64
  }

  /// The longest length of a key in a run.
  private static let longestLength = 5

  private let file: SpillFile
  private let arena: RawMemory
  private let sliceBytes: Int
  private let count: Int
  private let readers: UnsafeMutablePointer<Reader>
  private let tree: LoserTree

  /// - Parameters:
  ///   - runs: at least one.
  ///   - arena: has a slice for each run, which holds the longest key.
  init(_ runs: [SpilledRun], _ file: SpillFile, arena: RawMemory, sliceBytes: Int) throws {
    self.file = file
    self.arena = arena
    self.sliceBytes = sliceBytes
    count = runs.count
    tree = LoserTree(count: count)
    readers = .allocate(capacity: count)
    for (index, run) in runs.enumerated() {
      let buffer = arena.bytes + index * sliceBytes
      (readers + index).initialize(
        to: Reader(
          key: UnsafeRawPointer(buffer), buffer: buffer, offset: run.offset,
          remaining: run.byteCount))
    }
    for index in 0..<count { try advance(index) }
    tree.begin(self)
  }

  deinit { readers.deallocate() }

  @inline(__always)
  func isBefore(_ one: Int, _ other: Int) -> Bool {
    let first = readers + one
    let second = readers + other
    guard first.pointee.keyBytes >= 0, second.pointee.keyBytes >= 0 else {
      return first.pointee.keyBytes >= 0
    }
    if first.pointee.prefix != second.pointee.prefix {
      return first.pointee.prefix < second.pointee.prefix
    }
    let shorter = min(first.pointee.keyBytes, second.pointee.keyBytes)
    // Both keys have at least so many bytes.
    let order = memcmp(first.pointee.key, second.pointee.key, shorter)
    return order != 0 ? order < 0 : first.pointee.keyBytes < second.pointee.keyBytes
  }

  /// Gives all keys in order, each valid during its call.
  @inline(__always)
  func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    while true {
      let reader = readers + tree.winner
      guard reader.pointee.keyBytes >= 0 else { return }
      try body(
        UnsafeRawBufferPointer(start: reader.pointee.key, count: reader.pointee.keyBytes))
      try advance(tree.winner)
      tree.replay(self)
    }
  }

  private func advance(_ run: Int) throws {
    let reader = readers + run
    guard reader.pointee.keyBytes >= 0 else { return }
    var place = reader.pointee.key + reader.pointee.keyBytes
    var left = UnsafeRawPointer(reader.pointee.buffer) + reader.pointee.filled - place
    if left < Self.longestLength, reader.pointee.remaining > 0 {
      (place, left) = try fill(reader, from: place, left)
    }
    guard left > 0 else {
      reader.pointee.keyBytes = -1
      return
    }
    guard let length = Varint.read(place, limit: left), length.value <= UInt64(sliceBytes) else {
      throw SpillDamage()
    }
    let keyBytes = Int(length.value)
    if left - length.byteCount < keyBytes {
      (place, left) = try fill(reader, from: place, left)
      guard left - length.byteCount >= keyBytes else { throw SpillDamage() }
    }
    reader.pointee.key = place + length.byteCount
    reader.pointee.keyBytes = keyBytes
    reader.pointee.prefix = Self.prefix(reader.pointee.key, keyBytes)
  }

  @inline(__always)
  private static func prefix(_ key: UnsafeRawPointer, _ keyBytes: Int) -> UInt64 {
    if keyBytes >= 8 { return key.bigUInt64(at: 0) }
    var prefix: UInt64 = 0
    for place in 0..<8 {
      let byte = place < keyBytes ? key.load(fromByteOffset: place, as: UInt8.self) : 0
      prefix = prefix << 8 | UInt64(byte)
    }
    return prefix
  }

  /// Moves what is left in a buffer to its beginning, and reads on behind it.
  private func fill(
    _ reader: UnsafeMutablePointer<Reader>, from place: UnsafeRawPointer, _ left: Int
  ) throws -> (UnsafeRawPointer, Int) {
    let buffer = reader.pointee.buffer
    // The two may overlap, which this allows.
    memmove(buffer, place, left)
    let byteCount = Int(min(Int64(sliceBytes - left), reader.pointee.remaining))
    try file.read(
      into: UnsafeMutableRawBufferPointer(start: buffer + left, count: byteCount),
      at: reader.pointee.offset)
    reader.pointee.filled = left + byteCount
    reader.pointee.offset += Int64(byteCount)
    reader.pointee.remaining -= Int64(byteCount)
    return (UnsafeRawPointer(buffer), left + byteCount)
  }
}
