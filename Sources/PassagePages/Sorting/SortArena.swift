/// Memory of a sorter. The system backs only what is used of it.
final class SortArena {
  let bytes: UnsafeMutableRawPointer
  let byteCount: Int

  init(byteCount: Int) {
    self.byteCount = byteCount
    bytes = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
  }

  deinit { bytes.deallocate() }
}
