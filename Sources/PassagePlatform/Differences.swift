// What differs between platforms beyond its name: a few functions and types of the C library.

#if canImport(Darwin)
  /// An open folder, as `opendir(3)` gives it.
  package typealias FolderStream = UnsafeMutablePointer<DIR>
#else
  /// An open folder, as `opendir(3)` gives it.
  package typealias FolderStream = OpaquePointer
#endif

/// When a file was changed last, of what `stat(2)` gives.
package func modificationTime(of status: stat) -> timespec {
  #if canImport(Darwin)
    status.st_mtimespec
  #else
    status.st_mtim
  #endif
}

/// The path of the running program; `nil` where it cannot be determined.
package func executablePath() -> String? {
  #if canImport(Darwin)
    var count: UInt32 = 4_096
    var path = [CChar](repeating: 0, count: Int(count))
    guard _NSGetExecutablePath(&path, &count) == 0 else { return nil }
    return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  #else
    return "/proc/self/exe"
  #endif
}

/// Raises the number of files that the process may open, as far as the user may. `setrlimit(2)`.
package func raiseOpenFileLimit(to count: UInt64) {
  #if canImport(Darwin)
    let resource = RLIMIT_NOFILE
  #elseif canImport(Musl)
    let resource = RLIMIT_NOFILE
  #else
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #endif
  var limit = rlimit()
  guard getrlimit(resource, &limit) == 0, limit.rlim_cur < count, limit.rlim_cur < limit.rlim_max
  else { return }
  limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
  _ = setrlimit(resource, &limit)
}

/// Whether a lease for writing is granted on an open file, which it is on Linux when nobody else has it
/// open (`F_SETLEASE`, `fcntl(2)`); it is given back at once. `nil` for a refusal of another reason, and
/// where the system has no leases.
package func isLeaseGranted(on file: Int32) -> Bool? {
  #if os(Linux)
    // From `linux/fcntl.h`, which the C library shows to GNU programs only. Somebody who opens the file
    // now makes the kernel send a signal: one that is ignored unless asked for.
    let (setSignal, setLease): (Int32, Int32) = (10, 1024)
    guard fcntl(file, setSignal, SIGURG) == 0 else { return nil }
    guard fcntl(file, setLease, Int32(F_WRLCK)) == 0 else {
      return errno == EAGAIN ? false : nil
    }
    _ = fcntl(file, setLease, Int32(F_UNLCK))
    return true
  #else
    return nil
  #endif
}
