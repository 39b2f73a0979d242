internal import Foundation

/// The report for people: the table, the migrations, the exceptions with their reasons, and what
/// nobody expected.
struct TextReport {
  private let report: Report

  init(_ report: Report) { self.report = report }

  var text: String {
    var parts = [table(of: checkRows)]
    if !report.migrations.isEmpty { parts.append(table(of: migrationRows)) }
    if !report.remarks.isEmpty { parts.append(report.remarks.joined(separator: "\n")) }
    let known = report.findings.filter { $0.reason != nil }
    if !known.isEmpty { parts.append(exceptions(known)) }
    let unknown = report.findings.filter { $0.reason == nil }
    if !unknown.isEmpty {
      parts.append(
        (["not expected:"]
          + unknown.map { "  \($0.check.title): \($0.item)\n    \(indented($0.text))" })
          .joined(separator: "\n"))
    }
    let seconds = String(format: "%.1f", report.seconds)
    parts.append(
      report.isExpected
        ? "as expected: \(known.count) listed exceptions, nothing else; \(seconds) s"
        : "NOT as expected: \(unknown.count) findings; \(seconds) s")
    return parts.joined(separator: "\n\n")
  }

  private var checkRows: [[String]] {
    let checks = Check.allCases.filter { check in
      report.tallies.values.contains { $0[check] != nil }
    }
    func cells(_ tallies: [[Check: Report.Tally]]) -> [String] {
      checks.map { check in
        let found = tallies.compactMap { $0[check] }
        let total = found.reduce(0) { $0 + $1.total }
        let passed = found.reduce(0) { $0 + $1.passed }
        return total == 0 ? "-" : passed == total ? "\(total)" : "\(passed) of \(total)"
      }
    }
    let folders = report.tallies.keys.sorted()
    return [["folder"] + checks.map(\.title)]
      + folders.map { [$0] + cells([report.tallies[$0] ?? [:]]) }
      + [["all"] + cells(Array(report.tallies.values))]
  }

  private var migrationRows: [[String]] {
    [["migration", "steps", "objects", "digest", "seconds", "compared with"]]
      + report.migrations.map {
        [
          $0.name, "\($0.steps)", $0.isVerified ? "\($0.objects)" : "FAILED",
          String($0.digest.prefix(12)), String(format: "%.2f", $0.seconds),
          $0.comparisons.joined(separator: ", "),
        ]
      }
  }

  private func table(of rows: [[String]]) -> String {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
    }.joined(separator: "\n")
  }

  /// Exceptions of one reason stand together.
  private func exceptions(_ findings: [Report.Finding]) -> String {
    var lines = ["exceptions:"]
    var reasons: [String] = []
    for reason in findings.compactMap(\.reason) where !reasons.contains(reason) {
      reasons.append(reason)
    }
    for reason in reasons {
      lines.append("  \(reason)")
      lines += findings.filter { $0.reason == reason }.map {
        "    \($0.check.title): \($0.item): \(firstLine($0.text))"
      }
    }
    return lines.joined(separator: "\n")
  }

  private func firstLine(_ text: String) -> String {
    text.split(separator: "\n").first.map(String.init) ?? ""
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n").joined(separator: "\n    ")
  }
}
