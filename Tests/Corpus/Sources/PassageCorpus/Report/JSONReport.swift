internal import Foundation

/// The report for programs: one JSON object.
struct JSONReport: Encodable {
  private let isExpected: Bool
  private let seconds: Double
  /// By the folder at the top, then by check.
  private let folders: [String: [String: Report.Tally]]
  private let migrations: [Report.MigrationLine]
  private let remarks: [String]
  private let exceptions: [Report.Finding]
  private let unexpected: [Report.Finding]

  init(_ report: Report) {
    isExpected = report.isExpected
    seconds = report.seconds
    folders = report.tallies.mapValues { tallies in
      Dictionary(uniqueKeysWithValues: tallies.map { ($0.key.rawValue, $0.value) })
    }
    migrations = report.migrations
    remarks = report.remarks
    exceptions = report.findings.filter { $0.reason != nil }
    unexpected = report.findings.filter { $0.reason == nil }
  }

  /// - Throws: what the encoder answers for a number JSON cannot write.
  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
