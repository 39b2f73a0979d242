#if os(Linux)
  internal import CLinux
#endif

/// Reads the names of a folder that is open anyway. A stream of the C library opens it once more, and has
/// memory of its own.
package enum FolderNames {
  /// The names in an open folder, in no particular order, without those of itself and of the one around it.
  /// The position of the folder changes. `getdents64(2)`.
  ///
  /// - Returns: `nil` when they cannot be read like this.
  package static func all(in folder: Int32) -> [String]? {
    #if os(Linux)
      guard lseek(folder, 0, SEEK_SET) == 0 else { return nil }
      return withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
        var names: [String] = []
        while true {
          let count = passage_read_folder(folder, buffer.baseAddress, buffer.count)
          if count == 0 { return names }
          guard count > 0, count <= buffer.count,
            add(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: &names)
          else { return nil }
        }
      }
    #else
      nil
    #endif
  }

  #if os(Linux)
    /// An entry has a number and an offset of 8 bytes each, its length in 2 bytes, its kind in one, and
    /// its name, which ends with a NUL: `struct linux_dirent64`.
    private static func add(_ entries: UnsafeRawBufferPointer, to names: inout [String]) -> Bool {
      var start = 0
      while start < entries.count {
        guard start + 19 < entries.count else { return false }
        let length = Int(entries.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self))
        guard length > 19, length <= entries.count - start else { return false }
        let name = entries[(start + 19)..<(start + length)].prefix { $0 != 0 }
        start += length
        if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { continue }
        names.append(String(decoding: name, as: UTF8.self))
      }
      return true
    }
  #endif
}
