internal import PassagePlatform

extension FileSystem {
  /// The number of bytes that an unprivileged user may still write on the file system of a folder.
  package func freeBytes(at directory: String) throws -> Int64 {
    try willPerform(.freeBytes, directory)
    if let freeBytes { return freeBytes(directory) }
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { throw failure(.freeBytes, directory) }
    return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }

  /// Creates a folder that only its owner can enter (mode 0700). An existing folder is left as it
  /// is.
  package func makeDirectory(_ path: String) throws {
    guard try !makeNewDirectory(path), isInside(path) else { return }
    guard entry(path)?.kind == .directory else {
      throw Failure(operation: .makeDirectory, path: path, errorNumber: ENOTDIR)
    }
  }

  /// Creates a folder that only its owner can enter (mode 0700). `mkdirat(2)`.
  ///
  /// - Returns: `false` if something exists at the path.
  package func makeNewDirectory(_ path: String) throws -> Bool {
    try willPerform(.makeDirectory, path)
    return try withPlace(of: path, .makeDirectory) { place in
      if mkdirat(place.folder, place.name, 0o700) == 0 { return true }
      guard errno == EEXIST else { throw failure(.makeDirectory, path) }
      return false
    }
  }

  /// Creates an empty file that only its owner can read (mode 0600), so that what is written to it
  /// later is protected too. An existing file is left as it is.
  package func makeFile(_ path: String) throws {
    try willPerform(.write, path)
    try withPlace(of: path, .write) { place in
      let file = try opened(place, O_WRONLY | O_CREAT, .write, path)
      _ = close(file)
    }
  }

  /// Writes a small file under a temporary name, syncs it and renames it. If that fails, what was at
  /// the path is unchanged.
  ///
  /// The new name is not durable until its folder is synced; `writeDurably(_:to:)` does that.
  ///
  /// - Parameter keepsPermissions: whether the file gets the permissions of the one that it replaces,
  ///   and, where this process may give it, the owner too; otherwise only its owner can read it.
  package func write(
    _ contents: [UInt8], to path: String, keepsPermissions: Bool = false
  ) throws {
    try willPerform(.write, path)
    try writeTemporary(for: path) { file in
      if keepsPermissions {
        var status = stat()
        if stat(path, &status) == 0 {
          try change(
            file, path, mode: status.st_mode & 0o7777, owner: (status.st_uid, status.st_gid))
        } else if errno != ENOENT {
          throw failure(.write, path)
        }
      }
      try writeAll(contents[...], to: file, path)
      try makeDurable(file, .write, path)
    }
  }

  /// Writes a small file in an anchored folder under a temporary name and renames it, without syncing
  /// it: a killed process leaves the old file or the new one, a power failure may leave any part.
  package func writeUnsynced(_ contents: [UInt8], to path: String) throws {
    let temporary = path + ".new"
    try contents.withUnsafeBytes { try writeUnsynced($0, to: temporary) }
    try rename(temporary, to: path)
  }

  /// Makes a file beside the one at a path, lets `body` write to it, and renames it.
  ///
  /// In an anchored folder the temporary name is one that Passage gives, and what an earlier run left
  /// there is removed. Elsewhere it is one that nobody else knows, so that nothing of another is
  /// there, and a failure leaves nothing behind.
  func writeTemporary(for path: String, _ body: (_ file: Int32) throws -> Void) throws {
    let isOwn = isInside(path)
    // With the file's own name first, what a killed run leaves in a work folder is known there too.
    let temporary =
      path + (isOwn ? "" : ".\(String(UInt64.random(in: .min ... .max), radix: 16))") + ".new"
    try withPlace(of: temporary, .write) { place in
      let file = try openedNew(place, path, replacing: isOwn)
      do {
        defer { KeptDescriptors.release(file) }
        try body(file)
      } catch let failure {
        if !isOwn { try? remove(temporary) }
        throw failure
      }
    }
    do {
      try rename(temporary, to: path)
    } catch let failure {
      if !isOwn { try? remove(temporary) }
      throw failure
    }
  }

