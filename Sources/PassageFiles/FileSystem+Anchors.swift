internal import PassagePlatform

/// Operations on paths inside a folder that is held open.
///
/// A path names something else as soon as somebody renames one of its folders or replaces it with a
/// symbolic link. An instance can therefore be anchored at open folders. Everything inside such a
/// folder is reached from its descriptor, name by name, and no link on the way is followed
/// (`openat(2)` and the like, `O_NOFOLLOW`). Everything else is reached by its path.
extension FileSystem {
  /// The place at which an operation works.
  struct Place {
    /// A folder's descriptor, or `AT_FDCWD`.
    var folder: Int32
    /// A name in that folder, or a full path.
    var name: String
    /// Whether it is inside an anchored folder.
    var isInside: Bool

    /// The flags for `open(2)`: inside an anchored folder, a link at the last name is not followed
    /// either.
    var openFlags: Int32 { O_CLOEXEC | (isInside ? O_NOFOLLOW : 0) }
    /// The flags for `fstatat(2)` and similar calls.
    var statusFlags: Int32 { isInside ? AT_SYMLINK_NOFOLLOW : 0 }
  }

  /// A copy of this instance that reaches everything inside an open folder from that folder.
  package func anchored(at folder: OpenFolder) -> FileSystem {
    var files = self
    files.anchors.append(folder)
    return files
  }

  /// Finds the place of a path and passes it to `body`; the folders on the way stay open meanwhile.
  func withPlace<Result>(
    of path: String, _ operation: Operation, _ body: (Place) throws -> Result
  ) throws -> Result {
    // The innermost anchored folder that contains the path.
    let anchor = anchors.filter { Self.isInside(path, $0) }
      .max { $0.path.utf8.count < $1.path.utf8.count }
    guard let anchor else {
      return try body(Place(folder: AT_FDCWD, name: path, isInside: false))
    }
    var names = path.utf8.dropFirst(anchor.path.utf8.count).split(separator: UInt8(ascii: "/"))
      .map { String(Substring($0)) }
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

  // MARK: Reading

  /// What is at a path itself, links not followed. `lstat(2)`.
  package struct Entry: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
      case file
      case directory = "folder"
      case link = "symbolic link"
      case other = "special file"
    }

    package var kind: Kind
    package var bytes: Int64
    /// The user who owns it.
    package var owner: UInt32
    /// How many names it has.
    package var links: UInt64
    /// Device and inode number.
    package var identity: [UInt64]
  }

  /// What is at a path itself; `nil` if nothing is there or it cannot be seen.
  package func entry(_ path: String) -> Entry? { try? found(path) }

  /// What is at a path itself. `fstatat(2)`.
  package func found(_ path: String) throws(Failure) -> Entry {
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
      links: UInt64(status.st_nlink),
      identity: Self.identity(of: status))
  }

  /// Device and inode number.
  static func identity(of status: stat) -> [UInt64] {
    [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
  }

  /// The identity of what is at a path now, regardless of the anchored folders; `nil` if nothing is there or
  /// it may not be seen. `lstat(2)`.
  ///
  /// - Throws: ``Failure`` where the system fails.
  package func identityOutside(_ path: String) throws(Failure) -> [UInt64]? {
    var files = self
    files.anchors = []
    do {
      return try files.found(path).identity
    } catch {
      if error.isOfSystem { throw error }
      return nil
    }
  }

  /// Opens a folder without following a link at its name.
  package func openFolder(_ path: String) throws -> OpenFolder {
    try withPlace(of: path, .read) { try OpenFolder(path, in: $0.folder, name: $0.name) }
  }

  /// The names in a folder, sorted. Fails if the folder cannot be read.
  package func entries(of folder: String) throws(Failure) -> [String] {
    if let names = anchors.last(where: { $0.path.utf8.elementsEqual(folder.utf8) })?.names() {
      return names.sorted()
    }
    return try atPlace(of: folder, .read) { place in
      let descriptor = openat(place.folder, place.name, place.openFlags | O_RDONLY | O_DIRECTORY)
      guard descriptor >= 0 else { throw Self.failure(.read, folder) }
      // From here on the stream owns the descriptor.
      guard let stream = fdopendir(descriptor) else {
        let failure = Self.failure(.read, folder)
        close(descriptor)
        throw failure
      }
      defer { closedir(stream) }
      return try Self.names(of: stream, folder).sorted()
    }
  }

  /// Like `withPlace(of:_:_:)`, with only `Failure` as an error.
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

  /// The contents of a small file that is not a link; `nil` if it does not exist or is longer than
  /// `limit` bytes.
  func insideContents(_ path: String, limit: Int) -> [UInt8]? {
    let bytes = try? withPlace(of: path, .read) { place -> [UInt8]? in
      // Opening a pipe must not wait for its other end; the check that follows refuses it.
      let descriptor = openat(place.folder, place.name, place.openFlags | O_RDONLY | O_NONBLOCK)
      guard descriptor >= 0 else { return nil }
      defer { KeptDescriptors.release(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_size <= limit
      else { return nil }
      return try Self.bytes(of: descriptor, count: Int(status.st_size), path)
    }
    return bytes ?? nil
  }

  /// At most `count` bytes from the start of a file in an anchored folder.
  package func prefix(_ path: String, count: Int) throws -> [UInt8] {
    try withPlace(of: path, .read) { place in
      let file = try opened(place, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, .read, path)
      defer { KeptDescriptors.release(file) }
      return try Self.bytes(of: file, count: count, path)
    }
  }

  /// Whether a path is inside an anchored folder.
  func isInside(_ path: String) -> Bool {
    anchors.contains { Self.isInside(path, $0) }
  }

  /// Whether a path is that of a folder, or inside it. By bytes: a slash and the mark after it are one
  /// character in Swift, and two spellings of an accent are the same.
  private static func isInside(_ path: String, _ folder: OpenFolder) -> Bool {
    let rest = path.utf8.dropFirst(folder.path.utf8.count)
    return path.utf8.starts(with: folder.path.utf8)
      && (rest.isEmpty || rest.first == UInt8(ascii: "/"))
  }

  /// The effective user of this process. `geteuid(2)`.
  package static var user: UInt32 { geteuid() }
}
