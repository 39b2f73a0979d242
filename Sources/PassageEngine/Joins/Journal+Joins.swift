internal import PassagePages
internal import PassageStores
internal import PassageValues

/// What is noted of join tables that were copied page by page.
extension Journal {
  private static func name(_ rule: JoinTableRule) -> String {
    "pages:join:\(rule.source.name):\(rule.destination.name)"
  }

  /// Notes that a pass has copied a join table page by page.
  func setCopied(_ copied: CopiedJoin, by rule: JoinTableRule) throws {
    let numbers = [
      Int64(bitPattern: copied.table.sum), copied.table.rowCount,
      Int64(bitPattern: copied.pairs.sum), copied.pairs.count,
    ]
    try setState(Self.name(rule), .text(numbers.map(String.init).joined(separator: " ")))
  }

  /// Whether a pass has copied a join table page by page.
  func isCopied(_ rule: JoinTableRule) throws -> Bool { try state(Self.name(rule)) != nil }

  /// What it has written.
  ///
  /// - Returns: `nil` when it has not copied the table, or did so in an earlier version.
  func copied(_ rule: JoinTableRule) throws -> CopiedJoin? {
    let numbers = try state(Self.name(rule))?.string?.split(separator: " ").compactMap { Int64($0) }
    guard let numbers, numbers.count == 4 else { return nil }
    return CopiedJoin(
      table: PageDigest(sum: UInt64(bitPattern: numbers[0]), rowCount: numbers[1]),
      pairs: PairDigest(sum: UInt64(bitPattern: numbers[2]), count: numbers[3]))
  }
}
