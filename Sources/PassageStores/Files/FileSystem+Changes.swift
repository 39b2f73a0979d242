#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension FileSystem {
  /// Bytes a user without privileges may still write on the file system that holds the folder.
  package func freeBytes(at directory: String) throws -> Int64 {
    try willPerform(.freeBytes, directory)
    if let freeBytes { return freeBytes(directory) }
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { throw failure(.freeBytes, directory) }
    return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }

  /// Makes a folder that only its owner can enter (mode 0700). One that exists is left as it is.
  package func makeDirectory(_ path: String) throws {
    try willPerform(.makeDirectory, path)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(.makeDirectory, path) }
  }

  /// Makes an empty file that only its owner can read (mode 0600), so that what fills it later
  /// inherits the protection. One that exists is left as it is.
  package func makeFile(_ path: String) throws {
    try willPerform(.write, path)
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(.write, path) }
    close(file)
  }

  /// Writes a whole small file under a temporary name, syncs it and renames it into place.
  package func write(_ contents: [UInt8], to path: String) throws {
    try willPerform(.write, path)
    let temporary = path + ".new"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(.write, path) }
    defer { close(file) }
    var written = 0
    while written < contents.count {
      let count = contents[written...].withUnsafeBytes { systemWrite(file, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(.write, path) }
      written += count
    }
    guard fsync(file) == 0 else { throw failure(.write, path) }
    try rename(temporary, to: path)
  }

  /// Gives a file the permissions of another and, where this process may, its owner.
  package func copyPermissions(of path: String, to newPath: String) throws {
    try willPerform(.write, newPath)
    var status = stat()
    guard stat(path, &status) == 0, chmod(newPath, status.st_mode & 0o7777) == 0 else {
      throw failure(.write, newPath)
    }
    // Only a privileged process may give a file away; the others own both files.
    _ = chown(newPath, status.st_uid, status.st_gid)
  }

  /// Sets when a file was written last, in nanoseconds since 1970. `utimensat(2)`.
  ///
  /// A file system may keep it more coarsely.
  package func setModificationTime(_ path: String, nanoseconds: Int64) throws {
    try willPerform(.write, path)
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(
      tv_sec: numericCast(rest < 0 ? seconds - 1 : seconds),
      tv_nsec: numericCast(rest < 0 ? rest + 1_000_000_000 : rest))
    guard utimensat(AT_FDCWD, path, [time, time], 0) == 0 else { throw failure(.write, path) }
  }

  /// Makes a file's contents durable (fsync).
  package func synchronize(_ path: String) throws {
    try willPerform(.synchronize, path)
    try synchronize(path, O_RDONLY, .synchronize)
  }

  /// Makes the names in a folder durable.
  package func synchronizeDirectory(_ path: String) throws {
    try willPerform(.synchronizeDirectory, path)
    try synchronize(path, O_RDONLY | O_DIRECTORY, .synchronizeDirectory)
  }

  private func synchronize(_ path: String, _ flags: Int32, _ operation: Operation) throws {
    let file = open(path, flags | O_CLOEXEC)
    guard file >= 0 else { throw failure(operation, path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failure(operation, path) }
  }

  /// Renames, replacing what stands at the new path: the atomic instant of every cut-over.
  package func rename(_ path: String, to newPath: String) throws {
    try willPerform(.rename, newPath)
    guard systemRename(path, newPath) == 0 else { throw failure(.rename, newPath) }
  }

  /// Gives a file a second name; fails when the name is taken.
  package func link(_ path: String, to newPath: String) throws {
    try willPerform(.link, newPath)
    guard systemLink(path, newPath) == 0 else { throw failure(.link, newPath) }
  }

  /// Copies a file and makes the copy durable; fails when the name is taken.
  package func copy(_ path: String, to newPath: String) throws {
    try willPerform(.write, newPath)
    let source = Self.openForReading(path)
    guard source >= 0 else { throw failure(.write, path) }
    defer { close(source) }
    let copy = open(newPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard copy >= 0 else { throw failure(.write, newPath) }
    defer { close(copy) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &buffer, buffer.count)
      if count == 0 { break }
      guard count > 0 else { throw failure(.write, path) }
      var written = 0
      while written < count {
        let step = buffer[written..<count].withUnsafeBytes { systemWrite(copy, $0) }
        guard step > 0 else { throw failure(.write, newPath) }
        written += step
      }
    }
    guard fsync(copy) == 0 else { throw failure(.write, newPath) }
  }

  /// Removes a file; none there is no failure.
  package func remove(_ path: String) throws {
    try willPerform(.remove, path)
    guard unlink(path) == 0 || errno == ENOENT else { throw failure(.remove, path) }
  }

  /// Removes a folder of Passage's own with everything in it. Symbolic links are removed, never
  /// followed.
  package func removeDirectory(_ path: String) throws {
    for name in try names(in: path) {
      let entry = path + "/" + name
      var status = stat()
      guard lstat(entry, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        try removeDirectory(entry)
      } else {
        try remove(entry)
      }
    }
    try willPerform(.remove, path)
    guard rmdir(path) == 0 || errno == ENOENT else { throw failure(.remove, path) }
  }

  /// Takes the operating system's exclusive lock on a file; `nil` when another process holds it.
  package func lock(_ path: String) throws -> FileLock? {
    try willPerform(.lock, path)
    return try FileLock(path)
  }

  /// Gives a file its final name and never replaces another one. `link(2)`, `unlink(2)`; a file
  /// system without links gets `rename(2)`, which would replace a file made in the same instant.
  package func moveWithoutReplacing(_ path: String, to newPath: String) throws {
    do {
      try link(path, to: newPath)
    } catch let failure as Failure where !failure.isExisting {
      guard !exists(newPath) else { throw failure }
      return try rename(path, to: newPath)
    }
    try remove(path)
  }

  private func failure(_ operation: Operation, _ path: String) -> Failure {
    Self.failure(operation, path)
  }
}

// The struct's own methods have these names too.
private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }
private func systemLink(_ old: String, _ new: String) -> Int32 { link(old, new) }
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(file, bytes.baseAddress, bytes.count)
}
