import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// `--losses`: the gate of a pipeline.
struct LossCommandTests {
  /// The example without its steps, so that a mapping is inferred: its events would be left behind.
  private static func project() throws -> ExampleProject {
    let project = try ExampleProject()
    let history = try String(
      decoding: bytes(of: project.path("Migrations/history.json")), as: UTF8.self)
    try project.folder.write(
      history.replacing("\"from\": \"1\", \"to\": \"2\"", with: "\"from\": \"2\", \"to\": \"1\""),
      to: "Migrations/history.json")
    return project
  }

  @Test(arguments: [["run"], ["run", "--in-place"], ["run", "--dry-run"], ["plan"]])
  func `refuse is 43 and nothing is written`(command: [String]) throws {
    let project = try Self.project()
    let (names, bytes) = (project.names(), try project.sampleBytes())
    let call = command + ["--to", "2", "--infer", "--losses"]
    for losses in ["refuse", "*.printedDate"] {
      let outcome = try MigrateProcess.run(call + [losses], in: project.folder.path)
      #expect(outcome.status == 43)
      #expect(outcome.errors.contains("RUN-083"))
      #expect(outcome.errors.contains("Event.timeStamp"))
      #expect(project.names() == names)
      #expect(try project.sampleBytes() == bytes)
    }
    let json = try MigrateProcess.run(
      call + ["refuse", "--format", "json"], in: project.folder.path
    ).json
    #expect(json["error"]?["kind"]?.text == "valuesLost")
    #expect(json["error"]?["exitStatus"]?.number == 43)
  }

  /// A remedy that is printed must work when it is pasted.
  @Test func `the flag that the message names allows the loss`() throws {
    let project = try Self.project()
    let refused = try project.migrate("--to", "2", "--infer", "--losses", "refuse")
    let text = try #require(refused.errors.split(separator: "(--losses ").last)
    let list = String(text.prefix { $0 != ")" })
    #expect(list == "Event.timeStamp")
    let outcome = try project.migrate(
      "--to", "2", "--infer", "--losses", list, "--format", "json")
    #expect(outcome.status == 0)
    let json = try outcome.json
    let loss = try #require(json["losses"]?.elements.first)
    #expect(loss["name"]?.text == "Event.timeStamp")
    #expect(loss["reason"]?.text == "unread")
    let account = json["steps"]?[0]?["passes"]?[0]?["mappings"]?.elements.last
    #expect(account?["unread"]?["timeStamp"]?.number == loss["count"]?.number)
    // The new store says so itself.
    for command in [["status", "--store"], ["inspect"]] {
      let call = command + [ExampleProject.migrated]
      let text = try MigrateProcess.run(call, in: project.folder.path).output
      #expect(text.contains("Event.timeStamp: 1,875 unread values"))
      let record = try MigrateProcess.run(call + ["--format", "json"], in: project.folder.path)
        .json["record"]
      let kept = try #require(record?["migrations"]?[0]?["steps"]?[0]?["losses"]?[0])
      #expect(kept["property"]?.text == "timeStamp")
      #expect(kept["kind"]?.text == "unread")
      #expect(kept["values"]?.number == loss["count"]?.number)
    }
  }

  @Test func `the plan counts, and a wrong name is a wrong call`() throws {
    let project = try Self.project()
    let plan = try project.migrate("plan", "--to", "2", "--infer", "--format", "json")
    #expect(plan.status == 0)
    let loss = try plan.json["losses"]?[0]
    #expect(loss?["name"]?.text == "Event.timeStamp")
    #expect(loss?["count"]?.number == 1_875)
    for losses in ["Event.timestamp", "refuse,Event.timeStamp", "Event"] {
      let outcome = try project.migrate("--to", "2", "--infer", "--losses", losses)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("RUN-084"))
    }
    #expect(try project.migrate("--to", "2", "--infer", "--losses", "").status == 64)
  }

  @Test func `what policies read is not known, and the plan says so`() throws {
    let project = try ExampleProject()
    let plan = try project.migrate("plan", "--mappings", "StepOne,StepTwo")
    #expect(plan.output.contains("losses    not known") == plan.output.contains("policy    "))
    #expect(try project.migrate("--mappings", "StepOne,StepTwo", "--losses", "refuse").status == 0)
  }

  @Test func `a store migrated by an installation is held to the allowed losses too`() throws {
    let project = try Self.project()
    let call = [
      "install", "--from", ExampleProject.sample, "--to", "App.sqlite", "--to-version", "2",
    ]
    let refused = try MigrateProcess.run(
      call + ["--infer", "--losses", "refuse"], in: project.folder.path)
    #expect(refused.status == 43)
    #expect(!project.names().contains { $0.contains("App.sqlite") })
    let allowed = try MigrateProcess.run(
      call + ["--infer", "--losses", "Event.*", "--format", "json"], in: project.folder.path)
    #expect(allowed.status == 0)
    #expect(try allowed.json["losses"]?.elements.count == 1)
  }
}
