internal import PassagePlatform

extension FileSystem {
  /// Whether anybody has a file open, this process included; `nil` where the system cannot say.
  ///
  /// SQLite's locks show who reads or writes, not who is idle. On Linux a lease for writing is granted
  /// only on a file that nobody else has open (`F_SETLEASE`, `fcntl(2)`), to the file's owner and on
  /// local file systems. It is given back at once.
  ///
  /// Closing any descriptor of a file drops the process's own locks on it: nothing may hold one.
  ///
  /// - Parameter control: a file of this process's own in the same file system, which nobody has open:
  ///   where no lease is granted on it, a refusal says nothing.
  package static func isOpenElsewhere(_ path: String, control: String) -> Bool? {
    guard lease(control) == true else { return nil }
    return lease(path).map { !$0 }
  }

  /// Whether a lease for writing is granted; `nil` for a refusal of another reason.
  private static func lease(_ path: String) -> Bool? {
    let file = openForReading(path, O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return isLeaseGranted(on: file)
  }

  /// Waits. `usleep(3)`.
  package func pause(milliseconds: Int) { usleep(UInt32(clamping: milliseconds * 1_000)) }
}
