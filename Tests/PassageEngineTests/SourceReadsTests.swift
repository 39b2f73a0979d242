import Passage
import PassageEngine
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import Testing

/// A migration page by page reads its source once to count its objects, and once to migrate them.
@Suite struct SourceReadsTests {
  private static let model = Model(
    "1", [Entity("Note", [.text("text"), .number("number")]), Entity("Tag", [.text("name")])])

  /// Notes of a page each: as many as several threads share, and what memory does not take.
  private static let noteCount: Int64 = 1_100

  private static func trial() throws -> Trial {
    let trial = try Trial(
      model, Model("2", model.entities + [Entity("Other", [.text("name")])]),
      [
        try mapping(
          """
          {"type": "transform", "source": "Note", "destination": "Note",
           "attributes": {"text": {}, "number": "$source.number + 1"}},
          {"type": "copy", "source": "Tag", "destination": "Tag"}
          """)
      ]
    ) { store in
      for number in 1...200 { try store.insert("Tag", ["name": .text("tag \(number)")]) }
      try store.insert("Note", ["text": .text("first"), "number": .integer(1)])
    }
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    try store.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < \(noteCount))
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZNUMBER)
      SELECT i, (SELECT Z_ENT FROM ZNOTE), 1, hex(zeroblob(1500)) || i, i FROM n
      """)
    try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(noteCount) WHERE Z_NAME = 'Note'")
    try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return trial
  }

  @Test(arguments: [1, 3]) func `each leaf is read twice, and nothing more often`(jobs: Int) throws
  {
    let trial = try Self.trial()
    let reads = PageReads()
    let report = try PageReads.$current.withValue(reads) {
      try trial.run(options: .pages(jobs: jobs))
    }
    #expect(report.steps[0].mappings.map(\.lane) == [.page, .page])
    let counts = reads.counts(of: trial.sourcePath)
    // A leaf of each note, and those of tags.
    #expect(counts.values.count { $0 == 2 } > Int(Self.noteCount) - 10)
    // The few pages above leaves are read by whoever divides the tree, too.
    let others = counts.filter { $0.value > 2 }
    #expect(others.count < 10, "\(others)")
  }
}
