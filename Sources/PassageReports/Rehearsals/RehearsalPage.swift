/// What the page of a rehearsal shows: plain values.
///
/// It holds names, numbers and sentences, never values of attributes.
package struct RehearsalPage: Sendable {
  /// How a way ended.
  package enum Outcome: String, Sendable, CaseIterable {
    case passed
    case failed
    case skipped
  }

  /// One way of one store.
  package struct Way: Sendable {
    package var name: String
    package var outcome: Outcome
    /// `nil` when it was not gone.
    package var seconds: Double?
    /// What went wrong; empty unless it failed.
    package var findings: [MigrationPage.Finding]
    /// Why it was not gone.
    package var reason: String?

    package init(
      name: String, outcome: Outcome, seconds: Double? = nil,
      findings: [MigrationPage.Finding] = [], reason: String? = nil
    ) {
      self.name = name
      self.outcome = outcome
      self.seconds = seconds
      self.findings = findings
      self.reason = reason
    }
  }

  /// One store, and the ways it went.
  package struct Store: Sendable {
    /// The path; `nil` for a store that was made up.
    package var path: String?
    /// `nil` when it is not known.
    package var version: String?
    package var objects: Int64
    package var ways: [Way]

    package init(path: String?, version: String?, objects: Int64, ways: [Way]) {
      self.path = path
      self.version = version
      self.objects = objects
      self.ways = ways
    }

    /// The version, or that it is not known.
    var versionName: String { version ?? "unknown version" }

    func way(_ name: String) -> Way? { ways.first { $0.name == name } }
  }

  /// The version to which the stores were brought; `nil` when the rehearsal did not begin.
  package var target: String?
  /// The seed of the made-up objects.
  package var seed: UInt64?
  /// The command that does the same again, ready to be pasted.
  package var again: String
  package var timeText: String
  package var toolVersion: String
  /// The names of all ways with what they are, in the order in which they are gone.
  package var ways: [MigrationPage.Fact]
  package var stores: [Store] = []
  package var seconds: Double?
  /// Why no way was gone; `nil` when one was.
  package var nothingRehearsed: String?
  /// Why the rehearsal did not begin or end; `nil` when it did.
  package var failure: MigrationPage.Failure?

  package init(
    again: String, ways: [MigrationPage.Fact], timeText: String, toolVersion: String
  ) {
    self.again = again
    self.ways = ways
    self.timeText = timeText
    self.toolVersion = toolVersion
  }

  var wayNames: [String] { ways.map(\.name) }

  /// The number of ways that ended so.
  func count(_ outcome: Outcome) -> Int {
    stores.reduce(0) { sum, store in sum + store.ways.count { $0.outcome == outcome } }
  }
}
