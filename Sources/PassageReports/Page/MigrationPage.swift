package import PassageDiagnostics

/// What the page of a migration shows: plain values, which everything that migrates can fill in.
///
/// It holds names, numbers and sentences, never values of attributes.
package struct MigrationPage: Sendable {
  /// How it ended.
  package enum Outcome: String, Sendable, CaseIterable {
    case migrated
    case upToDate
    case planned
    case equal
    case different
    case failed
  }

  /// A number or text with its name, for the head of the page.
  package struct Fact: Sendable, Hashable {
    package var name: String
    package var text: String

    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// Why the work failed, and what is to be done.
  package struct Failure: Sendable {
    /// The class of failure in words.
    package var summary: String
    package var exitStatus: Int
    package var findings: [Finding]
    /// The number of findings that are not listed.
    package var unlistedCount = 0
    /// What is on disk now, in one sentence.
    package var diskState: String?

    package init(summary: String, exitStatus: Int, findings: [Finding], diskState: String?) {
      self.summary = summary
      self.exitStatus = exitStatus
      self.findings = findings
      self.diskState = diskState
    }
  }

  /// A diagnostic, and the lines of the file that it is about.
  package struct Finding: Sendable {
    package var diagnostic: Diagnostic
    /// The line of an author's file and a line with a mark below it; empty for others.
    package var excerpt: [String]
    /// Whether `explain` tells more about its code.
    package var isExplained = false

    package init(_ diagnostic: Diagnostic, excerpt: [String] = []) {
      self.diagnostic = diagnostic
      self.excerpt = excerpt
    }
  }

  /// The subcommand.
  package var command: String
  package var outcome: Outcome
  /// The name of the store's file.
  package var storeName: String
  /// When the page was written.
  package var timeText: String
  /// The version of Passage.
  package var toolVersion: String
  /// Files and times, in the order in which they are shown.
  package var facts: [Fact] = []
  package var failure: Failure?
  package var steps: [Step] = []
  /// The duration in seconds; `nil` when nothing ran.
  package var seconds: Double?
  /// Whether a part of the work was done by an earlier run.
  package var wasContinued = false
  package var losses: [Loss] = []
  /// Warnings and notes.
  package var findings: [Finding] = []
  package var comparison: Comparison?
  package var record = Record()

  package init(
    command: String, outcome: Outcome, storeName: String, timeText: String, toolVersion: String
  ) {
    self.command = command
    self.outcome = outcome
    self.storeName = storeName
    self.timeText = timeText
    self.toolVersion = toolVersion
  }

  /// All entity mappings, in the order in which they run.
  var mappings: [Mapping] { steps.flatMap(\.passes).flatMap(\.mappings) }
}
