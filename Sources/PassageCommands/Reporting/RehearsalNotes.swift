internal import Passage
internal import PassagePlatform
internal import PassageReports
internal import PassageTesting

/// What is known of a rehearsal so far, for the page about it.
struct RehearsalNotes: PageNotes {
  /// The command that does the same again.
  let again: String
  var report: RehearsalReport?

  init(again: String) { self.again = again }

  var isRefused: Bool { false }
  var failedPath: String { "" }

  func html(_ error: MigrationError?) -> String {
    var page = RehearsalPage(
      again: again, ways: RehearsalReport.Way.allCases.map { .init($0.title, $0.meaning) },
      timeText: MigrationRecord.timeText(Date().timeIntervalSinceReferenceDate),
      toolVersion: PassageVersion.current)
    page.failure = error.map { MigrationPage.Failure($0, excerpt: CallNotes.excerpt) }
    if let report {
      page.target = report.target
      page.seed = report.seed
      page.seconds = report.seconds
      page.nothingRehearsed = report.nothingRehearsed
      page.stores = report.subjects.map(\.pageStore)
    }
    return page.html
  }
}

extension RehearsalReport.Subject {
  fileprivate var pageStore: RehearsalPage.Store {
    RehearsalPage.Store(
      path: isMadeUp ? nil : name, version: version, objects: objects, ways: trials.map(\.pageWay))
  }
}

extension RehearsalReport.Trial {
  fileprivate var pageWay: RehearsalPage.Way {
    switch outcome {
    case .passed: RehearsalPage.Way(name: way.title, outcome: .passed, seconds: seconds)
    case .failed:
      RehearsalPage.Way(
        name: way.title, outcome: .failed, seconds: seconds,
        findings: findings.map { diagnostic in
          var finding = MigrationPage.Finding(
            diagnostic, excerpt: CallNotes.excerpt(diagnostic))
          finding.isExplained = MigrationError.Kind(code: diagnostic.code) != nil
          return finding
        })
    case .skipped(let reason):
      RehearsalPage.Way(name: way.title, outcome: .skipped, reason: reason)
    }
  }
}

extension RehearsalReport.Way {
  /// What the way is, in a sentence.
  fileprivate var meaning: String {
    switch self {
    case .direct:
      "All steps in one migration, as run does it. The new store is checked without the engine."
    case .stepByStep: "Each step as a migration of its own."
    case .page: "Page by page, where that is possible."
    case .set: "In sets by SQL, where that is possible."
    case .row: "Object by object."
    case .interrupted: "Stopped several times and continued, object by object."
    case .inPlace: "In place, on a copy; the old store must be kept."
    }
  }
}
