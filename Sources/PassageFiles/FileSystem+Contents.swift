internal import PassagePlatform

extension FileSystem {
  /// The status of a path itself; a symbolic link is `other`. `lstat(2)`.
  package static func linkStatus(_ path: String) throws(Failure) -> Status {
    var buffer = stat()
    guard lstat(path, &buffer) == 0 else { throw failure(.read, path) }
    guard buffer.st_mode & S_IFMT != S_IFLNK else {
      return Status(kind: .other, bytes: 0, modifiedNanoseconds: 0, device: 0, inode: 0)
    }
    return try status(path)
  }

  /// The status of a path itself, as ``linkStatus(_:)``; `nil` if nothing is there.
  ///
  /// - Throws: ``Failure`` if that cannot be determined, as without permission to look.
  package static func linkStatusIfThere(_ path: String) throws(Failure) -> Status? {
    do {
      return try linkStatus(path)
    } catch {
      if error.isNothingThere { return nil }
      throw error
    }
  }

  /// Calls `body` with every name in a folder, in no particular order, without keeping them in
  /// memory. `opendir(3)`, `readdir(3)`.
  ///
  /// A name that is not UTF-8 is repaired, and then names no file.
  package static func forEachName(
    in folder: String, _ body: (String) throws -> Void
  ) throws {
    guard let stream = opendir(folder) else { throw failure(.read, folder) }
    defer { closedir(stream) }
    while true {
      // `readdir` returns the same for the end and for an error; only `errno` tells them apart.
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw failure(.read, folder) }
        return
      }
      // d_name is a C array inside the entry, ended by a NUL.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { try body(name) }
    }
  }

  /// Whether two files have the same bytes. Two names of one file do.
  ///
  /// - Parameters:
  ///   - ignored: a range of offsets, among the first 256 KiB, whose bytes may differ.
  ///   - check: called for each 256 KiB; what it throws ends the comparison.
  /// - Complexity: O(n) in the bytes; memory does not grow with them.
  package static func haveEqualContents(
    _ path: String, _ other: String, ignoring ignored: Range<Int> = 0..<0,
    check: () throws -> Void = {}
  ) throws -> Bool {
    let (first, second) = (try linkStatus(path), try linkStatus(other))
    guard first.kind == .file, second.kind == .file, first.bytes == second.bytes else {
      return false
    }
    if first.device == second.device, first.inode == second.inode { return true }
    let left = openForReading(path, O_NOFOLLOW)
    guard left >= 0 else { throw failure(.read, path) }
    defer { KeptDescriptors.release(left, isReadOnly: true) }
    let right = openForReading(other, O_NOFOLLOW)
    guard right >= 0 else { throw failure(.read, other) }
    defer { KeptDescriptors.release(right, isReadOnly: true) }
    var blocks = (
      [UInt8](repeating: 0, count: 1 << 18), [UInt8](repeating: 0, count: 1 << 18)
    )
    var isFirst = true
    while true {
      let leftCount = try fill(&blocks.0, from: left, path)
      let rightCount = try fill(&blocks.1, from: right, other)
      if isFirst {
        for index in ignored.clamped(to: 0..<leftCount) { blocks.1[index] = blocks.0[index] }
        isFirst = false
      }
      guard leftCount == rightCount, blocks.0[..<leftCount] == blocks.1[..<rightCount] else {
        return false
      }
      if leftCount == 0 { return true }
      try check()
    }
  }

  /// Reads until the block is full or the file ends.
  private static func fill(_ block: inout [UInt8], from file: Int32, _ path: String) throws -> Int {
    var filled = 0
    while filled < block.count {
      let count = block.withUnsafeMutableBytes {
        read(file, $0.baseAddress.map { $0 + filled }, $0.count - filled)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(.read, path)
      }
      if count == 0 { break }
      filled += count
    }
    return filled
  }
}
