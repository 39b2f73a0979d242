internal import CSQLite
internal import Synchronization

/// A file system for SQLite that is SQLite's own with a few methods changed
/// (https://www.sqlite.org/vfs.html).
final class DerivedFiles: Sendable {
  typealias Methods = UnsafePointer<sqlite3_io_methods>

  /// The name of the file system for `sqlite3_open_v2`.
  let name: String
  private let change: @Sendable (inout sqlite3_vfs) -> Void
  private let changeMethods: @Sendable (inout sqlite3_io_methods) -> Void
  private let registration = Mutex<Int32>(SQLITE_MISUSE)
  /// The methods of open files, by the address of SQLite's own methods on which they are based.
  /// There are as many as SQLite has kinds of locking.
  private let known = Mutex<[UInt: UInt]>([:])

  /// - Parameters:
  ///   - change: changes the methods of the file system.
  ///   - changeMethods: changes the methods of open files.
  init(
    _ name: String, change: @escaping @Sendable (inout sqlite3_vfs) -> Void,
    methods changeMethods: @escaping @Sendable (inout sqlite3_io_methods) -> Void
  ) {
    self.name = name
    self.change = change
    self.changeMethods = changeMethods
  }

  /// SQLite's own files, but for super-journals that are none.
  static let own: DerivedFiles = DerivedFiles("passage-own") { _ in
  } methods: { _ in
  }

  /// Opens a file as SQLite does, unless a journal that is not SQLite's names it.
  static func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let standard = sqlite3_vfs_find(nil), let open = standard.pointee.xOpen else {
      return SQLITE_CANTOPEN
    }
    if flags & SQLITE_OPEN_SUPER_JOURNAL != 0, let path, !SuperJournal.mayOpen(path, flags: flags) {
      // Where opening fails, SQLite looks at no methods.
      file?.pointee.pMethods = nil
      return SQLITE_CORRUPT
    }
    return open(standard, path, file, flags, outFlags)
  }

  /// Registers the file system, once for the process. SQLite keeps it as long as the process runs,
  /// so nothing is freed.
  ///
  /// - Throws: `SQLITE_ERROR` if SQLite has no file system.
  func register() throws(SQLiteError) {
    let code = registration.withLock { registration -> Int32 in
      if registration == SQLITE_OK { return registration }
      registration = make()
      return registration
    }
    guard code == SQLITE_OK else {
      throw SQLiteError(code: code, message: "the file system “\(name)” cannot be registered")
    }
  }

  private func make() -> Int32 {
    guard let standard = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
    let characters = UnsafeMutableBufferPointer<CChar>.allocate(capacity: name.utf8.count + 1)
    _ = characters.initialize(from: name.utf8CString)
    let made = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    made.initialize(to: standard.pointee)
    made.pointee.pNext = nil
    made.pointee.zName = UnsafePointer(characters.baseAddress)
    made.pointee.xOpen = { _, path, file, flags, outFlags in
      DerivedFiles.open(path, file, flags, outFlags)
    }
    change(&made.pointee)
    return sqlite3_vfs_register(made, 0)
  }

  /// The methods of an open file that are based on SQLite's own.
  func methods(like standard: Methods) -> Methods? {
    known.withLock { known in
      let key = UInt(bitPattern: standard)
      if let made = known[key] { return UnsafePointer(bitPattern: made) }
      let made = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
      made.initialize(to: standard.pointee)
      changeMethods(&made.pointee)
      known[key] = UInt(bitPattern: made)
      return UnsafePointer(made)
    }
  }
}
