internal import CSQLite
internal import PassagePlatform

/// Files that are never synced, but still change atomically together.
///
/// Work in progress need not survive a power failure, because it is then started again. Nothing is
/// therefore synced while it grows. With `PRAGMA synchronous = OFF`, however, SQLite would also
/// give up the super-journal, which keeps a transaction over several files atomic when the process
/// is killed (https://www.sqlite.org/atomiccommit.html, section 5). Instead the setting stays on,
/// and the file system below SQLite leaves syncing out.
enum UnsyncedFiles {
  static let files: DerivedFiles = DerivedFiles("passage-unsynced") { files in
    files.xOpen = { files, path, file, flags, outFlags in
      var flags = flags
      let creation = SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_CREATE
      if flags & creation == creation, let path {
        guard UnsyncedFiles.create(path) else { return SQLITE_CANTOPEN }
        flags &= ~SQLITE_OPEN_EXCLUSIVE
      }
      let code = DerivedFiles.open(files, path, file, flags, outFlags)
      if code == SQLITE_OK, let file, let methods = file.pointee.pMethods {
        file.pointee.pMethods = UnsyncedFiles.files.methods(like: methods)
      }
      return code
    }
    files.xDelete = { _, path, _ in
      guard let standard = sqlite3_vfs_find(nil), let delete = standard.pointee.xDelete else {
        return SQLITE_IOERR
      }
      // The folder is not synced either.
      return delete(standard, path, 0)
    }
  } methods: { methods in
    methods.xSync = { _, _ in SQLITE_OK }
    methods.xDeviceCharacteristics = { _ in
      // What a killed process wrote is in the system's cache, in the order in which it was written.
      SQLITE_IOCAP_SEQUENTIAL | SQLITE_IOCAP_SAFE_APPEND | SQLITE_IOCAP_POWERSAFE_OVERWRITE
    }
  }

  /// Creates a super-journal that only its owner can read. If SQLite itself failed to create it, it
  /// would try to open it for reading, and report the error of that attempt.
  private static func create(_ path: UnsafePointer<CChar>) -> Bool {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return false }
    close(file)
    return true
  }
}
