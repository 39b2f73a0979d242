#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Files that hold a record: one that cannot be read is never taken for one that is not there.
extension FileSystem {
  /// A whole small file; `nil` when there is none.
  ///
  /// - Throws: ``Failure``, also for a file that is longer than `limit` bytes (`EFBIG`).
  package func record(_ path: String, limit: Int = 16 << 20) throws(Failure) -> [UInt8]? {
    let status: Status
    do {
      status = try Self.status(path)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
    guard status.bytes <= limit else {
      throw Failure(operation: .read, path: path, errorNumber: EFBIG)
    }
    return try Self.prefix(path, count: Int(status.bytes))
  }

  /// Calls `body` with a file's bytes, block after block; not at all when there is none.
  package func forEachBlock(_ path: String, _ body: ([UInt8]) throws -> Void) throws {
    let file = Self.openForReading(path, O_NOFOLLOW)
    guard file >= 0 else {
      if errno == ENOENT { return }
      throw Self.failure(.read, path)
    }
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
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure(.write, path) }
    defer { close(file) }
    var buffer: [UInt8] = []
    func flush() throws {
      var written = 0
      while written < buffer.count {
        let count = buffer[written...].withUnsafeBytes { systemWrite(file, $0) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Self.failure(.write, path) }
        written += count
      }
      buffer.removeAll(keepingCapacity: true)
    }
    try body { bytes in
      buffer += bytes
      if buffer.count >= 1 << 16 { try flush() }
    }
    try flush()
    guard fsync(file) == 0 else { throw Self.failure(.write, path) }
    try rename(temporary, to: path)
  }

  /// Whether another process holds the lock on a file; not when there is no such file.
  package func isLocked(_ path: String) throws(Failure) -> Bool {
    let file = Self.openForReading(path, O_NOFOLLOW)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw Self.failure(.lock, path)
    }
    // Closing gives it back. Shared, so that two that only ask do not meet.
    defer { close(file) }
    if flock(file, LOCK_SH | LOCK_NB) == 0 { return false }
    guard errno == EWOULDBLOCK else { throw Self.failure(.lock, path) }
    return true
  }
}

// The struct's own method has this name too.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(file, bytes.baseAddress, bytes.count)
}
