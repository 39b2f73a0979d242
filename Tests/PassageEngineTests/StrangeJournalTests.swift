import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// A rollback journal that SQLite did not write names the file that SQLite is to remove.
@Suite struct StrangeJournalTests {
  private static func model(_ name: String) -> Model {
    Model(name, [Entity("Note", [.text("in\(name)")])])
  }

  private static func trial() throws -> Trial {
    try Trial(
      model("1"), model("2"),
      [mapping(#"{"type": "copy", "source": "Note", "destination": "Note"}"#)],
      journalMode: .delete
    ) { try $0.insert("Note", [:]) }
  }

  /// A journal without a page, that belongs to a transaction of several files.
  private static func journal(of path: String, naming name: String) throws -> Data {
    let main = try Data(contentsOf: URL(filePath: path))
    let pageBytes = Int(main[16]) << 8 | Int(main[17])
    func number(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    let header =
      magic + number(0) + number(1) + number(main.count / pageBytes) + number(512)
      + number(pageBytes)
    let sum = name.utf8.reduce(0) { $0 + Int(Int8(bitPattern: $1)) }
    let end =
      number(0x4000_0000 / pageBytes + 1) + Array(name.utf8) + number(name.utf8.count) + number(sum)
      + magic
    return Data(header + Array(repeating: 0, count: 512 - header.count) + end)
  }

  @Test(arguments: ["precious.txt", "old.sqlite-mj00000082A", "old.sqlite-mj0000009zz"])
  func `no file is removed that a strange journal names`(name: String) throws {
    let trial = try Self.trial()
    let victim = trial.directory.path(name)
    try trial.directory.write(Array("precious".utf8), to: name)
    let bytes = try #require(trial.directory.contents("old.sqlite"))
    try Self.journal(of: trial.sourcePath, naming: victim)
      .write(to: URL(filePath: trial.sourcePath + "-journal"))
    let error = try trial.failure()
    #expect(error.codes == ["STO-163"])
    #expect(error.kind == .sourceDamaged)
    #expect(throws: SQLiteError.self) {
      try Connection(path: trial.sourcePath, mode: .readWrite).integer("SELECT count(*) FROM ZNOTE")
    }
    #expect(trial.directory.contents(name) == Array("precious".utf8))
    #expect(trial.directory.contents("old.sqlite") == bytes)
  }

  /// One that SQLite has left is empty or has the names of journals, none of which is there any more.
  @Test func `a super-journal that nothing belongs to is removed as SQLite does`() throws {
    let trial = try Self.trial()
    let name = "old.sqlite-mjABCDEF9A0"
    try trial.directory.write(Array("\(trial.directory.path("gone-journal"))\u{0}".utf8), to: name)
    try Self.journal(of: trial.sourcePath, naming: trial.directory.path(name))
      .write(to: URL(filePath: trial.sourcePath + "-journal"))
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    #expect(try connection.integer("SELECT count(*) FROM ZNOTE") == 1)
    #expect(!trial.directory.names.contains(name))
  }

  /// As where a process is killed between the two files of a transaction.
  @Test(arguments: [("", false), ("no journal", false), ("own", true)])
  func `a journal that a super-journal names is read, and only that`(
    other: (journal: String, belongs: Bool)
  ) throws {
    let trial = try Self.trial()
    let name = "old.sqlite-mjABCDEF9A0"
    let superJournal = trial.directory.path(name)
    let second = trial.directory.path("second.sqlite-journal")
    try trial.directory.write(Array("\(second)\u{0}".utf8), to: name)
    let own = try Self.journal(of: trial.sourcePath, naming: superJournal)
    let bytes = other.belongs ? Array(own) : Array(other.journal.utf8)
    try trial.directory.write(bytes, to: "second.sqlite-journal")
    try own.write(to: URL(filePath: trial.sourcePath + "-journal"))
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    #expect(try connection.integer("SELECT count(*) FROM ZNOTE") == 1)
    // What still belongs to it is rolled back with it.
    #expect(trial.directory.names.contains(name) == other.belongs)
    #expect(trial.directory.contents("second.sqlite-journal") == bytes)
  }

  @Test func `a pipe that a super-journal names is not waited for`() throws {
    let trial = try Self.trial()
    let pipe = trial.directory.path("second.sqlite-journal")
    #expect(mkfifo(pipe, 0o600) == 0)
    let name = "old.sqlite-mjABCDEF9A0"
    try trial.directory.write(Array("\(pipe)\u{0}".utf8), to: name)
    try Self.journal(of: trial.sourcePath, naming: trial.directory.path(name))
      .write(to: URL(filePath: trial.sourcePath + "-journal"))
    #expect(throws: SQLiteError.self) {
      try Connection(path: trial.sourcePath, mode: .readWrite).integer("SELECT count(*) FROM ZNOTE")
    }
  }

  /// Rolling back is the only thing that a migration in place may do to a store before its own check.
  @Test func `in place, a strange journal is refused and stays`() throws {
    let trial = try Self.trial()
    let victim = trial.directory.path("precious.txt")
    try trial.directory.write(Array("precious".utf8), to: "precious.txt")
    let journal = try Self.journal(of: trial.sourcePath, naming: victim)
    try journal.write(to: URL(filePath: trial.sourcePath + "-journal"))
    #expect(throws: MigrationError.self) {
      try trial.migration(to: .inPlace, options: MigrationOptions()).run(control: RunControl())
    }
    #expect(trial.directory.contents("precious.txt") == Array("precious".utf8))
    #expect(trial.directory.contents("old.sqlite-journal") == Array(journal))
    #expect(!trial.directory.names.contains { $0.hasSuffix(".passage") })
  }

  @Test(arguments: ["pipe", "link"])
  func `nothing but a regular file is taken for a super-journal`(kind: String) throws {
    let trial = try Self.trial()
    let name = trial.directory.path("old.sqlite-mjABCDEF9A0")
    if kind == "pipe" {
      #expect(mkfifo(name, 0o600) == 0)
    } else {
      try trial.directory.write(Array("precious".utf8), to: "precious")
      #expect(symlink(trial.directory.path("precious"), name) == 0)
    }
    try Self.journal(of: trial.sourcePath, naming: name)
      .write(to: URL(filePath: trial.sourcePath + "-journal"))
    #expect(throws: SQLiteError.self) {
      try Connection(path: trial.sourcePath, mode: .readWrite).integer("SELECT count(*) FROM ZNOTE")
    }
  }

  @Test func `names of super-journals`() {
    for name in ["a-mj0123459AB", "/x/y.sqlite-mjFFFFFF900"] { #expect(SuperJournal.isName(name)) }
    for name in ["-mj0123459AB", "a-mj0123458AB", "a-mj012345xAB", "a-mj0123459ab", "", "a"] {
      #expect(!SuperJournal.isName(name))
    }
  }
}
