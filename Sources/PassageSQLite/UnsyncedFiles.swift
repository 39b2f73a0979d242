internal import CSQLite
internal import PassagePlatform
internal import Synchronization

/// Files that are never synced, and that change together all the same.
///
/// Work in progress need not outlast a power failure: after one it is started again. So nothing is synced
/// while it grows. With `PRAGMA synchronous = OFF`, however, SQLite also gives up what keeps a
/// transaction over several files whole when the process is killed, the super-journal
/// (https://www.sqlite.org/atomiccommit.html, section 5). Here the pragma stays on and the file system
/// beneath leaves syncing out: SQLite's, with a few answers changed
/// (https://www.sqlite.org/vfs.html).
enum UnsyncedFiles {
  /// The name that `sqlite3_open_v2` knows the file system by.
  static let name = "passage-unsynced"

  /// Makes the file system known, once for the process.
  ///
  /// - Throws: `SQLITE_ERROR` where SQLite has no file system at all.
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

  /// The file system SQLite uses by default, with other answers to opening and deleting. SQLite keeps
  /// what is registered for as long as the process lives, so nothing of it is freed.
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

  /// Creates a super-journal, readable by its owner alone. Where that fails, SQLite itself would try again for
  /// reading, and then report the error of that second attempt.
  private static func create(_ path: UnsafePointer<CChar>) -> Bool {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return false }
    close(file)
    return true
  }

  // MARK: Open files

  /// The methods of open files, by those of SQLite's own that they are made like: as many as SQLite has
  /// ways of locking.
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
        // What a killed process has written is there, in the order in which it was written.
        SQLITE_IOCAP_SEQUENTIAL | SQLITE_IOCAP_SAFE_APPEND | SQLITE_IOCAP_POWERSAFE_OVERWRITE
      }
      known[key] = UInt(bitPattern: made)
      return UnsafePointer(made)
    }
  }
}
