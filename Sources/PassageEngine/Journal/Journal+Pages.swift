internal import PassagePages
internal import PassageSQLite
internal import PassageValues

/// The digests of the tables that a pass wrote page by page.
extension Journal {
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

  private static func name(_ table: String, _ part: String) -> String {
    "pages:digest:\(table):\(part)"
  }
}
