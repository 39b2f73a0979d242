internal import CSQLite
internal import PassagePlatform
internal import Synchronization

/// A database in the memory of the process, which any connection of the process can open by its
/// path, like a file. It exists as long as this object.
///
/// SQLite shares such a database between connections by name
/// (`vfs=memdb`, https://www.sqlite.org/releaselog/3_36_0.html). The path of a memory database begins
/// with a NUL, which no path of a file contains: it can never be mistaken for a file, and whatever
/// takes it for one finds nothing.
package final class MemoryDatabase {
  /// The path under which connections open the database.
  package let path: String
  /// The connection that keeps the database. Whoever is alone with it needs no other: each costs as much
  /// as dozens of statements.
  package private(set) var keeper: Connection
  /// What ``withImage(isWAL:_:)`` copies the bytes into; kept for the next time.
  private var copy: UnsafeMutableRawBufferPointer?

  /// Creates an empty database.
  ///
  /// - Parameters:
  ///   - path: a path that no other memory database of the process has.
  ///   - maximumBytes: a statement that would make the database larger fails with `SQLITE_FULL`.
  /// - Throws: `SQLITE_ERROR` if SQLite has no databases in memory that connections share.
  package init(path: String, maximumBytes: Int) throws(SQLiteError) {
    self.path = path
    guard Self.isSupported else {
      throw SQLiteError(code: SQLITE_ERROR, message: "SQLite cannot share databases in memory")
    }
    keeper = try Connection(path: path, mode: .create)
    try limit(to: maximumBytes)
  }

  deinit { free(copy?.baseAddress) }

  private func limit(to maximumBytes: Int) throws(SQLiteError) {
    var limit = sqlite3_int64(maximumBytes)
    let code = sqlite3_file_control(keeper.handle, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit)
    guard code == SQLITE_OK else { throw keeper.error(code) }
  }

  // MARK: Further use

  /// Ends the use of a database whose contents nobody needs any more.
  ///
  /// - Returns: whether it may be used again: nothing else has its connection, which is like a new one.
  func endUse() -> Bool {
    guard isKnownUniquelyReferenced(&keeper), keeper.isLikeNew else { return false }
    keeper.leaveWork()
    return true
  }

  /// Begins another use, as an empty database.
  func beginUse(maximumBytes: Int) throws(SQLiteError) {
    keeper.joinWork()
    try file().truncate(to: 0)
    try keeper.forgetContents()
    try limit(to: maximumBytes)
  }

  /// The bytes that it and its copy take.
  var keptBytes: Int { (copy?.count ?? 0) * 2 }

  /// The beginning of the path of every memory database.
  private static let prefix = "\u{0}memory/"

  /// The path of a memory database.
  ///
  /// - Parameter name: letters, digits, `-`, `.` and `/`.
  package static func path(ofName name: String) -> String { prefix + name }

  private static let nameCount = Atomic(0)

  /// A name that nothing else in this process has: databases in memory are not seen by others.
  package static func freshName() -> String {
    "work-\(nameCount.wrappingAdd(1, ordering: .relaxed).newValue)"
  }

  /// Whether a path is that of a memory database.
  package static func isPath(_ path: String) -> Bool { path.utf8.first == 0 }

  /// Whether SQLite can share databases in memory: from 3.36 on, unless it was built without them.
  package static var isSupported: Bool {
    sqlite3_libversion_number() >= 3_036_000 && sqlite3_vfs_find("memdb") != nil
  }

  /// The path of a memory database as a URI without its parameters.
  static func uri(_ path: String) -> String { "file:/\(path.dropFirst())" }

  /// The size of the database in bytes.
  package var byteCount: Int64 {
    get throws(SQLiteError) {
      try keeper.integer("PRAGMA page_count") * keeper.integer("PRAGMA page_size")
    }
  }

  /// Gives the pages of removed rows back, so that the image has none.
  package func compact() throws(SQLiteError) {
    guard try keeper.integer("PRAGMA freelist_count") > 0 else { return }
    try keeper.prepare("PRAGMA incremental_vacuum").run()
  }

  /// The bytes of the database.
  package func file() throws(SQLiteError) -> MemoryFile { try MemoryFile(keeper) }

  /// Gives an empty database its contents.
  ///
  /// - Parameter image: the bytes of a database file.
  /// - Throws: `SQLITE_FULL` if they are more than the database may have.
  package func load(_ image: [UInt8]) throws(SQLiteError) {
    let file = try file()
    // No connection has read a page yet, so none has one in its cache.
    try image.withUnsafeBytes { bytes in
      Result { () throws(SQLiteError) in try file.write(bytes, at: 0) }
    }.get()
  }

  /// Passes the bytes that a file of the database would have to `body`, with all content in the
  /// main file.
  ///
  /// - Parameter isWAL: whether the file is in WAL mode.
  /// - Throws: `SQLITE_NOMEM` when there is no memory for a copy of them.
  package func withImage<Result>(
    isWAL: Bool, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let file = try file()
    let count = Int(clamping: try file.byteCount)
    // No transaction is open, so the memory has what the database has.
    let bytes = UnsafeMutableRawBufferPointer(rebasing: try room(for: count)[..<count])
    guard try file.read(into: bytes, at: 0) == count else {
      throw SQLiteError(code: SQLITE_IOERR, message: "a database in memory cannot be read")
    }
    // https://www.sqlite.org/fileformat2.html, section 1.3: the versions for writing and reading are
    // 2 in WAL mode. A database in memory has no journal mode of its own.
    if isWAL { for offset in [18, 19] where offset < count { bytes[offset] = 2 } }
    return try body(UnsafeRawBufferPointer(bytes))
  }

  private func room(for count: Int) throws(SQLiteError) -> UnsafeMutableRawBufferPointer {
    if let copy, copy.count >= count { return copy }
    free(copy?.baseAddress)
    copy = nil
    guard let start = malloc(max(1, count)) else {
      throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory")
    }
    let made = UnsafeMutableRawBufferPointer(start: start, count: max(1, count))
    copy = made
    return made
  }
}
