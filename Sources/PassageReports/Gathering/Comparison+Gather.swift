internal import PassageDiagnostics
package import PassageInspection

extension MigrationPage.Comparison {
  /// What a comparison found, without the values that differ.
  package init(_ report: ComparisonReport) {
    self.init(
      parts: report.parts
        .filter { $0.expectedCount > 0 || $0.foundCount > 0 || $0.differenceCount > 0 }
        .map {
          Part(
            name: $0.name, expected: $0.expectedCount, found: $0.foundCount,
            differing: $0.differenceCount)
        },
      differences: report.differences.map(Self.words),
      unlistedCount: max(0, report.differenceCount - Int64(report.differences.count)))
  }

  private static func words(_ difference: ComparisonReport.Difference) -> String {
    let object = "\(difference.name) \(difference.key.map(String.init).joined(separator: " → "))"
    let properties = difference.properties.joined(separator: ", ")
    return switch difference.kind {
    case .missing: "\(object): missing"
    case .unexpected: "\(object): unexpected"
    case .changed: "\(object): different values in \(properties)"
    case .changedFile: "\(object): different file in \(properties)"
    }
  }
}
