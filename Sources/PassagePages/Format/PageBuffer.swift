/// The bytes of one page, or of several, in memory.
final class PageBuffer {
  let bytes: UnsafeMutableRawPointer
  let byteCount: Int

  init(byteCount: Int) {
    self.byteCount = byteCount
    bytes = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
    clear()
  }

  deinit { bytes.deallocate() }

  /// Fills the buffer with zeros.
  func clear() { bytes.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount) }

  /// The buffer's bytes.
  var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: byteCount) }
}
