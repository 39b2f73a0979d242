internal import PassagePlatform

/// An exclusive lock on a range of bytes of a file, which the system releases when its owner dies.
///
/// It belongs to the open file and not to the process, so closing another descriptor of the file does
/// not release it. Programs that lock the same bytes with `fcntl(2)`, as SQLite does, are kept out.
package final class RangeLock: Sendable {
  private let path: String
  private let file: Int32

  /// Locks a range of bytes; `nil` if somebody else has locked one of them, if the file cannot be
  /// opened for writing, or if the system has no such locks.
  ///
  /// - Parameters:
  ///   - path: an existing file; a symbolic link is not followed.
  ///   - start: the offset of the first byte, which may be beyond the end of the file.
  ///   - count: how many bytes.
  package init?(_ path: String, start: Int64, count: Int64) {
    self.path = path
    file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0, lockForWriting(openFile: file, start: start, count: count) == true else {
      return nil
    }
  }

  deinit {
    // One that could not be opened is released as well.
    if file >= 0 { close(file) }
  }

  /// Whether the locked file is the one that is at its path now. `fstat(2)`, `lstat(2)`.
  package var isAtItsPath: Bool {
    var locked = stat()
    var named = stat()
    return fstat(file, &locked) == 0 && lstat(path, &named) == 0
      && locked.st_ino == named.st_ino && locked.st_dev == named.st_dev
  }

  /// The first bytes of the file, at most `count`. `pread(2)`.
  package func prefix(_ count: Int) throws(FileSystem.Failure) -> [UInt8] {
    try FileSystem.bytes(of: file, count: count, path)
  }
}
