import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// `--log FILE`.
struct CallLogTests {
  private func events(_ project: ExampleProject, _ name: String = "run.jsonl") throws -> [JSONNode]
  {
    let text = try String(contentsOfFile: project.path(name), encoding: .utf8)
    return try text.split(separator: "\n").map {
      try JSONParser.parse(Array($0.utf8), file: name)
    }
  }

  private static let main = ["--mappings", "StepOne,StepTwo", "--log", "run.jsonl"]

  @Test func `a run is logged from its start to its end`() throws {
    let project = try ExampleProject()
    #expect(try project.migrate(Self.main).status == 0)
    let events = try events(project)
    #expect(
      events.compactMap { $0["event"]?.text }.filter { $0 != "progress" } == [
        "started", "plan", "passStarted", "passFinished", "passStarted", "passFinished", "finished",
      ])
    #expect(
      events.allSatisfy { $0["time"]?.text?.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) == true })
    let finished = events.filter { $0["event"]?.text == "passFinished" }
    #expect(finished.map { $0["name"]?.text } == ["StepOne", "StepTwo"])
    #expect(finished.map { $0["read"]?.number } == [2_000, 2_000])
    #expect(events.last?["outcome"]?.text == "migrated")
    #expect(events.last?["exitStatus"]?.number == 0)
    let mode = try FileManager.default.attributesOfItem(atPath: project.path("run.jsonl"))[
      .posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `a log is appended to, and a failure is in it`() throws {
    let project = try ExampleProject()
    #expect(try project.migrate(Self.main).status == 0)
    let before = try events(project).count
    let failed = try project.migrate(["--mappings", "Missing", "--log", "run.jsonl"])
    let events = try events(project)
    #expect(events.count == before + 2)
    #expect(events.last?["event"]?.text == "failed")
    #expect(events.last?["exitStatus"]?.number == Int(failed.status))
    #expect(failed.status != 0)
    #expect(failed.errors.contains(try #require(events.last?["code"]?.text)))
  }

  @Test func `a log that cannot be written changes nothing but a warning`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate(
      "--mappings", "StepOne,StepTwo", "--log", "nowhere/run.jsonl")
    #expect(outcome.status == 0)
    #expect(outcome.errors.hasPrefix("warning[CMD-081]"))
    #expect(outcome.errors.components(separatedBy: "CMD-081").count == 2)
    #expect(project.names().contains(ExampleProject.migrated))
  }

  @Test(arguments: [
    ExampleProject.sample, "Mappings/StepOne.json", ".", "out.sqlite", "out.sqlite-wal",
  ])
  func `a file that is not a log is not touched`(name: String) throws {
    let project = try ExampleProject()
    let before = FileManager.default.contents(atPath: project.path(name))
    let outcome = try project.migrate(
      "--mappings", "StepOne,StepTwo", "--output", "out.sqlite", "--log", name)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("CMD-082"))
    #expect(FileManager.default.contents(atPath: project.path(name)) == before)
    #expect(!project.names().contains("out.sqlite"))
  }

  @Test func `a verification is logged with what it found`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    let call = ["verify", "--mappings", "StepOne,StepTwo", "--log", "verify.jsonl"]
    #expect(try project.migrate(call).status == 0)
    let good = try events(project, "verify.jsonl")
    #expect(good.first?["event"]?.text == "started" && good.first?["command"]?.text == "verify")
    #expect(good.last?["event"]?.text == "finished" && good.last?["exitStatus"]?.number == 0)
    try project.change(ExampleProject.migrated, "DELETE FROM ZEVENTTIMESTAMP WHERE Z_PK = 1")
    #expect(try project.migrate(call).status == 42)
    let all = try events(project, "verify.jsonl")
    #expect(all.count > good.count && all.last?["exitStatus"]?.number == 42)
  }

  @Test func `an installation is logged, and so is one that is refused`() throws {
    let project = try ExampleProject()
    let call = [
      "install", "--store", ExampleProject.sample, "--output", "app.sqlite", "--to", "1", "--log",
      "install.jsonl",
    ]
    #expect(try project.migrate(call).status == 0)
    let good = try events(project, "install.jsonl")
    #expect(good.first?["event"]?.text == "started" && good.first?["command"]?.text == "install")
    #expect(good.last?["event"]?.text == "finished" && good.last?["exitStatus"]?.number == 0)
    let refused = try project.migrate([
      "install", "--store", "none.sqlite", "--output", "other.sqlite", "--log", "install.jsonl",
    ])
    let all = try events(project, "install.jsonl")
    #expect(refused.status != 0 && all.count > good.count)
    #expect(all.last?["event"]?.text == "failed")
    #expect(all.last?["exitStatus"]?.number == Int(refused.status))
  }

  @Test(arguments: ["verify", "install"])
  func `a log that belongs to a store of another command is refused`(command: String) throws {
    let project = try ExampleProject()
    let outcome = try project.migrate([
      command, "--store", ExampleProject.sample, "--output", "out.sqlite", "--log",
      ExampleProject.sample,
    ])
    #expect(outcome.status == 64 && outcome.errors.contains("CMD-082"), "\(outcome.errors)")
    #expect(!project.names().contains("out.sqlite"))
  }

  /// Of the stores of a fleet, and of results that are not there yet.
  @Test func `a fleet's log is its own file`() throws {
    let project = try FleetProject(stores: 2)
    try FileManager.default.createDirectory(
      atPath: project.path("out"), withIntermediateDirectories: true)
    let call =
      ["fleet", "run", "--stores", "data/*/App.sqlite", "--mappings", "StepOne,StepTwo"]
      + ["--output-dir", "out", "--base", "data", "--log"]
    let before = project.example.names()
    for name in ["out/2/App.sqlite", "out/1/App.sqlite-journal", "data/1/App.sqlite-journal"] {
      let refused = try project.example.migrate(call + [name])
      #expect(refused.status == 64 && refused.errors.contains("CMD-082"), "\(refused.errors)")
    }
    #expect(project.example.names() == before)
    #expect(try project.example.migrate(call + ["run.jsonl"]).status == 0)
    let retry = ["fleet", "retry", "--log", "run.jsonl", "--mappings", "StepOne,StepTwo"]
    #expect(
      try project.example.migrate(retry + ["--in-place", "--output-dir", "out"]).status == 64)
    #expect(try project.example.migrate(retry + ["--output-dir", "out"]).status == 0)
    #expect(
      try events(project.example).compactMap { $0["event"]?.text } == [
        "started", "finished", "started", "failed", "started", "finished",
      ])
  }
}
