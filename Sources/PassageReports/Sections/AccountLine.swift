internal import PassageDiagnostics

/// What became of the objects of one entity mapping.
struct AccountLine {
  var pass: String
  var mapping: MigrationPage.Mapping
  var counts: MigrationPage.Counts

  /// A table of lines.
  ///
  /// - Parameter fates: the columns.
  static func table(_ lines: [AccountLine], _ fates: [MigrationPage.Fate]) -> ReportTable {
    var table = ReportTable(
      [("mapping", .text), ("pass", .text), ("read", .number)]
        + fates.map { ($0.rawValue, .number) })
    for line in lines {
      table.add(texts: cells(line.mapping.name, line.pass, line.counts, fates))
    }
    return table
  }

  static func cells(
    _ name: String, _ pass: String, _ counts: MigrationPage.Counts, _ fates: [MigrationPage.Fate]
  ) -> [String] {
    [name, pass, NumberText.count(counts.read)] + fates.map { NumberText.count(counts[$0]) }
  }
}

extension Sequence<MigrationPage.Counts> {
  /// All counts together.
  var sum: MigrationPage.Counts { reduce(MigrationPage.Counts()) { $0 + $1 } }
}
