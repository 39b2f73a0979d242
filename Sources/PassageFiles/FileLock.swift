internal import PassagePlatform
internal import Synchronization

/// An exclusive lock that the operating system releases when its owner dies.
package final class FileLock: Sendable {
  let path: String
  /// The size of the file when it was locked, in bytes.
  package let byteCount: Int64
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
        held = Atomic(file)
        return
      }
      close(file)
    }
  }

  deinit {
    release()
  }

  /// The open file; -1 after ``release()``. A child process that inherits it holds the lock too, until
  /// both have ended. `flock(2)`.
  package var file: Int32 { held.load(ordering: .relaxed) }

  /// Gives the lock back. If the file was removed, its place on the disk is free.
  package func release() {
    let file = held.exchange(-1, ordering: .relaxed)
    if file >= 0 { close(file) }
  }
}
