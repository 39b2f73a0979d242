#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

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
    #if os(Linux)
      guard lease(control) == true else { return nil }
      return lease(path).map { !$0 }
    #else
      return nil
    #endif
  }

  /// Waits. `usleep(3)`.
  package func pause(milliseconds: Int) { usleep(UInt32(clamping: milliseconds * 1_000)) }

  #if os(Linux)
    /// Whether a lease for writing is granted; `nil` for a refusal of another reason.
    private static func lease(_ path: String) -> Bool? {
      let file = openForReading(path, O_NOFOLLOW)
      guard file >= 0 else { return nil }
      defer { close(file) }
      // From `linux/fcntl.h`, which the C library shows to GNU programs only. Somebody who opens the file
      // now makes the kernel send a signal: one that is ignored unless asked for.
      let (setSignal, setLease): (Int32, Int32) = (10, 1024)
      guard fcntl(file, setSignal, SIGURG) == 0 else { return nil }
      guard fcntl(file, setLease, Int32(F_WRLCK)) == 0 else {
        return errno == EAGAIN ? false : nil
      }
      _ = fcntl(file, setLease, Int32(F_UNLCK))
      return true
    }
  #endif
}
