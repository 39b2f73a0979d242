internal import PassagePlatform

/// The only type that calls the operating system's file functions: no other file uses the C library
/// for them.
///
/// Every operation that must be durable, exclusive or atomic is an instance method, so that a test
/// can observe the order of operations and make any of them fail. Reading is static.
package struct FileSystem: Sendable {
  package enum Operation: String, Sendable, CaseIterable {
    case read
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

  /// An error that the operating system returned.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package var operation: Operation
    package var path: String
    /// `errno`.
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
    package var isMissing: Bool { errorNumber == ENOENT || errorNumber == ENOTDIR }
    package var isPermission: Bool {
      errorNumber == EACCES || errorNumber == EPERM || isReadOnlyFileSystem
    }
    package var isReadOnlyFileSystem: Bool { errorNumber == EROFS }
    package var isTooManyOpenFiles: Bool { errorNumber == EMFILE || errorNumber == ENFILE }
    package var isNameTooLong: Bool { errorNumber == ENAMETOOLONG }
    /// Whether a record is larger than any that Passage writes.
    package var isTooLarge: Bool { errorNumber == EFBIG }
    /// Whether the error means that nothing can exist at the path.
    package var isNothingThere: Bool { isMissing || isNotAFolder || isNameTooLong }
    /// Whether links lead back to themselves, so that nothing can be at the path. A file that is opened
    /// only if it is not a link fails with the same number for any link.
    package var isCyclicLink: Bool {
      guard errorNumber == ELOOP else { return false }
      do throws(Failure) {
        _ = try FileSystem.status(path)
        return false
      } catch {
        return error.errorNumber == ELOOP
      }
    }
    /// Whether the path is not the file's name, because that is not UTF-8.
    package var isNotUTF8: Bool { errorNumber == EILSEQ }
    /// Whether the system failed, and not the path or the right to it: the same call may succeed later.
    package var isOfSystem: Bool {
      let numbersOfPaths = [
        ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, EILSEQ, EACCES, EPERM, EROFS, EEXIST, EINVAL,
        ENXIO, ENODEV, ESPIPE, EFBIG, EOVERFLOW,
      ]
      return !numbersOfPaths.contains(errorNumber)
    }
    package var isNotAFolder: Bool { errorNumber == ENOTDIR || errorNumber == ELOOP }
  }

  /// What `stat` reports for a path.
  package struct Status: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      case file
      case directory
      case other
    }

    package var kind: Kind
    package var bytes: Int64
    package var modifiedNanoseconds: Int64
    package var device: UInt64
    package var inode: UInt64

    init(
      kind: Kind, bytes: Int64, modifiedNanoseconds: Int64, device: UInt64, inode: UInt64
    ) {
      (self.kind, self.bytes, self.modifiedNanoseconds) = (kind, bytes, modifiedNanoseconds)
      (self.device, self.inode) = (device, inode)
    }

    init(_ buffer: stat) {
      kind =
        switch buffer.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        default: .other
        }
      bytes = Int64(buffer.st_size)
      let time = modificationTime(of: buffer)
      let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
      modifiedNanoseconds = overflow ? .max : seconds &+ Int64(time.tv_nsec)
      device = UInt64(truncatingIfNeeded: buffer.st_dev)
      inode = UInt64(truncatingIfNeeded: buffer.st_ino)
    }
  }

  /// Called before each operation. If it throws, the operation is not performed.
  let willPerform: @Sendable (Operation, String) throws -> Void

  /// Returns the number of free bytes in place of the system; `nil` to ask the system.
  let freeBytes: (@Sendable (String) -> Int64)?

  /// Returns the identity of the program's build in place of the system; `nil` to ask the system.
  let executable: (@Sendable () -> String)?

  /// Makes files durable together with those of other stores; `nil` if each is synced by itself.
  package let syncs: SyncGroup?

  /// How the names of kept stores began when their folders were listed first; `nil` to list a folder
  /// for each store.
  package let keptNames: NameBeginnings?

  /// How the names of files began before each of their dots when their folders were listed first; `nil` to list
  /// a folder for each store.
  package let stems: NameBeginnings?

  /// The work folders that are handed on from one store to the next; `nil` if each is made and removed.
  package let spareFolders: SpareFolders?

  /// The folders that are held open; see `anchored(at:)`.
  var anchors: [OpenFolder] = []

  package init(
    freeBytes: (@Sendable (String) -> Int64)? = nil,
    executable: (@Sendable () -> String)? = nil,
    syncs: SyncGroup? = nil,
    keptNames: NameBeginnings? = nil,
    stems: NameBeginnings? = nil,
    spareFolders: SpareFolders? = nil,
    willPerform: @escaping @Sendable (Operation, String) throws -> Void = { _, _ in }
  ) {
    self.freeBytes = freeBytes
    self.executable = executable
    self.syncs = syncs
    self.keptNames = keptNames
    self.stems = stems
    self.spareFolders = spareFolders
    self.willPerform = willPerform
  }

  // MARK: Reading

  /// The most bytes of a path that the system's calls take: `PATH_MAX`, without the NUL at the end.
  package static let maximumPathBytes = Int(PATH_MAX) - 1

  /// The status of a path, links followed. `stat(2)`.
  package static func status(_ path: String) throws(Failure) -> Status {
    var buffer = stat()
    guard stat(path, &buffer) == 0 else { throw failure(.read, path) }
    return Status(buffer)
  }

  /// The status of a path itself: a symbolic link is `other`. `lstat(2)`.
  package static func ownStatus(_ path: String) throws(Failure) -> Status {
    var buffer = stat()
    guard lstat(path, &buffer) == 0 else { throw failure(.read, path) }
    return Status(buffer)
  }

  /// The status of an open file. `fstat(2)`.
  static func status(of file: Int32, _ path: String) throws(Failure) -> Status {
    var buffer = stat()
    guard fstat(file, &buffer) == 0 else { throw failure(.read, path) }
    return Status(buffer)
  }

  /// At most `count` bytes from the start of a file. `open(2)`, `pread(2)`.
  ///
  /// A pipe is an error, because opening one without `O_NONBLOCK` waits for a writer.
  package static func prefix(_ path: String, count: Int) throws(Failure) -> [UInt8] {
    let descriptor = openForReading(path)
    guard descriptor >= 0 else { throw failure(.read, path) }
    defer { KeptDescriptors.release(descriptor, isReadOnly: true) }
    return try bytes(of: descriptor, count: count, path)
  }

  /// At most `count` bytes from the start of an open file. `pread(2)`.
  static func bytes(
    of descriptor: Int32, count: Int, _ path: String
  ) throws(Failure) -> [UInt8] {
    // An array without room is the one that all threads share, and its count would be written all the same.
    guard count > 0 else { return [] }
    var number: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        // The call writes into the array's memory, never beyond its remaining space.
        let read = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(filled))
        if read < 0 {
          if errno == EINTR { continue }
          number = errno
          return
        }
        if read == 0 { return }
        filled += read
      }
    }
    guard number == 0 else { throw Failure(operation: .read, path: path, errorNumber: number) }
    return bytes
  }

  /// Opens a file for reading without waiting, whatever it is; returns -1 and sets `errno` if it
  /// cannot be opened. It is closed with ``KeptDescriptors``.
  static func openForReading(_ path: String, _ flags: Int32 = 0) -> Int32 {
    if let kept = KeptDescriptors.take(path, followsLinks: flags & O_NOFOLLOW == 0) { return kept }
    var tries = 0
    while true {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags)
      // Another process holds a lease on the file and has been asked to give it back.
      guard descriptor < 0, errno == EWOULDBLOCK, tries < 200 else { return descriptor }
      tries += 1
      usleep(5_000)
    }
  }

  /// Whether files may be created in a folder. `access(2)`.
  package static func isWritable(_ folder: String) -> Bool { access(folder, W_OK | X_OK) == 0 }

  /// Whether this process may write to a file. `access(2)`.
  package static func isWritable(file: String) -> Bool { access(file, W_OK) == 0 }

  /// Whether a file may be read. `access(2)`.
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Whether the sticky bit of its folder, as `/tmp` has it, keeps this user from replacing and removing a
  /// file, although files may be created in the folder: only the owner of the file or of the folder may do
  /// that. `lstat(2)`, `stat(2)`.
  package static func isHeldByStickyBit(_ path: String) -> Bool {
    let user = geteuid()
    var file = stat()
    var around = stat()
    guard user != 0, lstat(path, &file) == 0, stat(folder(of: path), &around) == 0 else {
      return false
    }
    return around.st_mode & 0o1000 != 0 && file.st_uid != user && around.st_uid != user
  }

  /// The names in a folder, sorted. `opendir(3)`, `readdir(3)`.
  package static func names(in folder: String) throws(Failure) -> [String] {
    guard let stream = opendir(folder) else { throw failure(.read, folder) }
    defer { closedir(stream) }
    return try names(of: stream, folder).sorted()
  }

  /// Fails where the names in a folder cannot be read. None is read. `opendir(3)`.
  package static func checkNames(in folder: String) throws(Failure) {
    guard let stream = opendir(folder) else { throw failure(.read, folder) }
    closedir(stream)
  }

  /// The names in a folder that begin with a text, sorted. Of all others nothing is made: a folder may
  /// have a hundred thousand of them. `opendir(3)`, `readdir(3)`.
  package static func names(
    in folder: String, beginningWith start: String
  ) throws(Failure) -> [String] {
    guard let stream = opendir(folder) else { throw failure(.read, folder) }
    defer { closedir(stream) }
    return try names(of: stream, folder, beginningWith: Array(start.utf8)).sorted()
  }

  static func names(
    of stream: FolderStream, _ folder: String, beginningWith start: [UInt8] = []
  ) throws(Failure) -> [String] {
    var names: [String] = []
    while true {
      // `readdir` returns the same for the end and for an error; only `errno` tells them apart.
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw failure(.read, folder) }
        break
      }
      // d_name is a C array inside the entry, ended by a NUL.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        $0.starts(with: start) ? String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) : nil
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The failure that a name in a folder is not UTF-8. What was read of it is another name.
  package static func notUTF8(_ path: String) -> Failure {
    Failure(operation: .read, path: path, errorNumber: EILSEQ)
  }

  /// Whether anything exists at the path, even a broken symbolic link.
  ///
  /// - Throws: ``Failure`` if that cannot be determined.
  package func exists(_ path: String) throws(Failure) -> Bool {
    do {
      _ = try found(path)
      return true
    } catch {
      if error.isNothingThere { return false }
      throw error
    }
  }

  package func isDirectory(_ path: String) -> Bool {
    if isInside(path) { return entry(path)?.kind == .directory }
    return (try? Self.status(path))?.kind == .directory
  }

  /// The size of a file in bytes; 0 if it does not exist.
  ///
  /// - Throws: ``Failure`` if it cannot be determined.
  package func byteCount(_ path: String) throws(Failure) -> Int64 {
    do {
      return try isInside(path) ? found(path).bytes : Self.status(path).bytes
    } catch {
      if error.isMissing { return 0 }
      throw error
    }
  }

  /// The file's identity: device and inode number; `nil` if it does not exist.
  ///
  /// - Throws: ``Failure`` when it cannot be determined.
  package func identity(_ path: String) throws(Failure) -> [UInt64]? {
    do {
      if isInside(path) { return try found(path).identity }
      let status = try Self.status(path)
      return [status.device, status.inode]
    } catch {
      if error.isNothingThere { return nil }
      throw error
    }
  }

  /// The names in a folder, sorted; empty if the folder does not exist.
  ///
  /// - Throws: ``Failure`` when they cannot be determined.
  package func names(in directory: String) throws(Failure) -> [String] {
    do {
      return try entries(of: directory)
    } catch {
      if error.isMissing { return [] }
      throw error
    }
  }

  /// The contents of a small file; `nil` if it cannot be read or is longer than `limit` bytes.
  package func contents(_ path: String, limit: Int = 16 << 20) -> [UInt8]? {
    if isInside(path) { return insideContents(path, limit: limit) }
    guard let size = (try? Self.status(path))?.bytes, size <= limit else { return nil }
    // The files of `/proc` report a size of 0.
    let count = size > 0 ? Int(size) : min(limit, 4_096)
    guard let contents = try? Self.prefix(path, count: count + 1), contents.count <= count else {
      return nil
    }
    return contents
  }

  /// The path with every symbolic link followed; the path itself if nothing exists there.
  package func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  static func failure(_ operation: Operation, _ path: String) -> Failure {
    Failure(operation: operation, path: path, errorNumber: errno)
  }
}
