internal import PassagePlatform

extension FileSystem {
  /// Makes an open file or folder durable: by itself (`fsync(2)`), or in the group.
  func makeDurable(_ file: Int32, _ operation: Operation, _ path: String) throws {
    let alone = { fsync(file) == 0 ? 0 : errno }
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
