import Foundation
import Passage
import PassageFleets
import PassageTesting
import TestSupport
import Testing

/// Lists of stores, and what is refused before anything is written.
struct StoreListTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func code(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      let error = error as? MigrationError
      #expect(error?.kind == .wrongCall && error?.diskState == "nothing was written")
      return error?.diagnostics.first?.code
    }
  }

  private func names(_ sources: StoreList.Source...) throws -> [String] {
    let list = try StoreList(sources)
    return (0..<list.names.count).map { list.names[$0] }
  }

  @Test func `a list has a name on each line, and empty lines are nothing`() throws {
    let path = try folder.write("a b\n\nü\n/x\ny", to: "list")
    #expect(try names(.file(path, isEndedByNUL: false)) == ["a b", "ü", "/x", "y"])
    let other = try folder.write("a\nb\0c\0", to: "nul")
    #expect(try names(.file(other, isEndedByNUL: true)) == ["a\nb", "c"])
  }

  #if os(Linux)
    /// A process cannot read its own memory at 0: EIO.
    @Test func `a list and a ledger that the system fails to read are no wrong call`() {
      let path = "/proc/self/mem"
      let list = #expect(throws: MigrationError.self) {
        try StoreList([.file(path, isEndedByNUL: false)])
      }
      let ledger = #expect(throws: MigrationError.self) {
        var reader = try LedgerReader(path)
        _ = try reader.next()
      }
      for error in [list, ledger] {
        #expect(error?.kind == .inputOutput)
        #expect(error?.diagnostics.first?.code == "RUN-007")
        #expect(error?.diskState == "nothing was written")
      }
    }
  #endif

  /// Nothing but zeros, for ever: one line without an end, or empty lines.
  @Test(.timeLimit(.minutes(15)), arguments: [false, true])
  func `a list that never ends is refused`(isEndedByNUL: Bool) {
    #expect(
      code { _ = try StoreList([.file("/dev/zero", isEndedByNUL: isEndedByNUL)]) } == "FLT-002")
  }

  @Test func `names that are longer than a piece of the file are whole`() throws {
    let long = (0..<200).map { "\($0)-" + String(repeating: "n", count: 4_000) }
    let path = try folder.write(long.joined(separator: "\n"), to: "list")
    #expect(try names(.file(path, isEndedByNUL: false)) == long)
  }

  @Test(
    arguments: [
      ([0xff, 0x0a], "not valid UTF-8"), ([0x61, 0, 0x62], "the byte 0"),
      (Array(repeating: 0x61, count: 4_097), "longer than"),
    ] as [([UInt8], String)])
  func `a line that is no path is refused with its place`(bytes: [UInt8], reason: String) throws {
    let path = try folder.write(Array("first\n".utf8) + bytes, to: "list")
    do {
      _ = try StoreList([.file(path, isEndedByNUL: false)])
      Issue.record("it is taken")
    } catch {
      let diagnostic = try #require(error.diagnostics.first)
      #expect(diagnostic.code == "FLT-002" && diagnostic.location?.line == 2)
      #expect(diagnostic.reason?.contains(reason) == true)
    }
  }

  @Test func `an empty list, a missing one and a name twice are refused`() throws {
    let empty = try folder.write("\n\n", to: "list")
    #expect(code { _ = try StoreList([.file(empty, isEndedByNUL: false)]) } == "FLT-001")
    #expect(code { _ = try StoreList([.pattern(folder.path("*.sqlite"))]) } == "FLT-001")
    #expect(
      code { _ = try StoreList([.file(folder.path("none"), isEndedByNUL: false)]) } == "FLT-002")
    #expect(code { _ = try StoreList(names: StoreNames(["a", "b", "a"])) } == "FLT-003")
  }

  @Test(
    arguments: [
      ("*.sqlite", ["a.sqlite", "b1.sqlite"]), ("b?.sqlite", ["b1.sqlite"]),
      ("[!b]*.sqlite", ["a.sqlite"]), ("[a-b]*", ["a.sqlite", "b1.sqlite"]),
      ("*/x.sqlite", ["one/x.sqlite", "two/x.sqlite"]), ("t*/x.sqlite", ["two/x.sqlite"]),
      ("two/*", ["two/deep", "two/x.sqlite"]),
      ("**/x.sqlite", ["one/x.sqlite", "two/deep/x.sqlite", "two/x.sqlite"]),
      ("two/**/*.sqlite", ["two/deep/x.sqlite", "two/x.sqlite"]), (".h*", [".hidden.sqlite"]),
      ("one/x.sqlite", ["one/x.sqlite"]), ("missing.sqlite", ["missing.sqlite"]),
      ("none*", []), ("[x].sqlite", ["[x].sqlite"]),
    ])
  func `patterns match names`(pattern: String, expected: [String]) throws {
    for name in [
      "a.sqlite", "b1.sqlite", "one/x.sqlite", "two/x.sqlite", "two/deep/x.sqlite",
      ".hidden.sqlite",
    ] + (pattern == "[x].sqlite" ? ["[x].sqlite"] : []) {
      let url = folder.url(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
    var found = StorePattern.Found(StoreNames())
    try StorePattern(folder.path(pattern)).expand(into: &found)
    let names = found.names
    #expect(
      Set((0..<names.count).map { names[$0] }) == Set(expected.map { folder.path($0) }))
    #expect(names.count == expected.count)
  }

  /// What belongs to a store that is there is never a store; what only has such a name may be one.
  @Test func `a pattern leaves out what SQLite and Passage made beside stores`() throws {
    let made = [
      "a.sqlite-wal", "a.sqlite-shm", "a.sqlite-journal", "a.sqlite.before-1",
      "a.sqlite.after-2~2", "a.sqlite.passage/finished.sqlite", "a.sqlite.quarantine.jsonl",
      "x.sqlite.3f2a9c01d45be678.before-1",
    ]
    let taken = [
      "a.sqlite", "b.before-noon", "c-wal", "d.quarantine.jsonl", "a.migrated.sqlite",
      "e.passage/a.sqlite", "group.before-noon",
    ]
    try FileManager.default.createDirectory(
      at: folder.url("group"), withIntermediateDirectories: true)
    for name in made + taken {
      let url = folder.url(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
    let list = try StoreList([.pattern(folder.path("*")), .pattern(folder.path("*/*"))])
    let names = Set((0..<list.names.count).map { list.names[$0] })
    // The folders themselves are matched too.
    #expect(names == Set((taken + ["e.passage", "group"]).map { folder.path($0) }))
    #expect(list.leftOutCount == made.count + 1)
    // What is named is the call's own choice, which is judged later.
    let kept = folder.path("a.sqlite.before-1")
    #expect(try self.names(.pattern(kept)) == [kept])
    #expect(code { _ = try StoreList([.pattern(folder.path("a*-1"))]) } == "FLT-001")
  }

  /// What is read of such a name is the name of another file.
  @Test(arguments: [("*.sqlite", true), ("**/x.sqlite", true), ("a*", false)])
  func `a name that is not UTF-8 is refused where a pattern finds it`(
    pattern: String, isFound: Bool
  ) throws {
    for name in ["a.sqlite", "\u{FFFD}.sqlite"] { try Data().write(to: folder.url(name)) }
    #if os(Linux)
      let prefix = Array(folder.path("").utf8CString.dropLast())
      for name in [[0xff] + ".sqlite".utf8, [0xfe]] as [[UInt8]] {
        let path = prefix + [0x2f] + name.map { CChar(bitPattern: $0) } + [0]
        if name.count == 1 {
          #expect(mkdir(path, 0o700) == 0)
        } else {
          let file = try #require(fopen(path, "w"))
          fclose(file)
        }
      }
      let found = code { _ = try StoreList([.pattern(folder.path(pattern))]) }
      #expect(found == (isFound ? "FLT-002" : nil))
    #endif
  }

  @Test func `a pattern of many stars ends`() {
    let pattern = NamePattern(String(repeating: "*a", count: 40) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 2_000)))
  }
}
