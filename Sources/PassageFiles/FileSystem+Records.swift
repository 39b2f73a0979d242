internal import PassagePlatform

/// Files that hold a record. A file that cannot be read is never treated as missing.
extension FileSystem {
  /// The contents of a small file; `nil` if it does not exist.
  ///
  /// - Throws: ``Failure``, also for a file that is longer than `limit` bytes (`EFBIG`).
  package func record(_ path: String, limit: Int = 16 << 20) throws -> [UInt8]? {
    guard let file = try openedRecord(path) else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Self.failure(.read, path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(operation: .read, path: path, errorNumber: EINVAL)
    }
    guard status.st_size <= limit else {
      throw Failure(operation: .read, path: path, errorNumber: EFBIG)
    }
    return try Self.bytes(of: file, count: Int(status.st_size), path)
  }

  /// Opens a file for reading without waiting, whatever it is; `nil` if it does not exist.
  private func openedRecord(_ path: String, _ flags: Int32 = 0) throws -> Int32? {
    do {
      return try withPlace(of: path, .read) {
        try opened($0, O_RDONLY | O_NONBLOCK | flags, .read, path)
      }
    } catch let failure as Failure where failure.isMissing {
      return nil
    }
  }

  /// Calls `body` with the bytes of a file, block by block. Does nothing if the file does not
  /// exist.
  package func forEachBlock(_ path: String, _ body: ([UInt8]) throws -> Void) throws {
    guard let file = try openedRecord(path, O_NOFOLLOW) else { return }
    defer { close(file) }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &block, block.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failure(.read, path)
      }
      if count == 0 { return }
      try body(count == block.count ? block : Array(block.prefix(count)))
    }
  }

  /// The number of lines of a file; 0 if it does not exist.
  ///
  /// - Complexity: O(n) in its bytes; memory does not grow with them.
  package func lineCount(_ path: String) throws -> Int64 {
    var count: Int64 = 0
    try forEachBlock(path) { block in
      count += Int64(block.count { $0 == UInt8(ascii: "\n") })
    }
    return count
  }

  /// Writes a file of any length under a temporary name, syncs it and renames it.
  ///
  /// - Parameter body: receives a function that appends bytes.
  package func write(
    to path: String, _ body: (_ append: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    try willPerform(.write, path)
    try writeTemporary(for: path) { file in
      var buffer: [UInt8] = []
      try body { bytes in
        buffer += bytes
        guard buffer.count >= 1 << 16 else { return }
        try writeAll(buffer[...], to: file, path)
        buffer.removeAll(keepingCapacity: true)
      }
      try writeAll(buffer[...], to: file, path)
      try makeDurable(file, .write, path)
    }
  }

  /// Whether another process holds the lock on a file; `false` if the file does not exist.
  package func isLocked(_ path: String) throws -> Bool {
    let file: Int32
    do {
      guard let opened = try openedRecord(path, O_NOFOLLOW) else { return false }
      file = opened
    } catch let failure as Failure where failure.isNotAFolder {
      // A link is not one of Passage's locks; the code that would use the folder refuses it.
      return false
    }
    // Closing releases the lock. It is shared, so that two processes that only ask do not conflict.
    defer { close(file) }
    if flock(file, LOCK_SH | LOCK_NB) == 0 { return false }
    guard errno == EWOULDBLOCK else { throw Self.failure(.lock, path) }
    return true
  }
}
