package import PassageSQLite
package import PassageStores
internal import PassageValues

/// Divides a source table into ranges of keys with a limited number of rows.
///
/// If keys are dense, a range is computed. If they have gaps, its end is looked up, so that a store
/// with widely spaced keys costs one step per row and not one per key.
package struct KeyRanges {
  private let lookUp: Statement
  /// Whether at most every other key is missing.
  package let isDense: Bool
  private let largest: Int64
  /// The first key that has not been returned yet; `nil` after the largest possible key.
  private var next: Int64?

  /// - Parameters:
  ///   - schema: the schema under which the source is attached; empty on the source's own
  ///     connection.
  ///   - after: the last key that is already done.
  package init(
    connection: Connection, schema: String = "source", entity: EntityLayout, after: Int64,
    rowCount: Int64
  ) throws {
    let name = entity.table(inSchema: schema)
    lookUp = try connection.prepare(
      "SELECT Z_PK FROM \(name) WHERE Z_PK >= ? ORDER BY Z_PK LIMIT 1 OFFSET ?")
    largest = try connection.integer("SELECT max(Z_PK) FROM \(name)")
    let smallest = try connection.integer("SELECT min(Z_PK) FROM \(name)")
    let (span, overflow) = largest.subtractingReportingOverflow(smallest)
    isDense = !overflow && Double(span) <= Double(rowCount) * 2 + 1_000
    next = after == .max ? nil : after + 1
  }

  /// The next range with at most `rows` rows; `nil` when there is none. It is also `nil` when the
  /// keys of a damaged table are out of order; the account then shows that objects were not read.
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
    // Every range must be above the previous one.
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
