internal import PassagePlatform

/// An exclusive lock on a range of bytes of a file, which the system releases when its owner dies.
///
/// It belongs to the open file and not to the process, so closing another descriptor of the file does
/// not release it. Programs that lock the same bytes with `fcntl(2)`, as SQLite does, are kept out.
package final class RangeLock: Sendable {
  package let path: String
  let file: Int32

  /// Locks a range of bytes; `nil` if somebody else has locked one of them, if the file cannot be
  /// opened for writing, or if the system has no such locks.
  ///
  /// If it is to be had only of a file that nobody else has open, a lease is asked for first, as
  /// `FileSystem.isOpenElsewhere(_:control:)` does.
  ///
  /// - Parameters:
  ///   - path: an existing file; a symbolic link is not followed.
  ///   - start: the offset of the first byte, which may be beyond the end of the file.
  ///   - count: how many bytes.
  ///   - isOnlyOpenHere: whether it must be certain that nobody else has the file open.
  package init?(_ path: String, start: Int64, count: Int64, isOnlyOpenHere: Bool = false) {
    self.path = path
    KeptDescriptors.closeUnlocked()
    file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0, !isOnlyOpenHere || isLeaseGranted(on: file) == true,
      lockForWriting(openFile: file, start: start, count: count) == true
    else { return nil }
  }

  deinit {
    // One that could not be opened is released as well.
    if file >= 0 { KeptDescriptors.release(file) }
  }

  /// The status of the locked file; `nil` if another one, or a link, is at its path now. `lstat(2)`,
  /// `fstat(2)`.
  package var status: FileSystem.Status? {
    guard let named = try? FileSystem.ownStatus(path),
      let locked = try? FileSystem.status(of: file, path),
      locked.inode == named.inode, locked.device == named.device
    else { return nil }
    return locked
  }

  /// The first bytes of the file, at most `count`. `pread(2)`.
  package func prefix(_ count: Int) throws(FileSystem.Failure) -> [UInt8] {
    try FileSystem.bytes(of: file, count: count, path)
  }
}
