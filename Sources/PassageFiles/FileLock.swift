internal import PassagePlatform
internal import Synchronization

/// An exclusive lock that the operating system releases when its owner dies.
package final class FileLock: Sendable {
  let path: String
  /// The size of the file when it was locked, in bytes; 0 of a lock that was handed over.
  package let byteCount: Int64
  /// How many zeros, and nothing else, are in the file of a lock that was handed over; otherwise 0.
  package let zeroCount: Int
  /// Device and inode number of the file.
  let identity: [UInt64]
  private let held: Atomic<Int32>

  /// Locks the file, creating it if it does not exist; `nil` if another process holds the lock.
  ///
  /// - Parameter place: where the file is; in an anchored folder no link is followed.
  init?(_ place: FileSystem.Place, path: String) throws {
    while true {
      let file = openat(
        place.folder, place.name, O_RDWR | O_CREAT | O_NONBLOCK | place.openFlags, 0o600)
      guard file >= 0 else {
        throw FileSystem.Failure(operation: .lock, path: path, errorNumber: errno)
      }
      guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
        let reason = errno
        close(file)
        if reason == EWOULDBLOCK { return nil }
        throw FileSystem.Failure(operation: .lock, path: path, errorNumber: reason)
      }
      // The previous owner may have removed the file between the two calls above. The lock is then
      // on a file without a name, and the next runner would lock another one.
      var locked = stat()
      var named = stat()
      if fstat(file, &locked) == 0,
        fstatat(place.folder, place.name, &named, place.statusFlags) == 0,
        locked.st_ino == named.st_ino, locked.st_dev == named.st_dev
      {
        self.path = path
        byteCount = Int64(locked.st_size)
        zeroCount = 0
        identity = FileSystem.identity(of: locked)
        held = Atomic(file)
        return
      }
      close(file)
    }
  }

  private init(file: Int32, path: String, identity: [UInt64], zeroCount: Int) {
    (self.path, self.identity) = (path, identity)
    (byteCount, self.zeroCount) = (0, zeroCount)
    held = Atomic(file)
  }

  deinit {
    release()
  }

  /// The open file; -1 after ``release()``. A child process that inherits it holds the lock too, until
  /// both have ended. `flock(2)`.
  package var file: Int32 { held.load(ordering: .relaxed) }

  /// The same lock under another path of its file, which contains so many zeros and nothing else. This one
  /// is released without giving the lock back.
  func handedOver(to path: String, zeroCount: Int) -> FileLock {
    FileLock(
      file: held.exchange(-1, ordering: .relaxed), path: path, identity: identity,
      zeroCount: zeroCount)
  }

  /// Gives the lock back, and keeps the file open. `flock(2)`.
  func unlock() { _ = flock(file, LOCK_UN) }

  /// Locks the open file again, whatever its path is now. `flock(2)`.
  ///
  /// - Returns: `false` if somebody else has locked it, or it is no longer open.
  func lockAgain() -> Bool { flock(file, LOCK_EX | LOCK_NB) == 0 }

  /// Gives the lock back. If the file was removed, its place on the disk is free.
  package func release() {
    let file = held.exchange(-1, ordering: .relaxed)
    if file >= 0 { close(file) }
  }
}
