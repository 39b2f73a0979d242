import Foundation
import PassageTesting
import TestSupport
import Testing

/// A fleet in place whose pattern matches more than its stores.
struct FleetPatternTests {
  private let project: FleetProject

  init() throws { project = try FleetProject(stores: 2) }

  private func run(_ pattern: String, _ arguments: String...) throws -> MigrateProcess.Outcome {
    try project.example.migrate(
      ["fleet", "run", "--stores", pattern, "--mappings", "StepOne,StepTwo", "--in-place"]
        + ["--format", "json"] + arguments)
  }

  @Test(arguments: [[], ["--backup-dir", "data/old"]])
  func `a second run leaves kept stores as they are`(arguments: [String]) throws {
    try FileManager.default.createDirectory(
      atPath: project.path("data/old"), withIntermediateDirectories: true)
    func run(_ more: String...) throws -> MigrateProcess.Outcome {
      try project.example.migrate(
        ["fleet", "run", "--stores", "data/*/*", "--mappings", "StepOne,StepTwo", "--in-place"]
          + ["--format", "json"] + arguments + more)
    }
    let first = try run()
    #expect(first.status == 0, "\(first.output)")
    #expect(try first.json["migrated"]?.number == 2 && first.json["leftOut"]?.number == 0)
    let kept = project.example.folder.everything.filter { $0.contains(".before-") }
    #expect(kept.count == 2)
    let before = try kept.map { try bytes(of: project.path($0)) }
    let again = try run()
    #expect(again.status == 0, "\(again.output)")
    #expect(try again.json["upToDate"]?.number == 2 && again.json["stores"]?.number == 2)
    #expect(try again.json["leftOut"]?.number == 2)
    #expect(try kept.map { try bytes(of: project.path($0)) } == before)
  }

  @Test func `a run that was interrupted goes on with the same pattern`() throws {
    let call =
      ["fleet", "run", "--stores", "data/*/*", "--mappings", "StepOne,StepTwo", "--in-place"]
    #expect(try project.example.migrate(call).status == 0)
    try project.addStore(2)
    try FileManager.default.createDirectory(
      atPath: project.path(FleetProject.name(1) + ".passage"), withIntermediateDirectories: true)
    let again = try project.example.migrate(call)
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.output.contains("migrated    1") && again.output.contains("up to date  1"))
    #expect(again.output.contains("left out    3 files beside stores"))
    let status = try project.example.migrate([
      "fleet", "status", "--stores", "data/*/*", "--mappings", "StepOne,StepTwo",
    ])
    #expect(status.status == 0 && status.output.contains("left out    4 files beside stores"))
  }

  @Test func `a kept store that is named is refused`() throws {
    #expect(try run("data/*/App.sqlite").status == 0)
    let outcome = try run("data/*/App.sqlite", "--stores", "data/1/App.sqlite.before-1")
    #expect(outcome.status == 64)
    #expect(try outcome.json["error"]?["diagnostics"]?[0]?["code"]?.text == "FLT-005")
  }

  /// The line in the ledger, and the exit status, are those of any store that failed.
  @Test func `a missing store that is alone is a failure of its shard and of a retry`() throws {
    try project.example.folder.write(
      "data/1/App.sqlite\ndata/2/App.sqlite\ndata/3/App.sqlite\n", to: "list")
    let way = ["--mappings", "StepOne,StepTwo", "--in-place", "--format", "json"]
    var statuses: [Int32] = []
    for number in 1...16 {
      let outcome = try project.example.migrate(
        ["fleet", "run", "--stores-from", "list", "--shard", "\(number)/16", "--ledger", "ledger"]
          + way)
      statuses.append(outcome.status)
    }
    #expect(statuses.filter { $0 != 0 } == [50])
    #expect(try project.lines("ledger").count == 3)
    for count in 4...5 {
      let retry = try project.example.migrate(["fleet", "retry", "--ledger", "ledger"] + way)
      #expect(retry.status == 50, "\(retry.errors)")
      #expect(try retry.json["stores"]?.number == 1 && retry.json["failed"]?.number == 1)
      #expect(try project.lines("ledger").count == count)
    }
  }
}
