internal import PassageValues

/// Counts the rows of one table while two stores are compared.
struct ComparisonTally {
  private let limit: Int
  private let names: [String]
  /// The position in ``ComparisonReport/parts`` a row belongs to.
  private let part: ([Value]) -> Int
  private var expectedDigests: [Int: RowDigest] = [:]
  private var foundDigests: [Int: RowDigest] = [:]

  /// - Parameters:
  ///   - limit: at most so many differences are listed in a report.
  ///   - names: what each cell of a row is, for people.
  ///   - part: the position in ``ComparisonReport/parts`` a row belongs to.
  init(limit: Int, names: [String], part: @escaping ([Value]) -> Int) {
    self.limit = limit
    self.names = names
    self.part = part
  }

  /// Counts the rows of one key: of both stores, or of one.
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
    var changed: [String] = []
    var kind = ComparisonReport.Difference.Kind.changed
    switch (expected, found) {
    case (let expected?, let found?):
      for (index, name) in names.enumerated()
      where !expected[index].isIdentical(to: found[index]) {
        changed.append(name)
      }
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
        key: row.prefix(keyCount).map { $0.integer ?? 0 }, properties: changed))
  }

  /// Writes the digests of every part that had a row.
  func finish(_ report: inout ComparisonReport) {
    for (position, digest) in expectedDigests {
      report.parts[position].expectedDigest = digest.text
    }
    for (position, digest) in foundDigests { report.parts[position].foundDigest = digest.text }
  }
}

extension Value {
  /// Whether two cells are stored alike, bit for bit.
  fileprivate func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    // Texts that look alike can have other bytes.
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    default: self == other
    }
  }
}