  /// Writes a file under its final name, without syncing it. A file that is there loses this name, and
  /// keeps its contents under any other.
  package func writeUnsynced(_ contents: UnsafeRawBufferPointer, to path: String) throws {
    try willPerform(.write, path)
    try withPlace(of: path, .write) { place in
      let file = try openedNew(place, path, replacing: true)
      defer { KeptDescriptors.release(file) }
      try writeAll(contents, to: file, path)
    }
  }

  /// Makes a file at its place, and opens it.
  ///
  /// - Parameter replacing: whether a file that is there is removed first. It is not written into, because
  ///   it may have another name.
  private func openedNew(_ place: Place, _ path: String, replacing: Bool) throws -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    do {
      return try opened(place, flags, .write, path)
    } catch let failure as Failure where failure.isExisting && replacing {
      guard unlinkat(place.folder, place.name, 0) == 0 || errno == ENOENT else {
        throw self.failure(.write, path)
      }
      return try opened(place, flags, .write, path)
    }
  }

  /// Writes other contents into a file, such as one that is locked, without syncing it.
  package func rewriteUnsynced(_ contents: UnsafeRawBufferPointer, to path: String) throws {
    try willPerform(.write, path)
    try withPlace(of: path, .write) { place in
      let file = try opened(place, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, .write, path)
      defer { KeptDescriptors.release(file) }
      try writeAll(contents, to: file, path)
    }
  }

  /// The folder that a path is in: `.` for a name alone.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(ofPlain: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Writes a small file and makes its contents and its name durable, for files that a later run
  /// depends on.
  package func writeDurably(_ contents: [UInt8], to path: String) throws {
    try write(contents, to: path)
    try synchronizeDirectory(Self.folder(of: path))
  }

  /// Writes a short file in an anchored folder and syncs it. Repeating the call, or making it at
  /// the same time as another process, gives the same file.
  package func writeInPlace(_ contents: [UInt8], to path: String) throws {
    try willPerform(.write, path)
    try withPlace(of: path, .write) { place in
      // Try to create the file; an existing one is a file of Passage that was not completed.
      var file = openat(
        place.folder, place.name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if file < 0, errno == EEXIST {
        file = openat(place.folder, place.name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      }
      guard file >= 0 else { throw failure(.write, path) }
      defer { KeptDescriptors.release(file) }
      try writeAll(contents[...], to: file, path)
      try makeDurable(file, .write, path)
    }
  }

  /// Opens a file at its place, creating it with mode 0600 if the flags say so. A read-only open
  /// waits while another process holds a lease on the file and is asked to give it back.
  func opened(
    _ place: Place, _ flags: Int32, _ operation: Operation, _ path: String
  ) throws -> Int32 {
    var tries = 0
    while true {
      let file = openat(place.folder, place.name, flags | place.openFlags, 0o600)
      if file >= 0 { return file }
      guard errno == EWOULDBLOCK, tries < 200 else { throw failure(operation, path) }
      tries += 1
      usleep(5_000)
    }
  }

  func writeAll(_ contents: ArraySlice<UInt8>, to file: Int32, _ path: String) throws {
    try contents.withUnsafeBytes { try writeAll($0, to: file, path) }
  }

  private func writeAll(
    _ contents: UnsafeRawBufferPointer, to file: Int32, _ path: String
  ) throws {
    var written = 0
    while written < contents.count {
      let count = systemWrite(file, UnsafeRawBufferPointer(rebasing: contents[written...]))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(.write, path) }
      written += count
    }
  }

  /// Copies the permissions of a file to another and, where this process may, the owner too.
  package func copyPermissions(of path: String, to newPath: String) throws {
    try willPerform(.write, newPath)
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(.write, newPath) }
    try change(newPath, mode: status.st_mode & 0o7777, owner: (status.st_uid, status.st_gid))
  }

  /// Copies the permissions of a file to another, as ``copyPermissions(of:to:)`` does, and looks at that
  /// one while it is open.
  ///
  /// - Returns: its status, and at most `count` bytes from its start.
  package func copyPermissions(
    of path: String, to newPath: String, reading count: Int
  ) throws -> (status: Status, start: [UInt8]) {
    try willPerform(.write, newPath)
    var wanted = stat()
    guard stat(path, &wanted) == 0 else { throw failure(.write, newPath) }
    return try withPlace(of: newPath, .write) { place in
      let file = try opened(place, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, .write, newPath)
      defer { KeptDescriptors.release(file) }
      var found = stat()
      guard fstat(file, &found) == 0 else { throw failure(.read, newPath) }
      let isOwned = found.st_uid == wanted.st_uid && found.st_gid == wanted.st_gid
      if !isOwned || found.st_mode & 0o7777 != wanted.st_mode & 0o7777 {
        try change(
          file, newPath, mode: wanted.st_mode & 0o7777,
          owner: isOwned ? nil : (wanted.st_uid, wanted.st_gid))
      }
      return (Status(found), try Self.bytes(of: file, count: count, newPath))
    }
  }

  /// Sets the permissions of a file; no link is followed. `fchmod(2)`, `fchown(2)`.
  func change(_ path: String, mode: mode_t, owner: (uid_t, gid_t)? = nil) throws {
    try withPlace(of: path, .write) { place in
      let file = try opened(place, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, .write, path)
      defer { KeptDescriptors.release(file) }
      try change(file, path, mode: mode, owner: owner)
    }
  }

  private func change(
    _ file: Int32, _ path: String, mode: mode_t, owner: (uid_t, gid_t)?
  ) throws {
    guard fchmod(file, mode) == 0 else { throw failure(.write, path) }
    // Only a privileged process may change the owner; for others, both files have the same owner.
    if let owner { _ = fchown(file, owner.0, owner.1) }
  }

  /// Sets the modification time of a file, in nanoseconds since 1970. `utimensat(2)`.
  ///
  /// A file system may store it with lower precision.
  package func setModificationTime(_ path: String, nanoseconds: Int64) throws {
    try willPerform(.write, path)
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(
      tv_sec: numericCast(rest < 0 ? seconds - 1 : seconds),
      tv_nsec: numericCast(rest < 0 ? rest + 1_000_000_000 : rest))
    try withPlace(of: path, .write) { place in
      guard utimensat(place.folder, place.name, [time, time], place.statusFlags) == 0 else {
        throw failure(.write, path)
      }
    }
  }

  /// Sets the modification time of a file where the file system and the file's owner allow that.
  package func setModificationTimeIfPossible(_ path: String, nanoseconds: Int64) throws {
    do {
      try setModificationTime(path, nanoseconds: nanoseconds)
    } catch let failure as Failure
      where [EPERM, ENOSYS, EOPNOTSUPP].contains(failure.errorNumber)
    {}
  }

  /// Makes a file's contents durable (fsync).
  package func synchronize(_ path: String) throws {
    try willPerform(.synchronize, path)
    try synchronize(path, O_RDONLY, .synchronize)
  }

  /// Makes the names in a folder durable.
  package func synchronizeDirectory(_ path: String) throws {
    // In a group, the folder itself need not be opened.
    if syncs != nil, !isInside(path) { return try synchronize(together: [], folders: [path]) }
    try willPerform(.synchronizeDirectory, path)
    try synchronize(path, O_RDONLY | O_DIRECTORY, .synchronizeDirectory)
  }

  private func synchronize(_ path: String, _ flags: Int32, _ operation: Operation) throws {
    try withPlace(of: path, operation) { place in
      let file = try opened(place, flags, operation, path)
      defer { KeptDescriptors.release(file) }
      try makeDurable(file, operation, path)
    }
  }

  /// Renames a file, replacing what is at the new path. This is the atomic moment of every
  /// cut-over.
  package func rename(_ path: String, to newPath: String) throws {
    try willPerform(.rename, newPath)
    try withPlace(of: path, .rename) { old in
      try withPlace(of: newPath, .rename) { new in
        guard renameat(old.folder, old.name, new.folder, new.name) == 0 else {
          throw failure(.rename, newPath)
        }
      }
    }
  }

  /// Creates a hard link; fails if the name is taken.
  package func link(_ path: String, to newPath: String) throws {
    try willPerform(.link, newPath)
    try withPlace(of: path, .link) { old in
      try withPlace(of: newPath, .link) { new in
        guard linkat(old.folder, old.name, new.folder, new.name, 0) == 0 else {
          throw failure(.link, newPath)
        }
      }
    }
  }

  /// Copies a file and syncs the copy; fails if the name is taken.
  ///
  /// - Parameter check: called for each mebibyte; what it throws ends the copying, and leaves what was copied.
  package func copy(
    _ path: String, to newPath: String, check: () throws -> Void = {}
  ) throws {
    try willPerform(.write, newPath)
    try withPlace(of: path, .write) { old in
      let source = try opened(old, O_RDONLY | O_NONBLOCK, .write, path)
      defer { KeptDescriptors.release(source) }
      try withPlace(of: newPath, .write) { new in
        let copy = try opened(new, O_WRONLY | O_CREAT | O_EXCL, .write, newPath)
        defer { close(copy) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
          let count = read(source, &buffer, buffer.count)
          if count < 0, errno == EINTR { continue }
          if count == 0 { break }
          guard count > 0 else { throw failure(.write, path) }
          try check()
          try writeAll(buffer[..<count], to: copy, newPath)
        }
        try makeDurable(copy, .write, newPath)
      }
    }
  }

  /// Removes a file; does nothing if it does not exist. A symbolic link is removed, never followed.
  package func remove(_ path: String) throws {
    try willPerform(.remove, path)
    try withPlace(of: path, .remove) { place in
      guard unlinkat(place.folder, place.name, 0) == 0 || errno == ENOENT else {
        throw failure(.remove, path)
      }
    }
  }

  /// Removes a folder of Passage with everything in it. Symbolic links are removed, never followed.
  package func removeDirectory(_ path: String) throws {
    for name in try names(in: path) {
      let inner = path + "/" + name
      if entry(inner)?.kind == .directory {
        try removeDirectory(inner)
      } else {
        try remove(inner)
      }
    }
    try willPerform(.remove, path)
    try withPlace(of: path, .remove) { place in
      guard unlinkat(place.folder, place.name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
        throw failure(.remove, path)
      }
    }
  }

  /// Takes the operating system's exclusive lock on a file; `nil` if another process holds it.
  package func lock(_ path: String) throws -> FileLock? {
    try willPerform(.lock, path)
    return try withPlace(of: path, .lock) { try FileLock($0, path: path) }
  }

  /// Gives a file its final name without replacing another file. `link(2)`, `unlink(2)`. On a file
  /// system without links it uses `rename(2)`, which would replace a file created in the same
  /// instant.
  ///
  /// Once the file has its final name, nothing is reported as a failure: an old name that cannot be
  /// removed stays.
  package func moveWithoutReplacing(_ path: String, to newPath: String) throws {
    do {
      try link(path, to: newPath)
    } catch let failure as Failure where !failure.isExisting {
      // If it cannot be determined whether the new path exists, nothing is replaced.
      guard (try? exists(newPath)) == false else { throw failure }
      return try rename(path, to: newPath)
    }
    try? remove(path)
  }

  private func failure(_ operation: Operation, _ path: String) -> Failure {
    Self.failure(operation, path)
  }
}

// Needed because the struct's own methods have the same name.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(file, bytes.baseAddress, bytes.count)
}
