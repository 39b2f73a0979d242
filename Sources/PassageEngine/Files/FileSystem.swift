#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The engine's one door to the operating system's files.
///
/// Everything that must be durable, exclusive or atomic goes through here, so that a test can see
/// the order of operations and make any of them fail.
package struct FileSystem: Sendable {
  package enum Operation: String, Sendable, CaseIterable {
    case makeDirectory
    case write
    case synchronize
    case synchronizeDirectory
    case rename
    case link
    case remove
    case freeBytes
    case lock
  }

  /// What the operating system answered when it refused.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package var operation: Operation
    package var path: String
    package var errorNumber: Int32

    package init(operation: Operation, path: String, errorNumber: Int32) {
      self.operation = operation
      self.path = path
      self.errorNumber = errorNumber
    }

    package var description: String {
      "\(operation.rawValue) \(path): \(String(cString: strerror(errorNumber)))"
    }

    package var isNoSpace: Bool { errorNumber == ENOSPC || errorNumber == EDQUOT }
    package var isExisting: Bool { errorNumber == EEXIST }
  }

  /// Called before each operation; what it throws takes the operation's place.
  private let willPerform: @Sendable (Operation, String) throws -> Void

  package init(willPerform: @escaping @Sendable (Operation, String) throws -> Void = { _, _ in }) {
    self.willPerform = willPerform
  }

  // MARK: Reading

  /// Whether anything, a broken symbolic link included, stands at the path.
  package func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  package func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The size of a file in bytes; 0 when there is none.
  package func byteCount(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// The file's identity: device and inode number; `nil` when there is none.
  package func identity(_ path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }

  /// The names in a folder, sorted; empty when there is no such folder.
  package func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// A whole small file; `nil` when it cannot be read or is longer than `limit` bytes.
  package func contents(_ path: String, limit: Int = 16 << 20) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var contents: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count == 0 { return contents }
      guard count > 0, contents.count + count <= limit else { return nil }
      contents += buffer[0..<count]
    }
  }

  /// Bytes a user without privileges may still write on the file system that holds the folder.
  package func freeBytes(at directory: String) throws -> Int64 {
    try willPerform(.freeBytes, directory)
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { throw failure(.freeBytes, directory) }
    return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }

  // MARK: Changing

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

  /// The path with every symbolic link followed; the path itself when nothing is there.
  package func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
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
    let source = open(path, O_RDONLY | O_CLOEXEC)
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
    for name in names(in: path) {
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

  private func failure(_ operation: Operation, _ path: String) -> Failure {
    Failure(operation: operation, path: path, errorNumber: errno)
  }
}

// The struct's own methods have these names too.
private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }
private func systemLink(_ old: String, _ new: String) -> Int32 { link(old, new) }
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(file, bytes.baseAddress, bytes.count)
}
