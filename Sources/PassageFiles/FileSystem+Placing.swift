internal import PassagePlatform

extension FileSystem {
  /// Removes an empty folder. Does nothing if the folder is not empty or does not exist.
  /// `rmdir(2)`.
  package func removeEmptyDirectory(_ path: String) throws {
    try willPerform(.remove, path)
    guard rmdir(path) == 0 || [ENOENT, ENOTEMPTY, EEXIST].contains(errno) else {
      throw Self.failure(.remove, path)
    }
  }

  /// Removes an empty folder inside an anchored one. Does nothing if it is not empty.
  /// `unlinkat(2)`.
  package func removeInnerDirectory(_ path: String) throws {
    try willPerform(.remove, path)
    try withPlace(of: path, .remove) { place in
      guard
        unlinkat(place.folder, place.name, AT_REMOVEDIR) == 0
          || [ENOENT, ENOTEMPTY, EEXIST].contains(errno)
      else { throw Self.failure(.remove, path) }
    }
  }

  /// Gives a copy the permissions of its original, and its owner the right to write it: a bundled
  /// file is often read-only, an installed store must be writable. `fchmod(2)`.
  package func copyPermissions(of path: String, toWritable newPath: String) throws {
    try willPerform(.write, newPath)
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.failure(.write, path) }
    // Set-user-id and similar bits are not copied.
    let own: mode_t = status.st_mode & S_IFMT == S_IFDIR ? 0o700 : 0o600
    let mode = (status.st_mode & 0o777) | own
    try change(newPath, mode: mode)
  }

  /// Overwrites bytes in the middle of a file. `pwrite(2)`.
  package func overwrite(_ bytes: [UInt8], in path: String, at offset: Int) throws {
    try willPerform(.write, path)
    try withPlace(of: path, .write) { place in
      let file = openat(place.folder, place.name, O_WRONLY | place.openFlags)
      guard file >= 0 else { throw Self.failure(.write, path) }
      defer { KeptDescriptors.release(file) }
      try Self.overwrite(bytes, of: file, path, at: offset)
    }
  }

  /// Overwrites bytes in the middle of a file of which a range is locked. `pwrite(2)`.
  package func overwrite(_ bytes: [UInt8], in lock: RangeLock, at offset: Int) throws {
    try willPerform(.write, lock.path)
    try Self.overwrite(bytes, of: lock.file, lock.path, at: offset)
  }

  /// Writes into a file that is locked. `pwrite(2)`.
  package func overwrite(_ bytes: [UInt8], in lock: FileLock, at offset: Int) throws {
    try willPerform(.write, lock.path)
    try Self.overwrite(bytes, of: lock.file, lock.path, at: offset)
  }

  /// Overwrites everything in a small file that is locked with zeros. It keeps its place on the disk: some
  /// file systems wait for the disk before they give one up.
  ///
  /// - Returns: how many zeros there are.
  func blank(_ lock: FileLock) throws -> Int {
    var status = stat()
    guard fstat(lock.file, &status) == 0, status.st_size <= 1 << 16 else {
      throw Self.failure(.read, lock.path)
    }
    let count = Int(status.st_size)
    try overwrite([UInt8](repeating: 0, count: count), in: lock, at: 0)
    return count
  }

  private static func overwrite(
    _ bytes: [UInt8], of file: Int32, _ path: String, at offset: Int
  ) throws {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        pwrite(file, $0.baseAddress, $0.count, off_t(offset + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(.write, path) }
      written += count
    }
  }

  /// Whether a path is a symbolic link whose target does not exist. `lstat(2)`, `stat(2)`.
  package func isDanglingLink(_ path: String) -> Bool {
    entry(path) != nil && (try? Self.status(path)) == nil
  }

  /// Waits 20 ms for another process.
  package func pause() { pause(milliseconds: 20) }
}
