import Passage
import PassageEngine
import PassageSQLite
import PassageStores
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// Indexes that threads sort beside each other are those of one thread.
@Suite struct IndexJobTests {
  private static let seed = RandomSeed.told(for: "IndexJobTests")

  private static func attribute(_ name: String, _ type: AttributeType) -> Attribute {
    Attribute(name: name, type: type, isIndexed: true)
  }

  /// Two tables with indexes of numbers, texts, and both.
  private static func model(_ name: String, uniqueBook: Bool = false) -> Model {
    var book = Entity(
      "Book", [attribute("title", .string), attribute("pages", .integer64), .text("code")])
    if uniqueBook { book.uniquenessConstraints = [["code"]] }
    let reader = Entity(
      "Reader",
      [attribute("name", .string), attribute("born", .date), attribute("count", .integer64)])
    return Model(name, [book, reader])
  }

  /// - Parameter isUnique: whether every book has a code of its own.
  private static func trial(
    _ destination: Model, isUnique: Bool = true, objectCount: Int64 = 4_000
  ) throws -> Trial {
    var random = SeededRandom(seed: seed)
    return try Trial(
      model("1"), destination,
      [
        try mapping(
          ["Book", "Reader"].map {
            #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
          }.joined(separator: ", "))
      ]
    ) { store in
      for number in 1...objectCount {
        let text = String(repeating: "y", count: Int.random(in: 0...40, using: &random))
        _ = try store.insert(
          "Book",
          [
            "title": random.chance(10) ? .null : .text("\(text) \(number)"),
            "pages": .integer(Int64.random(in: -9...900, using: &random)),
            "code": .text("\(isUnique ? number : number % (objectCount - 1))"),
          ])
        _ = try store.insert(
          "Reader",
          [
            "name": .text(text), "born": .real(Double(number) / 3),
            "count": random.chance(5) ? .null : .integer(number % 7),
          ])
      }
    }
  }

  @Test func `any number of threads makes the same indexes`() throws {
    let trial = try Self.trial(Self.model("2"))
    try trial.runInOneMoment(to: "1.sqlite", options: .pages(jobs: 1))
    let connection = try Connection(path: trial.directory.path("1.sqlite"), mode: .readOnly)
    #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
    let count = try connection.integer(
      "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('ZBOOK', 'ZREADER')"
    )
    #expect(count == 5)
    for jobs in [2, 3, 7] {
      let report = try trial.runInOneMoment(to: "\(jobs).sqlite", options: .pages(jobs: jobs))
      #expect(report.warnings.all.filter { $0.code == "RUN-048" } == [])
      #expect(try trial.differingPages("1.sqlite", "\(jobs).sqlite") == [])
    }
  }

  @Test func `rows that are equal under a unique index are told by any number of threads`() throws {
    let trial = try Self.trial(
      Self.model("2", uniqueBook: true), isUnique: false, objectCount: 600)
    let messages = try [1, 3].map { jobs in
      let error = try #require(throws: MigrationError.self) {
        try trial.run(to: "new.sqlite", options: .pages(jobs: jobs))
      }
      return "\(error)"
    }
    #expect(messages[0] == messages[1])
    #expect(messages[0].contains("code"))
  }

  @Test(arguments: [1, 3, 6]) func `a run that stops while threads sort is continued`(
    questions: Int
  ) throws {
    let trial = try Self.trial(Self.model("2"))
    let seen = Mutex((phase: MigrationProgress.Phase.prepare, questions: 0))
    let control = RunControl(
      report: { progress in seen.withLock { $0.phase = progress.phase } },
      willContinue: {
        seen.withLock { seen in
          if seen.phase == .seal { seen.questions += 1 }
          return seen.questions < questions
        }
      })
    let stopped = try trial.failure(options: .pages(jobs: 3), control: control)
    #expect(stopped.kind == .cancelled)
    let report = try trial.run(options: .pages(jobs: 3))
    #expect(report.wasContinued)
    try trial.expectSameAsInSets()
  }
}
