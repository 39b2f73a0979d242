internal import PassagePlatform

extension FileSystem {
  /// Whether any process, this one included, has a file open; `nil` if the system cannot say.
  ///
  /// SQLite's locks show who is reading or writing, not who is idle. On Linux a write lease is
  /// granted only on a file that nobody else has open (`F_SETLEASE`, `fcntl(2)`), only to the
  /// file's owner, and only on local file systems. The lease is released immediately.
  ///
  /// Closing any descriptor of a file drops all locks that the process holds on it, so this process
  /// must not hold a lock on the file.
  ///
  /// - Parameter control: a file of this process in the same file system that nobody has open. If
  ///   no lease is granted on it, a refusal for the other file proves nothing.
  package static func isOpenElsewhere(_ path: String, control: String) -> Bool? {
    guard let isGranted = lease(path) else { return nil }
    return isGranted || lease(control) == true ? !isGranted : nil
  }

  /// Whether a write lease is granted; `nil` if it is refused for another reason.
  private static func lease(_ path: String) -> Bool? {
    KeptDescriptors.closeUnlocked()
    let file = openForReading(path, O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { KeptDescriptors.release(file, isReadOnly: true) }
    return isLeaseGranted(on: file)
  }
}
