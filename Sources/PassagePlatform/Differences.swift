// Platform differences beyond names: a few functions and types of the C library.

#if canImport(Darwin)
  /// An open folder, as `opendir(3)` returns it.
  package typealias FolderStream = UnsafeMutablePointer<DIR>
#else
  /// An open folder, as `opendir(3)` returns it.
  package typealias FolderStream = OpaquePointer
#endif

/// The time at which a file was last changed, from the result of `stat(2)`.
package func modificationTime(of status: stat) -> timespec {
  #if canImport(Darwin)
    status.st_mtimespec
  #else
    status.st_mtim
  #endif
}

/// The path of the running program; `nil` when it cannot be determined.
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

/// Raises the limit of open files of the process to `count`, or as far as the user is allowed to
/// (`setrlimit(2)`).
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

/// Whether a write lease is granted on an open file. On Linux it is granted only if no other
/// program has the file open (`F_SETLEASE`, `fcntl(2)`); it is released immediately. `nil` when it
/// is refused for another reason, or when the system has no leases.
package func isLeaseGranted(on file: Int32) -> Bool? {
  #if os(Linux)
    // From `linux/fcntl.h`, which the C library declares only for GNU programs. If a program opens
    // the file while the lease is held, the kernel sends a signal; the one chosen here is ignored
    // by default.
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

/// Locks a range of bytes of an open file for writing, without waiting. The lock is the open file's
/// and not the process's: it conflicts with every lock of `fcntl(2)`, those of this process included,
/// and lasts until the file is closed. `F_OFD_SETLK`, `fcntl(2)`.
///
/// - Returns: whether the lock was granted; `nil` where the system has no such locks.
package func lockForWriting(openFile file: Int32, start: Int64, count: Int64) -> Bool? {
  #if os(Linux)
    // From `linux/fcntl.h`, which the C library declares only for GNU programs.
    let setOpenFileLock: Int32 = 37
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = off_t(start)
    range.l_len = off_t(count)
    if fcntl(file, setOpenFileLock, &range) == 0 { return true }
    return errno == EAGAIN || errno == EACCES ? false : nil
  #else
    return nil
  #endif
}

/// Whether a process, this one included, has locked bytes of an open file with the locks of `fcntl(2)` that
/// belong to processes. Locks of open files do not count. `F_OFD_GETLK`, `fcntl(2)`.
///
/// - Returns: `nil` where the system cannot tell.
package func isLockedByProcess(_ file: Int32) -> Bool? {
  #if os(Linux)
    // From `linux/fcntl.h`, which the C library declares only for GNU programs.
    let getOpenFileLock: Int32 = 36
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    guard fcntl(file, getOpenFileLock, &range) == 0 else { return nil }
    // The lock of an open file has no process.
    return range.l_type != Int16(F_UNLCK) && range.l_pid != -1
  #else
    return nil
  #endif
}

/// Whether a signal is ignored (`sigaction(2)`).
package func isIgnored(_ number: Int32) -> Bool {
  var action = sigaction()
  guard sigaction(number, nil, &action) == 0 else { return false }
  #if canImport(Darwin)
    let handler = action.__sigaction_u.__sa_handler
  #elseif canImport(Musl)
    let handler = action.__sa_handler.sa_handler
  #else
    let handler = action.__sigaction_handler.sa_handler
  #endif
  return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}
