internal import PassagePlatform
internal import Synchronization

/// A folder that is held open. Operations inside work in this folder and in no other, even if its
/// name is given to another folder.
package final class OpenFolder: Sendable {
  /// The path under which it was opened.
  package let path: String
  /// The user who owns it.
  package let owner: UInt32
  /// Its permissions: the nine bits of `chmod(1)`.
  package let permissions: UInt32
  /// Device and inode number.
  package let identity: [UInt64]
  private let held: Atomic<Int32>
  /// Whoever lists the folder moves its position.
  private let listing = Mutex(())

  /// Opens a folder without following a symbolic link at its name. `open(2)` with `O_NOFOLLOW`.
  init(_ path: String, in folder: Int32, name: String) throws(FileSystem.Failure) {
    let descriptor = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileSystem.failure(.read, path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let failure = FileSystem.failure(.read, path)
      close(descriptor)
      throw failure
    }
    self.path = path
    held = Atomic(descriptor)
    owner = status.st_uid
    permissions = UInt32(status.st_mode) & 0o777
    identity = FileSystem.identity(of: status)
  }

  /// Takes the open folder from another object, which is released without closing it.
  private init(_ other: OpenFolder, path: String) {
    self.path = path
    (owner, permissions, identity) = (other.owner, other.permissions, other.identity)
    held = Atomic(other.held.exchange(-1, ordering: .relaxed))
  }

  deinit {
    release()
  }

  /// The same open folder under another path. This object is released without closing it.
  func handedOver(to path: String) -> OpenFolder { OpenFolder(self, path: path) }

  /// The descriptor; -1 after ``release()``: then every operation inside fails with `EBADF`.
  var descriptor: Int32 { held.load(ordering: .relaxed) }

  /// The names in the folder, in no particular order; `nil` where a stream must tell.
  func names() -> [String]? { listing.withLock { _ in FolderNames.all(in: descriptor) } }

  /// Closes the folder. Nothing inside is reached any more, and if the folder was removed, its place
  /// on the disk is free.
  package func release() {
    let descriptor = held.exchange(-1, ordering: .relaxed)
    if descriptor >= 0 { close(descriptor) }
  }
}
