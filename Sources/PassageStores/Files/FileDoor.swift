#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The module's one door to the file system's calls: no other file of it names the C library.
package enum FileDoor {
  /// What the system answered when it refused.
  package struct Failure: Error, Sendable, Hashable {
    /// `errno`.
    package var code: Int32
    /// The C function that failed.
    package var call: String

    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    package var isPermission: Bool { code == EACCES || code == EPERM }
    package var isExisting: Bool { code == EEXIST }
    package var message: String { "\(call): \(String(cString: strerror(code)))" }

    init(_ call: String) {
      self.code = errno
      self.call = call
    }
  }

  /// What `stat` says of a path.
  package struct Status: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      case file
      case directory
      case other
    }

    package var kind: Kind
    package var bytes: Int64
    package var modifiedNanoseconds: Int64
    package var inode: UInt64
  }

  /// Follows links. `stat(2)`.
  package static func status(_ path: String) throws(Failure) -> Status {
    var buffer = stat()
    guard stat(path, &buffer) == 0 else { throw Failure("stat") }
    let kind: Status.Kind =
      switch buffer.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      default: .other
      }
    #if canImport(Darwin)
      let time = buffer.st_mtimespec
    #else
      let time = buffer.st_mtim
    #endif
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return Status(
      kind: kind, bytes: Int64(buffer.st_size),
      modifiedNanoseconds: overflow ? .max : seconds &+ Int64(time.tv_nsec),
      inode: UInt64(buffer.st_ino))
  }

  /// At most `count` bytes from the start of a file. `open(2)`, `pread(2)`.
  package static func prefix(_ path: String, count: Int) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure("open") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      // The call writes into the array's own memory, never beyond what is left of it.
      let read = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress.map { $0 + filled }, count - filled, off_t(filled))
      }
      if read < 0 {
        if errno == EINTR { continue }
        throw Failure("pread")
      }
      if read == 0 { break }
      filled += read
    }
    return Array(bytes.prefix(filled))
  }

  /// Whether files may be made in a folder. `access(2)`.
  package static func isWritable(_ folder: String) -> Bool { access(folder, W_OK | X_OK) == 0 }

  /// Whether a file may be read. `access(2)`.
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Makes a file's bytes, or a folder's entries, durable. `fsync(2)`.
  package static func sync(_ path: String) throws(Failure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure("open") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Failure("fsync") }
  }

  /// Gives a file its final name and never replaces another one. `link(2)`, `unlink(2)`; a file
  /// system without links gets `rename(2)`, which would replace a file made in the same instant.
  package static func moveWithoutReplacing(_ source: String, to target: String) throws(Failure) {
    if link(source, target) == 0 {
      guard unlink(source) == 0 else { throw Failure("unlink") }
      return
    }
    guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS || errno == EMLINK else {
      throw Failure("link")
    }
    if access(target, F_OK) == 0 {
      errno = EEXIST
      throw Failure("rename")
    }
    guard rename(source, target) == 0 else { throw Failure("rename") }
  }

  /// Takes a file away; one that is not there is no failure. `unlink(2)`.
  package static func remove(_ path: String) throws(Failure) {
    guard unlink(path) == 0 || errno == ENOENT else { throw Failure("unlink") }
  }

  /// The names in a folder, in no order. `opendir(3)`, `readdir(3)`.
  package static func names(in folder: String) throws(Failure) -> [String] {
    guard let stream = opendir(folder) else { throw Failure("opendir") }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // d_name is a C array inside the entry, ended by a NUL.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
