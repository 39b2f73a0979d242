import Foundation
import PassageFleets
import PassageStores
import TestSupport
import Testing

/// `migrate fleet report`.
struct FleetReportCommandTests {
  /// A project with the ledgers of two shards: three migrated stores, two that failed alike.
  private func project() throws -> ExampleProject {
    let project = try ExampleProject()
    let lines = (1...5).map { number in
      var entry = LedgerEntry(store: "\(number).sqlite", outcome: number < 4 ? .migrated : .failed)
      (entry.from, entry.to, entry.plan) = ("1", "2", "p")
      (entry.time, entry.counts.migrated, entry.seconds) = ("2026-11-24T10:00:00Z", 10, 0.02)
      if number > 3 {
        (entry.code, entry.message, entry.remedy) = ("STO-110", "it is damaged", "restore it")
        (entry.exitClass, entry.counts.migrated) = (40, 0)
      }
      return entry.line
    }
    try project.folder.write(lines.prefix(3).joined(), to: "fleet-1-of-2.jsonl")
    try project.folder.write(lines.suffix(2).joined(), to: "fleet-2-of-2.jsonl")
    return project
  }

  private static let call = ["fleet", "report", "fleet-1-of-2.jsonl", "fleet-2-of-2.jsonl"]

  @Test func `the ledgers of all shards are one report`() throws {
    let outcome = try project().migrate(Self.call)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("5 stores: 3 migrated, 2 failed\n"))
    for words in ["2 × STO-110, class 40: it is damaged", "try   restore it", "10 ms to 20 ms"] {
      #expect(outcome.output.components(separatedBy: words).count == 2, "\(words)")
    }
  }

  @Test func `programs are given the totals and failures`() throws {
    let json = try project().migrate(Self.call + ["--format", "json"]).json
    #expect(json["command"]?.text == "fleet report")
    #expect(json["stores"]?.number == 5)
    #expect(json["migrated"]?.number == 3)
    #expect(json["failed"]?.number == 2)
    #expect(json["failures"]?.elements.first?["count"]?.number == 2)
    #expect(json["totals"]?["migrated"]?.number == 30 && json["totals"]?["read"]?.number == 30)
  }

  @Test func `the extension of the file says the format, and a page may be written again`() throws {
    let project = try project()
    for (name, start) in [
      ("a.html", "<!doctype html>"), ("a.json", "{"), ("a.txt", "5 stores"), ("a.html", "<!doc"),
    ] {
      let outcome = try project.migrate(Self.call + ["--output", name])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output == "\(name): 5 stores: 3 migrated, 2 failed\n")
      let text = try String(contentsOfFile: project.path(name), encoding: .utf8)
      #expect(text.hasPrefix(start))
    }
  }

  @Test func `no other file is replaced, and a ledger not even by force`() throws {
    let project = try project()
    try project.folder.write("mine", to: "a.html")
    let other = try project.migrate(Self.call + ["--output", "a.html"])
    #expect(other.status == 64 && other.errors.contains("error[CMD-030]"))
    #expect(try String(contentsOfFile: project.path("a.html"), encoding: .utf8) == "mine")
    let ledger = try project.migrate(Self.call + ["--output", "fleet-2-of-2.jsonl", "--force"])
    #expect(ledger.status == 64 && ledger.errors.contains("error[FLT-054]"))
    #expect(try project.migrate(Self.call + ["--output", "a.html", "--force"]).status == 0)
  }

  private static let textKinds = [
    ("a.csv", "delimited"), ("a.records", "keyed"), ("a.jsonl", "json-lines"),
  ]

  @Test(arguments: textKinds)
  func `a file of text with settings beside it is a store, and never replaced`(
    name: String, kind: String
  ) throws {
    let project = try project()
    try project.folder.write("mine", to: name)
    try project.folder.write(#"{"type": "\#(kind)"}"#, to: name + ".store.json")
    let outcome = try project.migrate(Self.call + ["--output", name, "--force"])
    #expect(outcome.status == 64 && outcome.errors.contains("error[CMD-030]"), "\(outcome.errors)")
    #expect(try String(contentsOfFile: project.path(name), encoding: .utf8) == "mine")
    try FileManager.default.removeItem(atPath: project.path(name + ".store.json"))
    #expect(try project.migrate(Self.call + ["--output", name, "--force"]).status == 0)
  }

  @Test func `an XML store is never replaced`() throws {
    let project = try project()
    let text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE database SYSTEM \"file:\">\n<database></database>\n"
    try project.folder.write(text, to: "a.xml")
    let outcome = try project.migrate(Self.call + ["--output", "a.xml", "--force"])
    #expect(outcome.status == 64 && outcome.errors.contains("error[CMD-030]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("it is a Core Data XML store"))
    #expect(try String(contentsOfFile: project.path("a.xml"), encoding: .utf8) == text)
  }

  @Test func `a ledger that does not exist is refused`() throws {
    let outcome = try project().migrate("fleet", "report", "missing.jsonl")
    #expect(outcome.status == 64 && outcome.errors.contains("error[FLT-051]"))
  }
}
