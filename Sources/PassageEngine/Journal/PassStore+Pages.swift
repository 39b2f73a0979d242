internal import PassagePages
internal import PassageSQLite

extension PassStore {
  /// Counts in the pages of a table that has all its rows, if the store is large enough for it: that takes a
  /// third of SQLite's time.
  ///
  /// - Parameters:
  ///   - name: of the table.
  ///   - isForced: whether the page lane is forced, in a small store too.
  ///   - threadCount: the threads that may count, this one included.
  ///   - count: is given the table and what counts in it.
  /// - Returns: what `count` returns; `nil` when SQLite must count.
  func inPages<Result>(
    of name: String, isForced: Bool, threadCount: Int,
    count: (PageTable, LeafTotals) throws -> Result?
  ) throws -> Result? {
    guard !MemoryDatabase.isPath(path),
      try PageCount.isUsed(byteCount: byteCount, isForced: isForced),
      let table = try PageTable(name, connection)
    else { return nil }
    // The file is closed again, and that gives up the locks of the process on it.
    try releaseLocks()
    defer { try? takeLocks() }
    do {
      return try count(table, LeafTotals(PageReader(path: path), threadCount: threadCount))
    } catch is PageDamage {
      return nil
    } catch is Unsoundness {
      return nil
    }
  }
}
