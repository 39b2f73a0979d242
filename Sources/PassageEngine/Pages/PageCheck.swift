internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// SQLite's own check of a store: the last word on pages that were written without it.
enum PageCheck {
  /// Checks pages that SQLite has not written.
  ///
  /// - Parameters:
  ///   - isWhole: whether a large store is checked as a whole too.
  ///   - threadCount: the threads that may check a large store, this one included.
  /// - Returns: whether it was checked as a whole.
  /// - Throws: ``PagesUnsuitable`` when SQLite does not accept the pages.
  static func run(
    path: String, isWhole: Bool, threadCount: Int, control: RunControl
  ) throws -> Bool {
    // Where that is not possible, or finds anything, SQLite tells what it finds in the whole.
    if !isWhole,
      try DividedCheck.verdict(path: path, threadCount: threadCount, control: control) == true
    {
      return false
    }
    return try run(
      Connection(path: path, mode: .readOnly, readsAhead: true), isWhole: isWhole, control: control)
  }

  /// Checks pages that SQLite has not written, of a store in memory that has one connection. Schema and
  /// pages are read anew.
  ///
  /// - Parameter isWhole: whether a large store is checked as a whole too.
  /// - Returns: whether it was checked as a whole.
  /// - Throws: ``PagesUnsuitable`` when SQLite does not accept the pages.
  static func run(anew connection: Connection, isWhole: Bool, control: RunControl) throws -> Bool {
    try connection.forgetContents()
    return try run(connection, isWhole: isWhole, control: control)
  }

  private static func run(
    _ connection: Connection, isWhole: Bool, control: RunControl
  ) throws -> Bool {
    let isWhole =
      try isWhole || connection.integer("PRAGMA page_count") <= OpenStore.fullyCheckedPages
    if let fault = try fault(of: connection, isWhole: isWhole, control: control) {
      throw PagesUnsuitable("SQLite does not accept the pages: \(fault)")
    }
    return isWhole
  }

  /// Checks every page of a store.
  ///
  /// - Parameters:
  ///   - path: of a store that nobody writes to, and that has no log.
  ///   - isWhole: whether every index is compared with its table too.
  /// - Returns: the first fault, in SQLite's words; `nil` when there is none.
  static func fault(path: String, isWhole: Bool, control: RunControl) throws -> String? {
    let connection = try Connection(path: path, mode: .immutable, readsAhead: true)
    return try fault(of: connection, isWhole: isWhole, control: control)
  }

  /// Keeps few pages in memory: a check that does not compare indexes with their tables comes to each
  /// page a few times in a row.
  ///
  /// - Throws: also when the schema is damaged, which SQLite reads first.
  static func readOnce(_ connection: Connection) throws(SQLiteError) {
    try connection.execute("PRAGMA cache_size = -256")
  }

  private static func fault(
    of connection: Connection, isWhole: Bool, control: RunControl
  ) throws -> String? {
    control.stopStatements(of: connection)
    do throws(SQLiteError) {
      if !isWhole { try readOnce(connection) }
      let check = isWhole ? "integrity_check" : "quick_check"
      let found = try connection.value("PRAGMA \(check)(1)")?.string
      return found == "ok" ? nil : found
    } catch {
      guard error.isDamage else { throw error }
      return error.message
    }
  }
}
