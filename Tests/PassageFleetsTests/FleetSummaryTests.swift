import Foundation
import PassageDiagnostics
import PassageEngine
import PassageFleets
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// What ledgers say of a fleet.
struct FleetSummaryTests {
  private func entry(
    _ store: String, _ outcome: LedgerEntry.Outcome, time: Int = 0, plan: String = "p",
    code: String = "STO-110"
  ) -> LedgerEntry {
    var entry = LedgerEntry(store: store, outcome: outcome)
    entry.time = "2026-11-24T10:00:\(time < 10 ? "0" : "")\(time)Z"
    entry.plan = plan
    (entry.from, entry.to) = ("1", "2")
    if outcome == .failed {
      (entry.code, entry.exitClass) = (code, 40)
      (entry.message, entry.remedy) = ("\(store) is damaged", "restore \(store)")
    }
    if outcome == .migrated { (entry.counts.migrated, entry.seconds) = (10, 0.5) }
    return entry
  }

  private func summary(_ ledgers: [LedgerEntry]...) throws -> FleetSummary {
    let folder = try TemporaryDirectory()
    let paths = try ledgers.enumerated().map { number, entries in
      try folder.write(entries.map(\.line).joined(), to: "\(number).jsonl")
      return folder.path("\(number).jsonl")
    }
    return try FleetSummary(reading: paths)
  }

  @Test func `the latest line about a store counts, in whichever ledger it is`() throws {
    let summary = try summary(
      [entry("a", .migrated, time: 5), entry("b", .failed, time: 6)],
      [entry("a", .failed, time: 1), entry("b", .migrated, time: 9), entry("c", .upToDate)])
    #expect(summary.totals.migrated == 2)
    #expect(summary.totals.upToDate == 1)
    #expect(summary.totals.failed == 0)
    #expect(summary.totals.counts.migrated == 20)
    #expect(summary.ledgers.map(\.lines) == [2, 3])
  }

  @Test func `of lines of one second the one that is read last counts`() throws {
    #expect(try summary([entry("a", .migrated), entry("a", .failed)]).totals.failed == 1)
    #expect(try summary([entry("a", .failed), entry("a", .migrated)]).totals.migrated == 1)
  }

  @Test func `a look at a store that is done does not hide its migration`() throws {
    let looked = try summary(
      [entry("a", .migrated, time: 1), entry("a", .upToDate, time: 2)],
      [entry("b", .upToDate, time: 9)], [entry("b", .migrated, time: 3)])
    #expect(looked.totals.migrated == 2)
    #expect(looked.totals.counts.migrated == 20)
    let damaged = try summary([
      entry("a", .migrated, time: 1), entry("a", .failed, time: 2), entry("a", .upToDate, time: 3),
    ])
    #expect(damaged.totals.migrated == 1 && damaged.totals.failed == 0)
  }

  @Test func `another runner's refusal does not hide the migration of that second`() throws {
    var refusal = entry("a", .failed, code: "RUN-010")
    refusal.exitClass = 30
    #expect(try summary([entry("a", .migrated)], [refusal]).totals.migrated == 1)
    #expect(try summary([refusal], [entry("a", .migrated)]).totals.migrated == 1)
    #expect(try summary([entry("a", .migrated)], [entry("a", .failed)]).totals.failed == 1)
  }

  @Test func `failures of one code are one group with one remedy`() throws {
    let summary = try summary([
      entry("a", .failed), entry("b", .failed), entry("c", .failed, code: "STO-105"),
    ])
    #expect(summary.totals.failures.map(\.count) == [2, 1])
    #expect(summary.totals.failures.first?.remedy == "restore a")
    #expect(summary.totals.failures.first?.example == "a")
  }

  @Test func `lines of another way are left out and told`() throws {
    let summary = try summary(
      [entry("a", .failed, time: 1, plan: "old"), entry("a", .migrated, time: 2)],
      [entry("b", .failed, time: 1, plan: "old")])
    #expect(summary.plan == "p")
    #expect(summary.totals.done == 1)
    #expect(summary.ledgers.map(\.linesOfOtherPlans) == [1, 1])
    #expect(summary.warnings.all.map(\.code) == ["FLT-052", "FLT-052"])
  }

  @Test func `a line that was not written to its end is told`() throws {
    let folder = try TemporaryDirectory()
    let line = entry("a", .migrated).line
    try folder.write(line + line.prefix(40), to: "a.jsonl")
    let summary = try FleetSummary(reading: [folder.path("a.jsonl"), folder.path("a.jsonl")])
    #expect(summary.totals.migrated == 1)
    #expect(summary.ledgers.map(\.tornLines) == [1])
    #expect(summary.warnings.all.map(\.code) == ["FLT-012"])
  }

  @Test func `a ledger that does not exist is refused, and so is a file that is none`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("hello\n", to: "hello")
    for (name, code) in [("missing", "FLT-051"), ("hello", "FLT-011"), (".", "FLT-011")] {
      let error = #expect(throws: MigrationError.self) {
        try FleetSummary(reading: [folder.path(name)])
      }
      #expect(error?.diagnostics.all.first?.code == code)
      #expect(error?.kind == .wrongCall)
    }
  }

  @Test func `an empty ledger says nothing of any store`() throws {
    let summary = try summary([])
    #expect(summary.totals.done == 0)
    #expect(summary.plan == nil)
    #expect(summary.times.shown.isEmpty)
  }

  @Test func `the slowest stores are named, the slowest first`() throws {
    let entries = (0..<40).map { number in
      var entry = entry("\(number)", .migrated)
      entry.seconds = Double((number * 7) % 40)
      return entry
    }
    let summary = try summary(entries)
    #expect(summary.slowest.map(\.seconds) == (30..<40).reversed().map(Double.init))
  }
}

/// The bins of times.
struct TimeHistogramTests {
  @Test(arguments: [
    (0.0, "up to 1 ms"), (0.001, "up to 1 ms"), (0.0011, "1 ms to 2 ms"), (0.2, "100 ms to 200 ms"),
    (999, "8 min 20 s to 16 min 40 s"), (5_000, "over 16 min 40 s"),
  ])
  func `a time is in the bin whose limit it does not exceed`(seconds: Double, name: String) {
    var times = TimeHistogram()
    times.add(seconds)
    #expect(times.shownNames == [name])
    #expect(times.shown.map(\.count) == [1])
  }

  @Test func `bins between others are shown though they are empty`() {
    var times = TimeHistogram()
    for seconds in [0.004, 0.03, 0.03] { times.add(seconds) }
    #expect(times.shown.map(\.count) == [1, 0, 0, 2])
    #expect(times.shownNames.first == "2 ms to 5 ms")
  }
}
