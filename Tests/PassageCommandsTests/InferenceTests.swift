import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// `infer`, and `run --infer`.
struct InferenceTests {
  @Test
  func `what infer prints is a mapping model to put among the others`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate(
      "infer", "--from", "Migrations/Events 1.json", "--to", "Migrations/Events 2.json")
    #expect(outcome.status == 0)
    let mapping = try MappingDocument.decode(Array(outcome.output.utf8), file: "printed")
    #expect(
      mapping.entityMappings.map(\.name.value) == [
        "IEM_Add_EventPrintedDate", "IEM_Add_EventTimestamp", "IEM_Remove_Event",
      ])
    let json = try project.migrate(
      "infer", "--from", "Migrations/Events 1.json", "--to", "Migrations/Events 2.json",
      "--format", "json"
    ).json
    #expect(json["outcome"]?.text == "inferred")
    #expect(json["mappingModel"]?["entityMappings"]?.elements.count == 3)
  }

  @Test
  func `what cannot be inferred is listed, and the exit status is 22`() throws {
    let project = try ExampleProject()
    let model = try ModelFile.read(path: project.path("Migrations/Events 1.json"))
    var entity = try #require(model.entity(named: "Event"))
    entity.attributes[0].type = .string
    entity.attributes.append(Attribute(name: "place", type: .string, isOptional: false))
    try project.folder.write(
      ModelDocument.encode(Model(name: "other", entities: [entity])), to: "Other.json")
    let outcome = try project.migrate(
      "infer", "--from", "Migrations/Events 1.json", "--to", "Other.json")
    #expect(outcome.status == 22)
    #expect(outcome.output.isEmpty)
    for code in ["INF-004", "INF-005"] { #expect(outcome.errors.contains(code)) }
  }

  @Test
  func `a run says what was inferred and what is left behind`() throws {
    let project = try ExampleProject()
    let history = try String(
      decoding: bytes(of: project.path("Migrations/history.json")), as: UTF8.self)
    try project.folder.write(
      history.replacing("\"from\": \"1\", \"to\": \"2\"", with: "\"from\": \"2\", \"to\": \"1\""),
      to: "Migrations/history.json")
    let plan = try project.migrate("plan", "--to", "2", "--infer")
    #expect(plan.status == 0)
    #expect(plan.output.contains("(inferred)"))
    let json = try project.migrate("--to", "2", "--infer", "--format", "json").json
    #expect(json["outcome"]?.text == "migrated")
    #expect(json["steps"]?[0]?["passes"]?[0]?["isInferred"]?.truth == true)
    let codes = json["warnings"]?.elements.compactMap { $0["code"]?.text }
    #expect(codes == ["INF-100", "INF-101", "RUN-081"])
    #expect(try project.migratedContents().objects.isEmpty)
  }
}
