internal import PassagePages
internal import PassageSQLite

/// Counts the rows of tables by the headers of their pages.
struct PageCount {
  private let reader: PageReader
  private let connection: Connection
  private let threadCount: Int

  /// - Parameters:
  ///   - reader: of the pages that `connection` sees.
  ///   - connection: inside a read transaction.
  ///   - threadCount: the threads that may count, this one included.
  init(_ reader: PageReader, _ connection: Connection, threadCount: Int) {
    self.reader = reader
    self.connection = connection
    self.threadCount = threadCount
  }

  /// - Returns: `nil` when SQLite must count.
  /// - Throws: `PageDamage`; SQLite then says what it makes of it.
  func rows(of name: String) throws -> Int64? {
    guard try reader.isCurrent(), let table = try PageTable(name, connection) else { return nil }
    return try LeafTotals(reader, threadCount: threadCount).rowCount(root: table.root)
  }
}
