import Passage
import PassageEngine
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import Synchronization
import Testing

/// Indexes whose pages are written without SQLite are SQLite's to accept.
@Suite struct PageIndexTests {
  private static let passStore = "new.sqlite.passage/step-1/pass-1.sqlite"

  private static let pages: MigrationOptions = {
    var options = MigrationOptions()
    options.lane = .page
    return options
  }()

  private static func trial() throws -> Trial {
    try Trial(
      RelationshipTests.library("1"), RelationshipTests.library2,
      [
        try mapping(
          RelationshipTests.entities.map {
            #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
          }.joined(separator: ", "))
      ], fill: RelationshipTests.fill)
  }

  /// Whether the pass store has indexes: their pages are written, and not checked yet.
  private static func hasIndexes(_ directory: TemporaryDirectory) -> Bool {
    let text = Array("CREATE INDEX".utf8)
    guard let bytes = directory.contents(passStore) else { return false }
    return bytes.indices.dropLast(text.count).contains {
      bytes[$0] == text[0] && bytes[$0..<$0 + text.count].elementsEqual(text)
    }
  }

  private static func damage(_ directory: TemporaryDirectory) throws {
    var bytes = try #require(directory.contents(passStore))
    bytes.replaceSubrange(
      bytes.count - 4_096..<bytes.count, with: Array(repeating: 0xFF, count: 4_096))
    try directory.write(bytes, to: passStore)
  }

  private static func expectSame(_ trial: Trial) throws {
    try trial.expectSameAsInSets()
    let connection = try Connection(path: trial.directory.path("new.sqlite"), mode: .readOnly)
    #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
  }

  @Test func `indexes that SQLite does not accept are not delivered, and the report says so`()
    throws
  {
    let trial = try Self.trial()
    let isDamaged = Mutex(false)
    let control = RunControl(willContinue: { [directory = trial.directory] in
      isDamaged.withLock { isDamaged in
        if !isDamaged, Self.hasIndexes(directory) {
          isDamaged = true
          try? Self.damage(directory)
        }
      }
      return true
    })
    let report = try trial.runInOneMoment(
      to: "new.sqlite", options: Self.pages, control: control)
    #expect(isDamaged.withLock { $0 })
    #expect(report.warnings.all.map(\.code).contains("RUN-048"))
    #expect(!report.steps.flatMap(\.mappings).map(\.lane).contains(.page))
    try Self.expectSame(trial)
  }

  @Test(arguments: [false, true])
  func `a run that ends while indexes are put in place begins its step again`(
    isInMoment: Bool
  ) throws {
    let trial = try Self.trial()
    let control = RunControl(willContinue: { [directory = trial.directory] in
      !Self.hasIndexes(directory)
    })
    let stopped = try #require(throws: MigrationError.self) {
      try trial.run(to: "new.sqlite", options: Self.pages, control: control)
    }
    #expect(stopped.kind == .cancelled)
    if isInMoment {
      // As a process leaves it that dies between the roots and the schema.
      let journal = try Connection(
        path: trial.directory.path("new.sqlite.passage/step-1/journal.sqlite"), mode: .readWrite)
      try journal.execute("INSERT INTO state VALUES (-1, 'indexes:moment', 1)")
      try Self.damage(trial.directory)
    }
    let report = try trial.run(to: "new.sqlite", options: Self.pages)
    #expect(report.wasContinued)
    #expect((report.discardedWork?.contains("indexes") ?? false) == isInMoment)
    try Self.expectSame(trial)
  }
}
