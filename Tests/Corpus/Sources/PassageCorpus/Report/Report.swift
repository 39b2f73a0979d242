internal import Foundation

/// What the checks found: counts for the table, and everything that does not hold.
struct Report {
  /// How many of how many hold.
  struct Tally: Codable {
    var passed = 0
    var total = 0
  }

  /// One thing that does not hold.
  struct Finding: Codable {
    var check: Check
    var item: String
    var text: String
    /// The listed reason; `nil` for a finding nobody expected.
    var reason: String?
  }

  /// One migration, for its own table.
  struct MigrationLine: Codable {
    var name: String
    var steps: Int
    var objects: Int64
    /// What held the result: the kinds of comparison that were made.
    var comparisons: [String]
    /// SHA-256 over every row of the migrated store.
    var digest: String
    var seconds: Double
    var isVerified: Bool
  }

  private let expectations: Expectations
  private var usedExceptions: Set<Int> = []
  private var touched: Set<[String]> = []
  /// By the folder at the top, then by check.
  private(set) var tallies: [String: [Check: Tally]] = [:]
  private(set) var findings: [Finding] = []
  private(set) var migrations: [MigrationLine] = []
  /// Things worth saying that are no findings, in order.
  private(set) var remarks: [String] = []
  private let start = Date()
  private(set) var seconds = 0.0

  init(expectations: Expectations) { self.expectations = expectations }

  /// Whether every finding is a listed exception.
  var isExpected: Bool { findings.allSatisfy { $0.reason != nil } }

  /// Counts what holds.
  mutating func pass(_ check: Check, _ item: String, count: Int = 1) {
    touched.insert([check.rawValue, item])
    tallies[CorpusFolder.series(item), default: [:]][check, default: Tally()].passed += count
    tallies[CorpusFolder.series(item), default: [:]][check, default: Tally()].total += count
  }

  /// Counts what does not hold, and reports it.
  mutating func fail(_ check: Check, _ item: String, _ text: String, count: Int = 1) {
    touched.insert([check.rawValue, item])
    tallies[CorpusFolder.series(item), default: [:]][check, default: Tally()].total += count
    let position = expectations.exceptions.firstIndex {
      $0.check == check && $0.item == item && text.contains($0.says)
    }
    if let position { usedExceptions.insert(position) }
    findings.append(
      Finding(
        check: check, item: item, text: text,
        reason: position.map { expectations.exceptions[$0].reason }))
  }

  /// Tells of something that differs for a reason known beforehand; it is counted elsewhere.
  mutating func excuse(_ check: Check, _ item: String, _ text: String, reason: String) {
    findings.append(Finding(check: check, item: item, text: text, reason: reason))
  }

  /// Passes without anything to say, and fails with the text otherwise.
  mutating func judge(_ check: Check, _ item: String, _ mistakes: [String]) {
    if mistakes.isEmpty {
      pass(check, item)
    } else {
      fail(check, item, mistakes.prefix(5).joined(separator: "\n"))
    }
  }

  mutating func add(_ migration: MigrationLine) { migrations.append(migration) }

  mutating func remark(_ text: String) { remarks.append(text) }

  /// Finds the listed exceptions that are none any more: their item was checked, and held. Those of a
  /// rehearsal may hold or not: its objects are made up anew each time.
  mutating func finish() {
    for (position, exception) in expectations.exceptions.enumerated()
    where exception.check != .ways && !usedExceptions.contains(position)
      && touched.contains([exception.check.rawValue, exception.item])
    {
      findings.append(
        Finding(
          check: exception.check, item: exception.item,
          text: "a listed exception does not occur any more: \(exception.says)", reason: nil))
    }
    seconds = Date().timeIntervalSince(start)
  }
}
