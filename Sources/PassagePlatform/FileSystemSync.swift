#if os(Linux)
  internal import CLinux
#endif

/// Makes everything on a file system durable that was written before the call.
package enum FileSystemSync {
  /// Whether ``run(_:)`` is as good as a sync of each file and folder on the file system of an open
  /// folder.
  ///
  /// On Linux it is from version 5.17, which reports every error (before 5.8 none of those of
  /// writing back, before 5.17 not those of the file system's own part), and on local file systems
  /// of which it is known that the call waits for their journals. Network file systems, those of
  /// user programs and layered ones may hold data back, or keep errors to themselves.
  package static func isSufficient(for folder: Int32) -> Bool {
    #if os(Linux)
      isReportingErrors && kinds.contains(passage_file_system_kind(folder))
    #else
      false
    #endif
  }

  /// Has the system begin to write an open file to its disk, where it can be asked for that without
  /// waiting: a sync that comes later waits less. It promises nothing. `sync_file_range(2)`.
  package static func beginWritingBack(_ file: Int32) {
    #if os(Linux)
      passage_begin_writing_back(file)
    #endif
  }

  /// Has the system give back the memory in which it keeps what is durable of an open file, where it can
  /// be asked for that. It promises nothing. `posix_fadvise(2)`.
  package static func dropFromCache(_ file: Int32) {
    #if os(Linux)
      _ = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
    #endif
  }

  /// Syncs the file system of an open folder. `syncfs(2)`.
  ///
  /// An error is reported once for each opened descriptor, so the folder should be held open while
  /// anything is written.
  ///
  /// - Returns: 0, or the number of the error.
  package static func run(_ folder: Int32) -> Int32 {
    #if os(Linux)
      passage_synchronize_file_system(folder) == 0 ? 0 : errno
    #else
      ENOSYS
    #endif
  }

  #if os(Linux)
    /// ext3 and ext4, XFS, Btrfs, F2FS, as in `linux/magic.h`.
    private static let kinds: Set<UInt32> = [0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010]

    private static let isReportingErrors: Bool = {
      var name = utsname()
      guard uname(&name) == 0 else { return false }
      let release = withUnsafeBytes(of: &name.release) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      return isReportingErrors(release: release)
    }()

    /// Whether a release of Linux reports every error: `5.17` and later.
    static func isReportingErrors(release: String) -> Bool {
      let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
      guard numbers.count == 2 else { return false }
      return (numbers[0], numbers[1]) >= (5, 17)
    }
  #endif
}
