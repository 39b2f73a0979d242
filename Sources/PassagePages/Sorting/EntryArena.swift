/// The memory of an ``EntrySorter``: a buffer for what is written, then keys from the front and
/// references to them from the back.
struct EntryArena {
  /// Keys may be read in groups of eight bytes, the last group beyond their end.
  static let slack = 8

  private let arena: RawMemory
  private let meter: MemoryMeter?
  /// Where the offsets of the references count from.
  let bytes: UnsafeMutableRawPointer
  let byteCount: Int
  let writeBuffer: UnsafeMutableRawBufferPointer
  private(set) var count = 0
  /// Where the next key goes.
  private var end: Int
  /// The first of the references; the last key's.
  private(set) var references: UnsafeMutablePointer<EntryReference>

  init(byteCount: Int, meter: MemoryMeter? = nil) {
    self.meter = meter
    arena = RawMemory(byteCount: byteCount & ~63, meter: meter)
    bytes = arena.bytes
    self.byteCount = arena.byteCount
    let bufferBytes = Self.bufferBytes(arenaBytes: arena.byteCount)
    writeBuffer = UnsafeMutableRawBufferPointer(start: bytes, count: bufferBytes)
    end = bufferBytes
    references = (bytes + arena.byteCount).assumingMemoryBound(to: EntryReference.self)
  }

  private static func bufferBytes(arenaBytes: Int) -> Int { min(65_536, arenaBytes / 8) & ~63 }

  /// The size of an arena that holds one key and others of that size.
  static func byteCount(forKey bound: Int) -> Int { (bound + bound / 4 + 4_096) | 63 }

  /// Whether a key of so many bytes fits.
  @inline(__always)
  func hasRoom(for byteCount: Int) -> Bool {
    end + byteCount + Self.slack + MemoryLayout<EntryReference>.stride
      <= UnsafeRawPointer(references) - UnsafeRawPointer(bytes)
  }

  /// Where the next key goes.
  @inline(__always)
  var place: UnsafeMutableRawPointer { bytes + end }

  /// A key of so many bytes has been written to ``place``.
  @inline(__always)
  mutating func commit(_ byteCount: Int) {
    references -= 1
    references.pointee = EntryReference(
      prefix: 0, offset: UInt32(truncatingIfNeeded: end),
      byteCount: UInt32(truncatingIfNeeded: byteCount))
    end += byteCount
    count += 1
  }

  mutating func removeAll() {
    count = 0
    end = writeBuffer.count
    references = (bytes + byteCount).assumingMemoryBound(to: EntryReference.self)
  }

  /// A larger arena with the same keys.
  func grown(to byteCount: Int) -> EntryArena {
    var larger = EntryArena(byteCount: byteCount, meter: meter)
    var index = count
    while index > 0 {
      index -= 1
      let key = key(index)
      guard let bytes = key.baseAddress else { continue }
      larger.place.copyMemory(from: bytes, byteCount: key.count)
      larger.commit(key.count)
    }
    return larger
  }

  /// A key by the place of its reference.
  @inline(__always)
  func key(_ index: Int) -> UnsafeRawBufferPointer {
    let reference = references[index]
    return UnsafeRawBufferPointer(
      start: bytes + Int(reference.offset), count: Int(reference.byteCount))
  }
}
