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

  /// Gives back the room of bytes of an open file, which are zeros from then on; the file's size stays.
  /// `fallocate(2)`.
  ///
  /// - Returns: whether it was given back: not every system and file system can.
  package static func giveBack(_ range: Range<Int64>, in file: Int32) -> Bool {
    #if os(Linux)
      passage_give_back(file, off_t(range.lowerBound), off_t(range.count)) == 0
    #else
      false
    #endif
  }
}
