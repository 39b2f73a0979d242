internal import PassagePages
internal import PassageSQLite

/// Counts the rows of tables by the headers of their pages.
struct PageCount {
  private let reader: PageReader
  private let connection: Connection

  /// - Parameters:
  ///   - reader: of the pages that `connection` sees.
  ///   - connection: inside a read transaction.
  init(_ reader: PageReader, _ connection: Connection) {
    self.reader = reader
    self.connection = connection
  }

  /// - Returns: `nil` when SQLite must count.
  /// - Throws: `PageDamage`; SQLite then says what it makes of it.
  func rows(of name: String) throws -> Int64? {
    guard try reader.isCurrent(), let table = try PageTable(name, connection) else { return nil }
    return try TableSweep(reader, root: table.root, columnCount: 1).rowCount()
  }
}
