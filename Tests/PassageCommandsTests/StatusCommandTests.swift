import PassageTesting
import TestSupport
import Testing

/// The command that `status` suggests.
struct StatusCommandTests {
  @Test(arguments: [
    ("StepOne", "migrate --mappings StepOne,StepTwo"), ("Step, One", "migrate --to 2"),
    ("-One", "migrate --mappings=-One,StepTwo"), ("- One", "migrate '--mappings=- One,StepTwo'"),
  ])
  func `names of mapping models are suggested so that they are taken`(
    _ name: String, _ command: String
  ) throws {
    let project = try ExampleProject()
    let path = "Migrations/history.json"
    let history = try String(decoding: bytes(of: project.path(path)), as: UTF8.self)
    try project.folder.write(history.replacing("\"StepOne\"", with: "\"\(name)\""), to: path)
    let status = try project.migrate("status")
    #expect(status.output.contains("needs migrating: \(command)\n"), "\(status.output)")
  }

  /// The steps after the first version: mapping models, or none for one that is inferred.
  @Test(arguments: [
    ([["StepOne", "StepTwo"], []], "migrate --to 3 --infer"), ([[]], "migrate --to 2 --infer"),
    ([["StepOne", "StepTwo"]], "migrate --mappings StepOne,StepTwo"),
  ])
  func `a way with an inferred step is suggested by its version`(
    _ steps: [[String]], _ command: String
  ) throws {
    let project = try ExampleProject()
    let model = try String(
      decoding: bytes(of: project.path("Migrations/Events 2.json")), as: UTF8.self)
    let name = #"{ "name": "timestamp", "type": "double" }"#
    try project.folder.write(
      model.replacing(name, with: name + #", { "name": "place", "type": "string" }"#),
      to: "Migrations/Events 3.json")
    let versions = (1...steps.count + 1).map {
      #"{"name": "\#($0)", "model": "Events \#($0).json"}"#
    }
    let listed = steps.enumerated().map { index, names in
      #"{"from": "\#(index + 1)", "to": "\#(index + 2)", "mappings": \#(names)}"#
    }
    try project.folder.write(
      #"{"store": "Sample/Events.sqlite", "versions": [\#(versions.joined(separator: ","))], "#
        + #""steps": [\#(listed.joined(separator: ","))]}"#, to: "Migrations/history.json")
    let status = try project.migrate("status")
    #expect(status.status == 10)
    #expect(status.output.contains("needs migrating: \(command)\n"), "\(status.output)")
    let json = try project.migrate("status", "--format", "json").json
    #expect(json["needsInference"]?.truth == steps.contains([]))
    #expect(json["mappings"]?.elements.map(\.text) == steps.flatMap { $0 })
    if steps.count == 2 {
      let outcome = try project.migrate(command.split(separator: " ").dropFirst().map(String.init))
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try project.migrate("status", "--store", ExampleProject.migrated).status == 0)
    }
  }

  @Test(arguments: [["status"], [], ["plan"], ["restore", "--list"]])
  func `a folder without a history is told to have none`(_ call: [String]) throws {
    let folder = try TemporaryDirectory()
    let outcome = try MigrateProcess.run(call, in: folder.path)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("error[CMD-004]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("there is no history.json in “Migrations” that could name one"))
  }

  @Test func `a history with a version of no name is refused at its place`() throws {
    let project = try ExampleProject()
    try project.folder.write(
      #"{"versions": [{"name": "", "model": "Events 1.json"}], "steps": []}"#,
      to: "Migrations/history.json")
    let outcome = try project.migrate("status", "--store", ExampleProject.sample)
    #expect(outcome.status == 65 && outcome.errors.contains("error[PLN-001]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("Migrations/history.json:1:24"), "\(outcome.errors)")
  }

  @Test func `a run with nothing to do says that it has not written the named file`() throws {
    let project = try ExampleProject()
    let call = ["--store", ExampleProject.sample, "--to", "1"]
    let named = try project.migrate(call + ["--output", "New.sqlite"])
    #expect(named.status == 0)
    #expect(named.output.hasSuffix("already. New.sqlite was not written.\n"), "\(named.output)")
    #expect(try project.migrate(call).output.hasSuffix("already.\n"))
  }

  @Test func `verify before the first run says to run it`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate("verify")
    #expect(outcome.status == 64 && outcome.errors.contains("error[STO-101]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("try   run migrate first, which makes it"))
    let named = try project.migrate("verify", "--output", "None.sqlite")
    #expect(named.status == 64 && !named.errors.contains("run migrate first"))
  }

  @Test func `mapping models are found by equal names, and without their extension`() throws {
    let project = try ExampleProject()
    let text = try String(decoding: bytes(of: project.path("Mappings/StepOne.json")), as: UTF8.self)
    try project.folder.write(text, to: "Mappings/Gr\u{F6}\u{DF}e.json")
    let decomposed = try project.migrate("plan", "--mappings", "Gro\u{308}\u{DF}e,StepTwo")
    #expect(decomposed.status == 0, "\(decomposed.errors)")
    let file = try project.migrate("plan", "--mappings", "StepOne.json,StepTwo")
    #expect(file.status == 64 && file.errors.contains("did you mean “StepOne”?"), "\(file.errors)")
  }
}
