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

  /// Where SQLite has kept the super-journals that it has opened to roll back.
  private static let placesOfSuperJournals = Mutex<Set<UInt>>([])

  /// Opens a file as SQLite does, unless a journal that is not SQLite's names it.
  ///
  /// - Parameter files: the file system of the connection.
  static func open(
    _ files: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let standard = sqlite3_vfs_find(nil), let open = standard.pointee.xOpen else {
      return SQLITE_CANTOPEN
    }
    if flags & SQLITE_OPEN_SUPER_JOURNAL != 0, let files, let path, let file,
      !mayOpenSuperJournal(files, path, file, flags)
    {
      // Where opening fails, SQLite looks at no methods.
      file.pointee.pMethods = nil
      return SQLITE_CORRUPT
    }
    return open(standard, path, file, flags, outFlags)
  }

  /// Whether SQLite may open a file as a super-journal.
  ///
  /// It opens each journal that a super-journal names as one too, to see whether it belongs to that. Such a
  /// file is only read, and SQLite keeps it in the memory behind the super-journal's (`pager_delsuper`). A
  /// SQLite that kept it elsewhere would report damage, and remove nothing.
  private static func mayOpenSuperJournal(
    _ files: UnsafeMutablePointer<sqlite3_vfs>, _ path: UnsafePointer<CChar>,
    _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32
  ) -> Bool {
    if flags & SQLITE_OPEN_CREATE != 0 { return true }
    let place = UInt(bitPattern: file)
    let before = place &- UInt(files.pointee.szOsFile)
    if placesOfSuperJournals.withLock({ $0.contains(before) }) { return SuperJournal.isFile(path) }
    guard SuperJournal.mayOpen(path) else { return false }
    placesOfSuperJournals.withLock { _ = $0.insert(place) }
    return true
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
    made.pointee.xOpen = { files, path, file, flags, outFlags in
      DerivedFiles.open(files, path, file, flags, outFlags)
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
