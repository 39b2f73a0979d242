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
}
