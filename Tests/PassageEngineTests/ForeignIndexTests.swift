import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// Indexes that the app made, or Core Data by a collation or function of its own.
@Suite struct ForeignIndexTests {
  private static let copy = #"{"type": "copy", "source": "Note", "destination": "Note"}"#

  private func trial(_ subentities: [Entity]) throws -> Trial {
    func model(_ name: String) -> Model {
      Model(
        name,
        [Entity("Note", name == "1" ? [.text("text")] : [.text("text"), .text("more")])]
          + subentities)
    }
    let mappings =
      [Self.copy]
      + subentities.map {
        #"{"type": "copy", "source": "\#($0.name)", "destination": "\#($0.name)"}"#
      }
    return try Trial(
      model("1"), model("2"), [mapping(mappings.joined(separator: ", "))], journalMode: .delete
    ) { store in
      for number in 0..<40 { try store.insert("Note", ["text": .text("\(number)")]) }
    }
  }

  @Test(arguments: [[], [Entity("Memo", parent: "Note", [])]])
  func `a collation that only the app has does not be in the way`(subentities: [Entity]) throws {
    let trial = try trial(subentities)
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "CREATE INDEX Own ON ZNOTE (Z_ENT, ZTEXT COLLATE NOCASE); "
        + "CREATE INDEX Less ON ZNOTE (Z_OPT COLLATE NOCASE)")
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    // Names of one length: what SQLite reads is another collation.
    while let place = bytes.firstRange(of: Array("NOCASE".utf8)) {
      bytes.replaceSubrange(place, with: Array("FINDER".utf8))
    }
    try trial.directory.write(bytes, to: "old.sqlite")
    let (contents, report) = try trial.migrate()
    #expect(contents["Note"].count == 40)
    #expect(report.warnings.all.map(\.code) == ["STO-307"])
    let described = try StoreFile.open(path: trial.sourcePath).describe()
    #expect(described.tables.first { $0.name == "ZNOTE" }?.rows == 40)
  }
}
