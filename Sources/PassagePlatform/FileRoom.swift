#if os(Linux)
  internal import CLinux
#endif

/// Room on a disk for files that grow.
package enum FileRoom {
  /// Reserves room for bytes at an offset of an open file, where the system can do that without
  /// writing; the file's size stays. `fallocate(2)`.
  package static func reserve(_ byteCount: Int64, at offset: Int64, in file: Int32) {
    #if os(Linux)
      passage_reserve(file, off_t(offset), off_t(byteCount))
    #endif
  }
}
