internal import PassagePages
internal import PassageSQLite
internal import PassageValues

/// What was written page by page: whether SQLite has checked it, and the digests of a pass's tables.
extension Journal {
  private static let uncheckedName = "pages:unchecked"

  /// Notes that there are pages which SQLite has not written.
  func setWrittenByPages() throws {
    try of(pass: Self.wholeStep).setState(Self.uncheckedName, 1)
  }

  /// Whether SQLite has not checked such pages yet.
  var isUnchecked: Bool {
    get throws { try of(pass: Self.wholeStep).state(Self.uncheckedName) != nil }
  }

  /// Notes that SQLite has checked them.
  func setChecked() throws { try of(pass: Self.wholeStep).removeState(Self.uncheckedName) }

  func setDigest(_ digest: PageDigest, ofTable table: String) throws {
    try setState(Self.name(table, "sum"), .integer(Int64(bitPattern: digest.sum)))
    try setState(Self.name(table, "rows"), .integer(digest.rowCount))
  }

  /// - Returns: `nil` when the table has not been written.
  func digest(ofTable table: String) throws -> PageDigest? {
    guard let sum = try state(Self.name(table, "sum"))?.integer,
      let rows = try state(Self.name(table, "rows"))?.integer
    else { return nil }
    return PageDigest(sum: UInt64(bitPattern: sum), rowCount: rows)
  }

  /// Notes that SQL adds rows to a table, or removes some: from then on its digest does not tell how
  /// many there are.
  ///
  /// - Parameter connection: to a pass store, with the journal attached.
  static func noteRows(cameOrWentIn table: String, on connection: Connection) throws {
    try connection.execute(
      "INSERT OR IGNORE INTO \(Table.state.name) (pass, name, value) VALUES (?, ?, 1)",
      [.integer(Int64(wholeStep)), .text(changedName(table))])
  }

  /// The number of rows that a pass wrote to a table page by page, and that were read again, if no
  /// row came or went since.
  func rowCountOfPages(ofTable table: String) throws -> Int64? {
    guard try of(pass: Self.wholeStep).state(Self.changedName(table)) == nil else { return nil }
    return try digest(ofTable: table)?.rowCount
  }

  private static func changedName(_ table: String) -> String { "rows:changed:\(table)" }

  private static func name(_ table: String, _ part: String) -> String {
    "pages:digest:\(table):\(part)"
  }
}
