internal import PassagePlatform
internal import Synchronization

/// Descriptors that are not closed yet, because closing any descriptor of a file would release every lock
/// that the process has on it ([How To Corrupt An SQLite Database
/// File](https://www.sqlite.org/howtocorrupt.html), section 2.2): the app may have the store open.
///
/// They are used again when their file is read again, and closed once the locks are gone. Where the system
/// cannot tell whether there are locks, every descriptor is closed.
enum KeptDescriptors {
  private struct Kept {
    let descriptor: Int32
    let device: UInt64
    let inode: UInt64
    let isReadOnly: Bool
  }

  private static let kept = Mutex<[Kept]>([])

  /// A kept descriptor of the file at a path, to read it from its beginning; `nil` when there is none.
  ///
  /// - Parameter followsLinks: whether a symbolic link stands for the file to which it leads.
  static func take(_ path: String, followsLinks: Bool = true) -> Int32? {
    kept.withLock { kept in
      guard !kept.isEmpty else { return nil }
      var status = stat()
      guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
      let (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
      let place = kept.firstIndex {
        $0.isReadOnly && $0.inode == inode && $0.device == device
      }
      guard let descriptor = place.map({ kept.remove(at: $0).descriptor }) else { return nil }
      lseek(descriptor, 0, SEEK_SET)
      return descriptor
    }
  }

  /// Closes a descriptor, or keeps it while there are locks on its file. Those that have been kept, and of
  /// which the locks are gone, are closed too.
  ///
  /// - Parameter isReadOnly: whether it was opened only to read, so that it can be used again for that.
  static func release(_ descriptor: Int32, isReadOnly: Bool = false) {
    kept.withLock { kept in
      if isLockedByProcess(descriptor) == true {
        var status = stat()
        if fstat(descriptor, &status) == 0 {
          kept.append(
            Kept(
              descriptor: descriptor, device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
              isReadOnly: isReadOnly))
          return
        }
      }
      _ = close(descriptor)
      closeUnlocked(&kept)
    }
  }

  /// Closes those that have been kept, and of which the locks are gone.
  static func closeUnlocked() { kept.withLock { closeUnlocked(&$0) } }

  private static func closeUnlocked(_ kept: inout [Kept]) {
    kept.removeAll { item in
      guard isLockedByProcess(item.descriptor) != true else { return false }
      _ = close(item.descriptor)
      return true
    }
  }
}
