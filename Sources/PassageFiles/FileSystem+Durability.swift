internal import PassagePlatform

extension FileSystem {
  /// Makes several files and folders of one file system durable, in no particular order. In a group
  /// they wait for one sync together.
  ///
  /// - Parameters:
  ///   - paths: the files.
  ///   - folders: the folders whose names are made durable; the last one is not in an anchored folder.
  /// - Throws: ``Failure``; then any of them may be durable.
  package func synchronize(together paths: [String], folders: [String]) throws {
    for path in paths { try willPerform(.synchronize, path) }
    for path in folders { try willPerform(.synchronizeDirectory, path) }
    guard let syncs, let last = folders.last, let device = device(of: last) else {
      return try synchronizeEach(paths, folders)
    }
    var failure: (any Error)?
    let number = syncs.synchronize(device: device, folder: last) {
      do {
        try synchronizeEach(paths, folders)
        return 0
      } catch let error {
        failure = error
        return (error as? Failure)?.errorNumber ?? EIO
      }
    }
    if let failure { throw failure }
    guard number == 0 else {
      throw Failure(
        operation: paths.isEmpty ? .synchronizeDirectory : .synchronize, path: paths.first ?? last,
        errorNumber: number)
    }
  }

  /// The device that a folder is on: that of an anchored one in it, or what `stat(2)` says.
  private func device(of folder: String) -> UInt64? {
    if let anchor = anchors.first(where: { Self.folder(of: $0.path) == folder }) {
      return anchor.identity.first
    }
    return (try? Self.status(folder))?.device
  }

  private func synchronizeEach(_ paths: [String], _ folders: [String]) throws {
    let all =
      paths.map { ($0, O_RDONLY, Operation.synchronize) }
      + folders.map { ($0, O_RDONLY | O_DIRECTORY, .synchronizeDirectory) }
    for (path, flags, operation) in all {
      try withPlace(of: path, operation) { place in
        let file = try opened(place, flags, operation, path)
        defer { KeptDescriptors.release(file) }
        let number = Self.synchronized(file)
        guard number == 0 else {
          throw Failure(operation: operation, path: path, errorNumber: number)
        }
      }
    }
  }

  /// Makes an open file or folder durable, however often a signal interrupts it. `fsync(2)`.
  ///
  /// - Returns: 0, or the number of the error.
  static func synchronized(_ file: Int32) -> Int32 {
    while fsync(file) != 0 {
      guard errno == EINTR else { return errno }
    }
    return 0
  }

  /// Makes an open file or folder durable: by itself (`fsync(2)`), or in the group.
  func makeDurable(_ file: Int32, _ operation: Operation, _ path: String) throws {
    let alone = { Self.synchronized(file) }
    var status = stat()
    let number: Int32
    if let syncs, fstat(file, &status) == 0 {
      number = syncs.synchronize(
        device: UInt64(truncatingIfNeeded: status.st_dev),
        folder: status.st_mode & S_IFMT == S_IFDIR ? path : Self.folder(of: path), alone: alone)
    } else {
      number = alone()
    }
    guard number == 0 else { throw Failure(operation: operation, path: path, errorNumber: number) }
  }
}

extension FileSystem {
  /// Has the system give back the memory in which it keeps a durable file, if it is one of a group: a
  /// run over many stores would fill the memory with files that nobody reads soon, and a page that was
  /// used a moment ago is faster than a new one. It promises nothing.
  package func dropFromCache(_ path: String) {
    guard isInGroup else { return }
    try? withPlace(of: path, .read) { place in
      let file = try opened(place, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, .read, path)
      FileSystemSync.dropFromCache(file)
      KeptDescriptors.release(file)
    }
  }

  /// The same of a file of which a range is locked.
  package func dropFromCache(_ lock: RangeLock) {
    if isInGroup { FileSystemSync.dropFromCache(lock.file) }
  }

  private var isInGroup: Bool { (syncs?.limit ?? 1) > 1 }
}

extension SyncGroup {
  /// Makes a file durable that SQLite has open, without opening it: closing it again would release
  /// SQLite's locks.
  ///
  /// - Parameter alone: syncs only the file; returns 0 or the number of the error.
  /// - Returns: 0, or the number of the error.
  package func synchronize(openFile path: String, alone: () -> Int32) -> Int32 {
    guard let status = try? FileSystem.status(path) else { return alone() }
    return synchronize(
      device: status.device, folder: FileSystem.folder(of: path), alone: alone)
  }

  /// Makes the names in the folder of a file durable that SQLite has removed.
  ///
  /// - Returns: 0, or the number of the error.
  package func synchronizeFolder(ofFile path: String) -> Int32 {
    do {
      try FileSystem(syncs: self).synchronizeDirectory(FileSystem.folder(of: path))
      return 0
    } catch {
      return (error as? FileSystem.Failure)?.errorNumber ?? EIO
    }
  }
}
