import FoundationEssentials
import Passage
import PassageSQLite
import PassageTesting
import Testing

/// A source that can be opened and cannot be read to its end.
@Suite struct DamagedSourceTests {
  private static let copy =
    #"{"type": "copy", "source": "Note", "destination": "Note"}"#

  /// A store whose last objects are on a page that was overwritten.
  private func damagedTrial() throws -> Trial {
    func model(_ name: String) -> Model {
      Model(name, [Entity("Note", name == "1" ? [.text("text")] : [.text("text"), .text("more")])])
    }
    let trial = try Trial(model("1"), model("2"), [mapping(Self.copy)], journalMode: .delete) {
      for _ in 0..<400 {
        try $0.insert("Note", ["text": .text(String(repeating: "text ", count: 40))])
      }
    }
    let connection = try Connection(path: trial.sourcePath, mode: .readOnly)
    let pageBytes = Int(try connection.integer("PRAGMA page_size"))
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    let text = Array("text text ".utf8)
    let last = try #require(
      stride(from: bytes.count - pageBytes, to: 0, by: -pageBytes).first { start in
        bytes[start] == 13 && bytes[start..<start + pageBytes].suffix(text.count).starts(with: text)
      })
    for offset in last..<last + pageBytes { bytes[offset] = 0xFF }
    try trial.directory.write(bytes, to: "old.sqlite")
    return trial
  }

  @Test(arguments: [false, true])
  func `damage that a pass meets ends the migration, and nothing is left`(
    isForcedToRows: Bool
  ) throws {
    let trial = try damagedTrial()
    var options = MigrationOptions()
    options.isForcedToRows = isForcedToRows
    options.batch = BatchLimits(rows: 50)
    let failure = try trial.failure(options: options)
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["STO-110"])
    #expect(failure.diskState == "the source is unchanged and nothing was left behind")
    #expect(trial.directory.names == ["old.sqlite"])
  }
}
