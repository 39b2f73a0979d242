/// Memory that is not initialized. The system backs only the part that is used.
final class RawMemory {
  let bytes: UnsafeMutableRawPointer
  let byteCount: Int

  init(byteCount: Int) {
    self.byteCount = byteCount
    // Sorters pack their entries by cache lines.
    bytes = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
  }

  deinit { bytes.deallocate() }
}
