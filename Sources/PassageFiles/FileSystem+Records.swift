internal import PassagePlatform

/// Files that hold a record: one that cannot be read is never taken for one that is not there.
extension FileSystem {
  /// A whole small file; `nil` when there is none.
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

  /// Opens a file for reading without waiting for whatever is there; `nil` when there is none.
  private func openedRecord(_ path: String, _ flags: Int32 = 0) throws -> Int32? {
    do {
      return try withPlace(of: path, .read) {
        try opened($0, O_RDONLY | O_NONBLOCK | flags, .read, path)
      }
    } catch let failure as Failure where failure.isMissing {
      return nil
    }
  }

  /// Calls `body` with a file's bytes, block after block; not at all when there is none.
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

  /// How many lines a file has; 0 when there is none.
  ///
  /// - Complexity: O(n) in its bytes; memory does not grow with them.
  package func lineCount(_ path: String) throws -> Int64 {
    var count: Int64 = 0
    try forEachBlock(path) { block in
      count += Int64(block.count { $0 == UInt8(ascii: "\n") })
    }
    return count
  }

  /// Writes a file of any length under a temporary name, syncs it and renames it into place.
  ///
  /// - Parameter body: is given what appends bytes.
  package func write(
    to path: String, _ body: (_ append: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    try willPerform(.write, path)
    let temporary = path + ".new"
    try withPlace(of: temporary, .write) { place in
      let file = try opened(place, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, .write, path)
      defer { close(file) }
      var buffer: [UInt8] = []
      try body { bytes in
        buffer += bytes
        guard buffer.count >= 1 << 16 else { return }
        try writeAll(buffer[...], to: file, path)
        buffer.removeAll(keepingCapacity: true)
      }
      try writeAll(buffer[...], to: file, path)
      guard fsync(file) == 0 else { throw Self.failure(.write, path) }
    }
    try rename(temporary, to: path)
  }

  /// Whether another process holds the lock on a file; not when there is no such file.
  package func isLocked(_ path: String) throws -> Bool {
    let file: Int32
    do {
      guard let opened = try openedRecord(path, O_NOFOLLOW) else { return false }
      file = opened
    } catch let failure as Failure where failure.isNotAFolder {
      // A link is not a lock of ours; the code that would work beside it refuses it.
      return false
    }
    // Closing gives it back. Shared, so that two that only ask do not meet.
    defer { close(file) }
    if flock(file, LOCK_SH | LOCK_NB) == 0 { return false }
    guard errno == EWOULDBLOCK else { throw Self.failure(.lock, path) }
    return true
  }
}
