internal import PassageEngine
package import PassageValues

/// Counts the rows of one table while two stores are compared.
struct ComparisonTally {
  private let limit: Int
  private let names: [String]
  private let showsValues: Bool
  /// The position in ``ComparisonReport/parts`` that a row belongs to.
  private let part: ([Value]) -> Int
  private var expectedDigests: [Int: RowDigest] = [:]
  private var foundDigests: [Int: RowDigest] = [:]

  /// - Parameters:
  ///   - limit: the maximum number of differences that a report lists.
  ///   - names: the names of the cells of a row, for messages.
  ///   - showsValues: whether differences include the values.
  ///   - part: the position in ``ComparisonReport/parts`` that a row belongs to.
  init(limit: Int, names: [String], showsValues: Bool, part: @escaping ([Value]) -> Int) {
    self.limit = limit
    self.showsValues = showsValues
    self.names = names
    self.part = part
  }

  /// Counts the rows with one key: one from each store, or only one.
  mutating func count(
    _ expected: [Value]?, _ found: [Value]?, _ keyCount: Int, in report: inout ComparisonReport
  ) {
    if let expected {
      let position = part(expected)
      expectedDigests[position, default: RowDigest()].add(expected)
      report.parts[position].expectedCount += 1
    }
    if let found {
      let position = part(found)
      foundDigests[position, default: RowDigest()].add(found)
      report.parts[position].foundCount += 1
    }
    guard let row = expected ?? found else { return }
    var changed: [Int] = []
    var kind = ComparisonReport.Difference.Kind.changed
    switch (expected, found) {
    case (let expected?, let found?):
      changed = names.indices.filter { !expected[$0].isIdentical(to: found[$0]) }
      if changed.isEmpty { return }
    case (nil, _): kind = .unexpected
    case (_, nil): kind = .missing
    }
    let position = part(row)
    report.parts[position].differenceCount += 1
    guard report.differences.count < limit else { return }
    report.differences.append(
      ComparisonReport.Difference(
        kind: kind, name: report.parts[position].name,
        key: row.prefix(keyCount).map { $0.integer ?? 0 }, properties: changed.map { names[$0] },
        values: showsValues ? values(changed, expected, found) : []))
  }

  private func values(
    _ changed: [Int], _ expected: [Value]?, _ found: [Value]?
  ) -> [ComparisonReport.Difference.Values] {
    guard let expected, let found else { return [] }
    return changed.map {
      ComparisonReport.Difference.Values(
        property: names[$0], expected: expected[$0].shownText, found: found[$0].shownText)
    }
  }

  /// Writes the digests of every part that has rows.
  func finish(_ report: inout ComparisonReport) {
    for (position, digest) in expectedDigests {
      report.parts[position].expectedDigest = digest.text
    }
    for (position, digest) in foundDigests { report.parts[position].foundDigest = digest.text }
  }
}

extension Value {
  private static let shownCount = 80

  /// Describes the cell: texts in quotation marks, bytes in hexadecimal, both cut if they are long;
  /// a real number with every digit that distinguishes it from its neighbours.
  package var shownText: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text):
      "“\(text.prefix(Self.shownCount))”" + (text.count > Self.shownCount ? "…" : "")
    case .blob(let bytes): Self.shown(bytes)
    case .malformedText(let bytes): "text that is not UTF-8, \(Self.shown(bytes))"
    }
  }

  private static func shown(_ bytes: [UInt8]) -> String {
    let digits = bytes.prefix(shownCount / 2).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    let cut = bytes.count > shownCount / 2 ? "…" : ""
    return "x'\(digits.joined())'\(cut) (\(bytes.count) bytes)"
  }

  /// Whether two cells are stored identically, bit for bit.
  fileprivate func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    // Texts that compare as equal may have different bytes.
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    default: self == other
    }
  }
}
