import PassageDiagnostics
import PassageReports

/// Pages made by hand.
enum SamplePages {
  /// Names that a hostile file could give to everything.
  static let hostile = "<script>alert(\"x\")</script>'&\u{0}\u{1B}[31m\u{202E}onload='x'"

  /// A mapping of one entity that carries every object over.
  static func mapping(_ name: String, count: Int64, kind: String = "copy") -> MigrationPage.Mapping
  {
    var mapping = MigrationPage.Mapping(
      name: "\(name)To\(name)", source: name, destination: name, lane: "page")
    mapping.kind = kind
    var counts = MigrationPage.Counts()
    counts.read = count
    counts.migrated = count
    mapping.counts = counts
    mapping.made = [MigrationPage.Made(entity: name, count: count)]
    return mapping
  }

  static func page(_ steps: [MigrationPage.Step]) -> MigrationPage {
    var page = MigrationPage(
      command: "run", outcome: .migrated, storeName: "Events.sqlite",
      timeText: "2026-11-24T00:00:00Z", toolVersion: "0")
    page.steps = steps
    return page
  }

  /// Everything that a page can show, under hostile names.
  static var hostilePage: MigrationPage {
    var filtering = mapping(hostile, count: 7, kind: "transform")
    filtering.counts?.filtered = 3
    filtering.counts?.read = 10
    filtering.filter = hostile
    filtering.laneReason = hostile
    filtering.lost = 4
    var step = MigrationPage.Step(
      source: hostile, destination: hostile + "2",
      passes: [
        MigrationPage.Pass(name: hostile, isInferred: true, seconds: 1, mappings: [filtering])
      ])
    step.unreadEntities = [hostile + "3"]
    step.unfilledEntities = [hostile]
    let property = MigrationPage.Property(name: hostile, traits: hostile)
    step.changes = [
      MigrationPage.ChangedEntity(
        mapping: hostile, source: hostile, destination: hostile,
        rows: [
          MigrationPage.ChangedProperty(
            before: property, after: property, words: hostile, code: hostile)
        ], unchangedCount: 2)
    ]
    var page = MigrationPage(
      command: "run", outcome: .failed, storeName: hostile, timeText: hostile, toolVersion: hostile)
    page.steps = [step]
    page.facts = [MigrationPage.Fact(hostile, hostile)]
    let diagnostic = Diagnostic(
      "RUN-001", hostile, at: SourceLocation(file: hostile, line: 1, column: 2), reason: hostile,
      remedy: hostile)
    let finding = MigrationPage.Finding(diagnostic, excerpt: [hostile, hostile])
    page.findings = [finding]
    page.failure = MigrationPage.Failure(
      summary: hostile, exitStatus: 41, findings: [finding], diskState: hostile)
    page.losses = [
      MigrationPage.Loss(
        step: 1, mapping: hostile, entity: hostile, property: hostile, words: hostile, count: 4)
    ]
    page.comparison = MigrationPage.Comparison(
      parts: [.init(name: hostile, expected: 1, found: 2, differing: 1)], differences: [hostile],
      unlistedCount: 3)
    page.record.storePath = hostile
    page.record.remarks = [hostile]
    page.record.entries = [
      .init(
        timeText: hostile, toolVersion: hostile, digest: hostile, source: hostile,
        destination: hostile, mappings: [hostile], read: 1, made: 1)
    ]
    return page
  }
}
