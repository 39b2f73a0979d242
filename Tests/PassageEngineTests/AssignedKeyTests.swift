import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// Keys that an app has assigned and whose objects it has deleted: it may still keep their URIs.
@Suite struct AssignedKeyTests {
  private static func model(_ name: String) -> Model {
    Model(name, [Entity("Note", [.text("in\(name)")]), Entity("Memo")])
  }

  @Test(
    arguments: [
      (0, [3], 3), (7, [8], 8), (.max, [3], .max), (.max / 2 - 1, [.max / 2], .max / 2),
    ] as [(Int64, [Int64], Int64)])
  func `further objects get keys that no object ever had`(
    recorded: Int64, added: [Int64], largest: Int64
  ) throws {
    var trial = try Trial(
      Self.model("1"), Self.model("2"),
      [
        mapping(
          """
          {"type": "copy", "source": "Note", "destination": "Note"},
          {"type": "copy", "source": "Memo", "destination": "Note"}
          """)
      ]
    ) { store in
      for entity in ["Note", "Note", "Memo"] { try store.insert(entity, [:]) }
    }
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = \(recorded) WHERE Z_NAME = 'Note'")
    for inMemory in [false, true] {
      trial.worksInMemory = inMemory
      for (number, options) in Trial.ways.enumerated() {
        let path = "new-\(inMemory)-\(number).sqlite"
        try trial.run(to: path, options: options)
        let store = try Connection(path: trial.directory.path(path), mode: .readOnly)
        let keys = try store.rows("SELECT Z_PK FROM ZNOTE ORDER BY 1").compactMap { $0[0].integer }
        #expect(keys == [1, 2] + added)
        let next = try store.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'")
        #expect(next == largest)
      }
    }
  }
}
