internal import PassagePlatform

/// Paths inside a folder that is held open.
///
/// A path names something else as soon as somebody renames one of its folders, or puts a symbolic link
/// in its place. So an instance can be anchored at open folders: what lies inside such a folder is
/// reached from its descriptor, one name after the other, and no link on the way is followed
/// (`openat(2)` and its brothers, `O_NOFOLLOW`). Everything else is reached by its path.
extension FileSystem {
  /// Where an operation takes place.
  struct Place {
    /// A folder's descriptor, or `AT_FDCWD`.
    var folder: Int32
    /// A name in that folder, or a whole path.
    var name: String
    /// Whether it is inside an anchored folder.
    var isInside: Bool

    /// For `open(2)`: inside, a link at the last name is not followed either.
    var openFlags: Int32 { O_CLOEXEC | (isInside ? O_NOFOLLOW : 0) }
    /// For `fstatat(2)` and its like.
    var statusFlags: Int32 { isInside ? AT_SYMLINK_NOFOLLOW : 0 }
  }

  /// The same door, which reaches everything inside an open folder from that folder.
  package func anchored(at folder: OpenFolder) -> FileSystem {
    var files = self
    files.anchors.append(folder)
    return files
  }

  /// Finds the place of a path and hands it to `body`; the folders on the way are open meanwhile.
  func withPlace<Result>(
    of path: String, _ operation: Operation, _ body: (Place) throws -> Result
  ) throws -> Result {
    // The innermost folder that holds the path.
    let anchor = anchors.filter { path == $0.path || path.hasPrefix($0.path + "/") }
      .max { $0.path.utf8.count < $1.path.utf8.count }
    guard let anchor else {
      return try body(Place(folder: AT_FDCWD, name: path, isInside: false))
    }
    var names = path.dropFirst(anchor.path.count).split(separator: "/").map(String.init)
    guard !names.contains("..") else {
      throw Failure(operation: operation, path: path, errorNumber: EINVAL)
    }
    let last = names.popLast() ?? "."
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for name in names {
      let descriptor = openat(
        opened.last ?? anchor.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.failure(operation, path) }
      opened.append(descriptor)
    }
    return try withExtendedLifetime(anchor) {
      try body(Place(folder: opened.last ?? anchor.descriptor, name: last, isInside: true))
    }
  }

  // MARK: Looking

  /// What is at a path itself. `lstat(2)`.
  package struct Entry: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
      case file
      case directory = "folder"
      case link = "symbolic link"
      case other = "special file"
    }

    package var kind: Kind
    package var bytes: Int64
    /// The user it belongs to.
    package var owner: UInt32
    /// Device and inode number.
    package var identity: [UInt64]
  }

  /// What is at a path itself; `nil` when nothing does, or nothing that can be seen.
  package func entry(_ path: String) -> Entry? { try? found(path) }

  /// What is at a path itself. `fstatat(2)`.
  func found(_ path: String) throws(Failure) -> Entry {
    var status = stat()
    try atPlace(of: path, .read) { place in
      guard fstatat(place.folder, place.name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        throw Self.failure(.read, path)
      }
    }
    let kind: Entry.Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .link
      default: .other
      }
    return Entry(
      kind: kind, bytes: Int64(status.st_size), owner: status.st_uid,
      identity: [
        UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino),
      ])
  }

  /// What is at a path now, whatever is held open. `lstat(2)`.
  package func entryOutside(_ path: String) -> Entry? {
    var files = self
    files.anchors = []
    return files.entry(path)
  }

  /// Opens a folder without following a link at its name.
  package func openFolder(_ path: String) throws -> OpenFolder {
    try withPlace(of: path, .read) { try OpenFolder(path, in: $0.folder, name: $0.name) }
  }

  /// The names in a folder, sorted. A folder that cannot be read is a failure, not an empty one.
  package func entries(of folder: String) throws(Failure) -> [String] {
    try atPlace(of: folder, .read) { place in
      let descriptor = openat(place.folder, place.name, place.openFlags | O_RDONLY | O_DIRECTORY)
      guard descriptor >= 0 else { throw Self.failure(.read, folder) }
      // The stream owns the descriptor from here on.
      guard let stream = fdopendir(descriptor) else {
        let failure = Self.failure(.read, folder)
        close(descriptor)
        throw failure
      }
      defer { closedir(stream) }
      return try Self.names(of: stream, folder).sorted()
    }
  }

  /// As `withPlace(of:_:_:)`, where nothing but the system's refusal can end it.
  private func atPlace<Result>(
    of path: String, _ operation: Operation, _ body: (Place) throws -> Result
  ) throws(Failure) -> Result {
    do {
      return try withPlace(of: path, operation, body)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(operation: operation, path: path, errorNumber: EIO)
    }
  }

  /// A whole small file that is not a link; `nil` when there is none or it is longer than `limit` bytes.
  func insideContents(_ path: String, limit: Int) -> [UInt8]? {
    let bytes = try? withPlace(of: path, .read) { place -> [UInt8]? in
      // A pipe is opened without waiting for its other end, and then is not a file.
      let descriptor = openat(place.folder, place.name, place.openFlags | O_RDONLY | O_NONBLOCK)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_size <= limit
      else { return nil }
      return try Self.bytes(of: descriptor, count: Int(status.st_size), path)
    }
    return bytes ?? nil
  }

  /// Whether a path lies inside an anchored folder.
  func isInside(_ path: String) -> Bool {
    anchors.contains { path == $0.path || path.hasPrefix($0.path + "/") }
  }

  /// The user this process acts as. `geteuid(2)`.
  package static var user: UInt32 { geteuid() }
}
