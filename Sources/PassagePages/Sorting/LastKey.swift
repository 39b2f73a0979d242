internal import PassagePlatform

/// The values of the entry before.
struct LastKey {
  private var arena = RawMemory(byteCount: 1_024)
  private var byteCount = 0
  private(set) var row: Int64 = 0

  func equals(_ key: UnsafeRawBufferPointer) -> Bool {
    guard let bytes = key.baseAddress, key.count == byteCount else { return false }
    return memcmp(arena.bytes, bytes, byteCount) == 0
  }

  mutating func set(_ key: UnsafeRawBufferPointer, row: Int64) {
    guard let bytes = key.baseAddress else { return }
    if key.count > arena.byteCount { arena = RawMemory(byteCount: 2 * key.count) }
    arena.bytes.copyMemory(from: bytes, byteCount: key.count)
    byteCount = key.count
    self.row = row
  }
}
