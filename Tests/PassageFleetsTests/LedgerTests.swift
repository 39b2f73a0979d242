import Foundation
import Passage
import PassageFleets
import PassageTesting
import TestSupport
import Testing

/// The ledger of a fleet.
struct LedgerTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func entries(_ path: String) throws -> (entries: [LedgerEntry], torn: Diagnostics) {
    var reader = try LedgerReader(path)
    var entries: [LedgerEntry] = []
    while let entry = try reader.next() { entries.append(entry) }
    return (entries, reader.torn)
  }

  private func code(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? MigrationError)?.diagnostics.first?.code
    }
  }

  @Test func `a line is read as it was written`() throws {
    var entry = LedgerEntry(store: "data/a \"b\"\n\u{1}ü.sqlite", outcome: .failed)
    entry.from = "1"
    (entry.counts.migrated, entry.counts.added) = (.max, 2)
    (entry.counts.read, entry.counts.made) = (.max, .max)
    entry.losses = 3
    entry.seconds = 1.25
    entry.time = "2026-11-22T03:14:05Z"
    entry.code = "RUN-099"
    entry.exitClass = 1
    entry.message = "a\nb"
    entry.shard = "1/3"
    entry.plan = "0123456789abcdef"
    #expect(entry.line.hasSuffix(" }\n") && !entry.line.dropLast().contains("\n"))
    #expect(try LedgerEntry(reading: Array(entry.line.utf8.dropLast()), file: "x") == entry)
  }

  @Test func `what was read and made is the sum of what became of it`() throws {
    var entry = LedgerEntry(store: "a", outcome: .migrated)
    entry.counts.filtered = 1
    (entry.counts.migrated, entry.counts.merged, entry.counts.removed) = (20, 300, 4_000)
    (entry.counts.quarantined, entry.counts.split, entry.counts.added) = (50_000, 6, 7)
    let line = entry.line.dropLast()
    let read = try LedgerEntry(reading: line.utf8, file: "x").counts
    #expect(read.read == 54_321 && read.made == 33)
    // As earlier versions wrote it.
    let former = line.replacing(#""added": 7, "#, with: "")
    #expect(former != line)
    let made = try LedgerEntry(reading: former.utf8, file: "x").counts
    #expect(made.added == 0 && made.read == 54_321 && made.made == 26)
  }

  @Test func `no line is longer than 64 KiB`() throws {
    var entry = LedgerEntry(store: String(repeating: "\u{1}", count: 4_096), outcome: .failed)
    entry.message = String(repeating: "ü", count: 100_000)
    entry.remedy = String(repeating: "\u{2}", count: 100_000)
    #expect(entry.line.utf8.count <= LedgerEntry.maximumLineBytes)
    _ = try LedgerEntry(reading: Array(entry.line.utf8.dropLast()), file: "x")
  }

  @Test func `attempts are counted`() throws {
    let path = folder.path("ledger")
    for attempt in 1...3 {
      let ledger = try FleetLedger(path, plan: "p", shard: "1/2")
      let entry = ledger.add(LedgerEntry(store: "a", outcome: .failed)).entry
      #expect(entry.attempt == attempt && entry.shard == "1/2")
      try ledger.flush()
    }
    #expect(try entries(path).entries.map(\.attempt) == [1, 2, 3])
  }

  @Test func `a torn line stays by itself, and is told`() throws {
    let path = folder.path("ledger")
    let first = try FleetLedger(path, plan: "p", shard: nil)
    _ = first.add(LedgerEntry(store: "a", outcome: .migrated))
    _ = first.add(LedgerEntry(store: "b", outcome: .migrated))
    try first.flush()
    let whole = try bytes(of: path)
    for kept in [whole.count - 1, whole.count - 20, whole.count / 2 + 3] {
      try folder.write(Array(whole.prefix(kept)), to: "ledger")
      let next = try FleetLedger(path, plan: "p", shard: nil)
      let isLineBreak = kept == whole.count - 1
      #expect(next.warnings.all.map(\.code) == (isLineBreak ? [] : ["FLT-012"]))
      _ = next.add(LedgerEntry(store: "c", outcome: .migrated))
      try next.flush()
      let (found, torn) = try entries(path)
      #expect(found.map(\.store) == (isLineBreak ? ["a", "b", "c"] : ["a", "c"]))
      #expect(torn.all.first?.location?.line == (isLineBreak ? nil : 2))
    }
  }

  /// `cat` puts no break between a line that a killed run could not finish and the next ledger.
  @Test func `ledgers are put together wherever the first one was torn`() throws {
    func line(_ store: String) -> [UInt8] {
      var entry = LedgerEntry(store: store, outcome: .failed)
      entry.message = #"{ "store": "x" }"#
      return Array(entry.line.utf8)
    }
    let (first, next) = (line("a"), line("b") + line("c"))
    for kept in 0...first.count {
      let path = try folder.write(Array(first.prefix(kept)) + next, to: "both")
      let (found, torn) = try entries(path)
      let isWhole = kept >= first.count - 1
      #expect(found.map(\.store) == (isWhole ? ["a", "b", "c"] : ["b", "c"]), "\(kept)")
      #expect(torn.count == (isWhole || kept == 0 ? 0 : 1), "\(kept)")
    }
    let part = Array(first.prefix(60)) + [0, 0, 0]
    let path = try folder.write(part + part + next + part, to: "twice")
    let (found, torn) = try entries(path)
    #expect(found.map(\.store) == ["b", "c"] && torn.count == 3)
    for kept in [1, 6, 60] { #expect(LedgerReader.isLedger(Array(first.prefix(kept)) + next)) }
    let other = try folder.write(Array("x".utf8) + next, to: "other")
    #expect(code { _ = try entries(other) } == "FLT-011")
  }

  @Test(arguments: [false, true])
  func `a power failure may leave the length of lines without their bytes`(isBefore: Bool) throws {
    let line = LedgerEntry(store: "a", outcome: .migrated).line
    let zeros = String(repeating: "\0", count: 300)
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      isBefore ? zeros + line + zeros : line + zeros + "\n" + line, to: "l")
    let found = try entries(path)
    #expect(found.entries.count == (isBefore ? 1 : 2))
    #expect(found.torn.all.map(\.code) == (isBefore ? ["FLT-012", "FLT-012"] : ["FLT-012"]))
  }

  @Test func `runs that write at the same time lose no line`() throws {
    let path = folder.path("ledger")
    let ledgers = try (0..<4).map { _ in try FleetLedger(path, plan: "p", shard: nil) }
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      for line in 0..<200 {
        _ = ledgers[number].add(
          LedgerEntry(store: "\(number)/\(line)", outcome: .upToDate))
        if line.isMultiple(of: 7) { try? ledgers[number].flush() }
      }
      try? ledgers[number].flush()
    }
    #expect(Set(try entries(path).entries.map(\.store)).count == 800)
  }

  @Test func `a ledger of another plan and a file that is none are refused`() throws {
    let path = folder.path("ledger")
    let ledger = try FleetLedger(path, plan: "p", shard: nil)
    _ = ledger.add(LedgerEntry(store: "a", outcome: .migrated))
    try ledger.flush()
    #expect(code { _ = try FleetLedger(path, plan: "q", shard: nil) } == "FLT-010")
    for text in ["hello\n", "{}\n", "[1]", "{ \"store\": \"a\" }\n", "\n\nx"] {
      let other = try folder.write(text, to: "other")
      #expect(code { _ = try FleetLedger(other, plan: "p", shard: nil) } == "FLT-011", "\(text)")
      #expect(try bytes(of: other) == Array(text.utf8))
    }
    #expect(code { _ = try FleetLedger(folder.path, plan: "p", shard: nil) } == "FLT-011")
    #expect(
      code { _ = try FleetLedger(folder.path("no/ledger"), plan: "p", shard: nil) } == "RUN-003")
  }

  @Test func `failures are the stores whose last line is one`() throws {
    let path = folder.path("ledger")
    let ledger = try FleetLedger(path, plan: "p", shard: nil)
    func add(_ name: String, _ exitClass: Int32, _ code: String?) throws {
      var entry = LedgerEntry(store: name, outcome: exitClass == 0 ? .migrated : .failed)
      entry.exitClass = exitClass
      entry.code = code
      _ = ledger.add(entry)
    }
    try add("a", 40, "STO-105")
    try add("b", 30, "RUN-010")
    try add("c", 32, "RUN-012")
    try add("a", 0, nil)
    try add("b", 30, "RUN-011")
    try ledger.flush()
    func names(_ change: (inout LedgerFailures.Choice) -> Void) throws -> [String] {
      var choice = LedgerFailures.Choice()
      change(&choice)
      return try LedgerFailures([path], plan: "p", choice).names
    }
    #expect(try names { _ in } == ["c", "b"])
    #expect(try names { $0.classes = [30, 32] } == ["c", "b"])
    #expect(try names { $0.classes = [32] } == ["c"])
    #expect(try names { $0.codes = ["RUN-010"] } == [])
    #expect(try names { $0.codes = ["RUN-011"] } == ["b"])
    #expect(
      code {
        _ = try LedgerFailures([folder.path("none")], plan: "p", LedgerFailures.Choice())
      } == "FLT-011")
  }

  @Test func `the time says which line is the last, in whatever order ledgers are read`() throws {
    func line(_ name: String, _ time: String, _ exitClass: Int32) -> String {
      var entry = LedgerEntry(store: name, outcome: exitClass == 0 ? .migrated : .failed)
      (entry.time, entry.exitClass, entry.plan) = (time, exitClass, "p")
      return entry.line
    }
    let paths = ["first", "second"].map { folder.path($0) }
    try folder.write(
      line("mended", "2026-11-24T08:00:00Z", 30) + line("broken", "2026-11-24T08:00:00Z", 0),
      to: "first")
    try folder.write(
      line("mended", "2026-11-24T09:00:00Z", 0) + line("broken", "2026-11-24T09:00:00Z", 32),
      to: "second")
    for order in [paths, paths.reversed()] {
      let failures = try LedgerFailures(order, plan: "p", LedgerFailures.Choice())
      #expect(failures.names == ["broken"] && failures.count == 1)
    }
  }

  @Test func `a run without stores leaves an empty ledger`() throws {
    let path = folder.path("ledger")
    let ledger = try FleetLedger(path, plan: "p", shard: "2/3")
    try ledger.flush()
    #expect(!FileManager.default.fileExists(atPath: path))
    try ledger.flush(isLast: true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
    #expect(try LedgerFailures([path], plan: "p", LedgerFailures.Choice()).count == 0)
  }

  /// Whatever stands before its first whole line, it may be all that tells what became of the stores.
  @Test(arguments: [
    ("", true), ("\n", true), ("\u{0}\u{0}\u{0}", true), ("{ \"store\": \"a\n", true),
    ("# ", false),
  ])
  func `a ledger is known by a line`(before: String, isLedger: Bool) {
    #expect(LedgerReader.isLedger(Array((before + "{ \"store\": \"b\" }\n").utf8)) == isLedger)
  }
}
