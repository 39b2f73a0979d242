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

  private func trial() throws -> Trial {
    func model(_ name: String) -> Model {
      Model(name, [Entity("Note", name == "1" ? [.text("text")] : [.text("text"), .text("more")])])
    }
    return try Trial(model("1"), model("2"), [mapping(Self.copy)], journalMode: .delete) { store in
      for number in 0..<40 { try store.insert("Note", ["text": .text("\(number)")]) }
    }
  }

  @Test(arguments: [false, true], ["'text'", "99", "NULL"])
  func `a row that is of no entity is damage, not a bug, though its table has one entity`(
    isForcedToRows: Bool, number: String
  ) throws {
    let trial = try trial()
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "UPDATE ZNOTE SET Z_ENT = \(number) WHERE Z_PK = 7")
    var options = MigrationOptions()
    options.isForcedToRows = isForcedToRows
    let failure = try trial.failure(options: options)
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["RUN-022"])
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test(arguments: [false, true])
  func `an index that lacks rows is damage, not a bug`(isForcedToRows: Bool) throws {
    let trial = try trial()
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    try connection.execute("CREATE INDEX Lacking ON ZNOTE (Z_ENT)")
    let page = try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'Lacking'")
    let pageBytes = try connection.integer("PRAGMA page_size")
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    // The number of cells, https://www.sqlite.org/fileformat.html#b_tree_pages.
    let cells = Int((page - 1) * pageBytes) + 3
    try #require(bytes[cells..<cells + 2] == [0, 40])
    bytes[cells + 1] = 30
    try trial.directory.write(bytes, to: "old.sqlite")
    var options = MigrationOptions()
    options.isForcedToRows = isForcedToRows
    let failure = try trial.failure(options: options)
    #expect(failure.kind == .sourceDamaged)
    #expect(failure.codes == ["RUN-034"])
    #expect(trial.directory.names == ["old.sqlite"])
  }
}
