/// Memory of so many pages that it is asked of the system by itself: `mmap(2)`. What is given back is the
/// system's again at once; the C library keeps such pieces for later ones, once the first was given
/// back, and cannot return them while anything lies behind them.
package enum LargeMemory {
  /// From how many bytes on it is worth two calls of the system.
  package static let leastBytes = 1 << 20

  /// Memory that is not shared, at the start of a page. The system backs only the part that is used.
  ///
  /// - Parameter byteCount: at least 1.
  /// - Returns: `nil` if there is no room in the address space.
  package static func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
    let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    return memory == MAP_FAILED ? nil : memory
  }

  /// Gives back what `allocate` returned, whole.
  package static func deallocate(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    munmap(memory, byteCount)
  }
}
