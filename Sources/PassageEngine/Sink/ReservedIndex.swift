internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// An index whose root page SQLite has reserved, as that of an empty table. Whoever writes the
/// index's pages makes it an index afterwards.
struct ReservedIndex {
  let index: IndexLayout
  let root: UInt32

  /// Reserves the root page, or finds the one that was reserved before.
  init(_ index: IndexLayout, on connection: Connection) throws {
    self.index = index
    let name = Self.placeholder(index)
    try connection.execute("CREATE TABLE IF NOT EXISTS main.\(name.quotedIdentifier) (x)")
    root = UInt32(
      clamping: try connection.integer(
        "SELECT rootpage FROM main.sqlite_master WHERE name = ?", [.text(name)]))
  }

  /// Gives the reserved page back. No pages have been written.
  func free(_ connection: Connection) throws {
    try connection.execute("DROP TABLE main.\(Self.placeholder(index).quotedIdentifier)")
  }

  /// Makes the reserved tables indexes of the schema. Their pages have been written.
  static func adopt(_ reserved: [ReservedIndex], _ connection: Connection) throws {
    try connection.rewriteSchema {
      for item in reserved {
        try connection.execute(
          "UPDATE main.sqlite_master SET type = 'index', name = ?, tbl_name = ?, sql = ? "
            + "WHERE name = ?",
          [
            .text(item.index.name), .text(item.index.tableName), .text(item.index.createStatement),
            .text(placeholder(item.index)),
          ])
      }
    }
  }

  private static func placeholder(_ index: IndexLayout) -> String { "passage index \(index.name)" }
}
