package import PassageSQLite
internal import PassageValues

/// Cuts a source table into ranges of keys that hold a bounded number of rows.
///
/// Where keys are dense, a range is arithmetic; where they have gaps, its end is looked up, so that
/// a hostile or long-lived store with far-apart keys costs one step a row and not one a key.
package struct KeyRanges {
  private let lookUp: Statement
  private let isDense: Bool
  private let largest: Int64
  /// The first key that is not done; `nil` after the largest that there can be.
  private var next: Int64?

  /// - Parameters:
  ///   - schema: the schema the source is attached under; empty on a connection of its own.
  ///   - after: the last key that is done.
  package init(
    connection: Connection, schema: String = "source", table: String, after: Int64, rowCount: Int64
  ) throws {
    let name = (schema.isEmpty ? "" : schema + ".") + table.quotedIdentifier
    lookUp = try connection.prepare(
      "SELECT Z_PK FROM \(name) WHERE Z_PK >= ? ORDER BY Z_PK LIMIT 1 OFFSET ?")
    largest = try connection.integer("SELECT max(Z_PK) FROM \(name)")
    let smallest = try connection.integer("SELECT min(Z_PK) FROM \(name)")
    let (span, overflow) = largest.subtractingReportingOverflow(smallest)
    isDense = !overflow && Double(span) <= Double(rowCount) * 2 + 1_000
    next = after == .max ? nil : after + 1
  }

  /// The next range with at most `rows` rows; `nil` when there is none, and when the keys of a damaged
  /// table are out of order: the account then tells that objects were not read.
  package mutating func range(rows: Int) throws -> ClosedRange<Int64>? {
    guard let next, next <= largest, let first = try key(from: next, skipping: 0) else {
      return nil
    }
    let last: Int64
    if isDense {
      let (end, overflow) = first.addingReportingOverflow(Int64(rows - 1))
      last = overflow ? largest : min(end, largest)
    } else {
      last = try key(from: first, skipping: rows - 1) ?? largest
    }
    // Every range is above the one before.
    guard next <= first, first <= last else { return nil }
    self.next = last == .max ? nil : last + 1
    return first...last
  }

  private func key(from start: Int64, skipping count: Int) throws -> Int64? {
    try lookUp.bind([.integer(start), .integer(Int64(count))])
    defer { lookUp.reset() }
    return try lookUp.step() ? lookUp.integer(at: 0) : nil
  }
}
