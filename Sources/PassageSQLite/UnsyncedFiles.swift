internal import CSQLite
internal import PassagePlatform
internal import Synchronization

/// Files that are never synced, but still change atomically together.
///
/// Work in progress need not survive a power failure, because it is then started again. Nothing is
/// therefore synced while it grows. With `PRAGMA synchronous = OFF`, however, SQLite would also
/// give up the super-journal, which keeps a transaction over several files atomic when the process
/// is killed (https://www.sqlite.org/atomiccommit.html, section 5). Instead the setting stays on,
/// and the file system below SQLite leaves syncing out: it is SQLite's own with a few methods
/// changed (https://www.sqlite.org/vfs.html).
enum UnsyncedFiles {
  /// The name of the file system for `sqlite3_open_v2`.
  static let name = "passage-unsynced"

  /// Registers the file system, once for the process.
  ///
  /// - Throws: `SQLITE_ERROR` if SQLite has no file system.
  static func register() throws(SQLiteError) {
    let code = registration.withLock { registration -> Int32 in
      if registration == SQLITE_OK { return registration }
      registration = makeFileSystem()
      return registration
    }
    guard code == SQLITE_OK else {
      throw SQLiteError(code: code, message: "the file system without syncs cannot be registered")
    }
  }

  private static let registration = Mutex<Int32>(SQLITE_MISUSE)

  /// SQLite's default file system with other methods for opening and deleting. SQLite keeps a
  /// registered file system as long as the process runs, so nothing is freed.
  private static func makeFileSystem() -> Int32 {
    guard let standard = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
    let characters = UnsafeMutableBufferPointer<CChar>.allocate(capacity: name.utf8.count + 1)
    _ = characters.initialize(from: name.utf8CString)
    let made = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    made.initialize(to: standard.pointee)
    made.pointee.pNext = nil
    made.pointee.zName = UnsafePointer(characters.baseAddress)
    made.pointee.xOpen = { _, path, file, flags, outFlags in
      guard let standard = sqlite3_vfs_find(nil), let open = standard.pointee.xOpen else {
        return SQLITE_CANTOPEN
      }
      var flags = flags
      let creation = SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_CREATE
      if flags & creation == creation, let path {
        guard UnsyncedFiles.create(path) else { return SQLITE_CANTOPEN }
        flags &= ~SQLITE_OPEN_EXCLUSIVE
      }
      let code = open(standard, path, file, flags, outFlags)
      if code == SQLITE_OK, let file, let methods = file.pointee.pMethods {
        file.pointee.pMethods = UnsyncedFiles.methods(like: methods)
      }
      return code
    }
    made.pointee.xDelete = { _, path, _ in
      guard let standard = sqlite3_vfs_find(nil), let delete = standard.pointee.xDelete else {
        return SQLITE_IOERR
      }
      // The folder is not synced either.
      return delete(standard, path, 0)
    }
    return sqlite3_vfs_register(made, 0)
  }

  /// Creates a super-journal that only its owner can read. If SQLite itself failed to create it, it
  /// would try to open it for reading, and report the error of that attempt.
  private static func create(_ path: UnsafePointer<CChar>) -> Bool {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return false }
    close(file)
    return true
  }

  // MARK: Open files

  /// The methods of open files, by the address of SQLite's own methods on which they are based.
  /// There are as many as SQLite has kinds of locking.
  private static let known = Mutex<[UInt: UInt]>([:])

  private static func methods(
    like standard: UnsafePointer<sqlite3_io_methods>
  ) -> UnsafePointer<sqlite3_io_methods>? {
    known.withLock { known in
      let key = UInt(bitPattern: standard)
      if let made = known[key] { return UnsafePointer(bitPattern: made) }
      let made = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
      made.initialize(to: standard.pointee)
      made.pointee.xSync = { _, _ in SQLITE_OK }
      made.pointee.xDeviceCharacteristics = { _ in
        // What a killed process wrote is in the system's cache, in the order in which it was
        // written.
        SQLITE_IOCAP_SEQUENTIAL | SQLITE_IOCAP_SAFE_APPEND | SQLITE_IOCAP_POWERSAFE_OVERWRITE
      }
      known[key] = UInt(bitPattern: made)
      return UnsafePointer(made)
    }
  }
}
