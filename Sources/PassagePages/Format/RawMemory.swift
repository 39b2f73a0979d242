internal import PassagePlatform

/// Memory that is not initialized. The system backs only the part that is used.
final class RawMemory {
  let bytes: UnsafeMutableRawPointer
  let byteCount: Int
  private let isLarge: Bool
  private let meter: MemoryMeter?

  /// - Parameter meter: told of the memory as long as it exists.
  init(byteCount: Int, meter: MemoryMeter? = nil) {
    self.byteCount = byteCount
    self.meter = meter
    meter?.add(byteCount)
    let large =
      byteCount >= LargeMemory.leastBytes ? LargeMemory.allocate(byteCount: byteCount) : nil
    isLarge = large != nil
    // Sorters pack their entries by cache lines.
    bytes = large ?? .allocate(byteCount: byteCount, alignment: 64)
  }

  deinit {
    meter?.add(-byteCount)
    if isLarge {
      LargeMemory.deallocate(bytes, byteCount: byteCount)
    } else {
      bytes.deallocate()
    }
  }
}
