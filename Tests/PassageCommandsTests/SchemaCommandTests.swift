import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// `schema`: what editors complete and check from.
struct SchemaCommandTests {
  private static let general = [
    "Mappings/Schemas/mapping.schema.json", "Migrations/Schemas/history.schema.json",
    "Migrations/Schemas/model.schema.json", "Migrations/Schemas/store.schema.json",
  ]

  @Test(arguments: general)
  func `the program has the schemas of the repository`(_ path: String) throws {
    let kind = try #require(path.split(separator: "/").last?.prefix { $0 != "." })
    let project = try ExampleProject()
    let printed = try project.migrate("schema", String(kind))
    #expect(printed.status == 0)
    #expect(try printed.output == Repository.text(path))
  }

  @Test func `all schemas are written into a project, and kept if they differ`() throws {
    let project = try ExampleProject()
    let made = try project.migrate("schema", "--output", ".")
    #expect(made.status == 0)
    #expect(made.output.hasSuffix(" to the working directory.\n"), "\(made.output)")
    for path in Self.general {
      #expect(try bytes(of: project.path(path)) == bytes(of: Repository.file(path)))
    }
    try project.folder.write("{}", to: Self.general[0])
    let kept = try project.migrate("schema", "--output", ".", "--format", "json").json
    #expect(kept["outcome"]?.text == "written")
    #expect(
      kept["files"]?.elements.compactMap { $0["state"]?.text }
        == ["kept", "unchanged", "unchanged", "unchanged"])
    #expect(try project.migrate("schema", "--output", ".", "--force").status == 0)
    #expect(
      try bytes(of: project.path(Self.general[0])) == bytes(of: Repository.file(Self.general[0])))
  }

  // MARK: Names

  /// The schema with the names of the example's models.
  private func named() throws -> SchemaCheck {
    let printed = try ExampleProject().migrate(
      "schema", "--for", "Migrations/Events 1.json,Migrations/Events 2.json")
    #expect(printed.status == 0)
    return SchemaCheck(root: try printed.json)
  }

  @Test(arguments: ["StepOne", "StepTwo"])
  func `the example's mapping models are valid in the schema with names`(name: String) throws {
    let path = "Mappings/\(name).json"
    let document = try JSONParser.parse(Array(Repository.text(path).utf8), file: path)
    #expect(try named().mistakes(in: document) == [])
  }

  @Test(arguments: [
    (
      #""source": "Event", "destination": "EventTimestamp", "attributes": {"timestamp": "1"}"#, true
    ),
    (#""source": "Evnt", "destination": "EventTimestamp""#, false),
    (#""source": "Event", "destination": "Event""#, false),
    (
      #""source": "Event", "destination": "EventTimestamp", "attributes": {"timeStamp": {}}"#, false
    ),
    (
      #""source": "Event", "destination": "EventPrintedDate", "attributes": {"timestamp": "1"}"#,
      false
    ),
    (#""source": "Event", "destination": "EventPrintedDate", "relationships": {"a": {}}"#, false),
    (#""source": "Event", "destination": "EventPrintedDate", "atributes": {}"#, false),
  ])
  func `the schema with names finds names that do not exist`(
    _ members: String, _ isValid: Bool
  ) throws {
    let text = """
      {"source": "1", "destination": "2", "entityMappings": [{"type": "transform", \(members)}]}
      """
    let document = try JSONParser.parse(Array(text.utf8), file: "m.json")
    #expect(try named().mistakes(in: document).isEmpty == isValid)
  }

  /// Whether Python has the package that checks JSON Schemas.
  private static let hasValidator: Bool = {
    let outcome = try? ChildProgram.run(
      "/usr/bin/env", ["python3", "-c", "import jsonschema"], in: "/")
    return outcome?.status == 0
  }()

  @Test(.enabled(if: hasValidator))
  func `the validator of Python agrees`() throws {
    let project = try ExampleProject()
    #expect(
      try project.migrate(
        "schema", "--for", "Migrations/Events 1.json,Migrations/Events 2.json", "--output", "."
      ).status == 0)
    let broken = try Repository.text("Mappings/StepTwo.json").replacing(
      "\"Event\"", with: "\"Evnt\"")
    try project.folder.write(broken, to: "Mappings/Broken.json")
    let program = """
      import json, jsonschema, sys
      for schema in sys.argv[1:3]:
        schema = json.load(open(schema))
        jsonschema.Draft202012Validator.check_schema(schema)
        for name in sys.argv[3:]:
          valid = jsonschema.Draft202012Validator(schema).is_valid(json.load(open(name)))
          print(valid)
      """
    let outcome = try ChildProgram.run(
      "/usr/bin/env",
      [
        "python3", "-c", program, Repository.file("Mappings/Schemas/mapping.schema.json"),
        "Mappings/Schemas/Events 1 to Events 2.schema.json", "Mappings/StepOne.json",
        "Mappings/StepTwo.json", "Mappings/Broken.json",
      ], in: project.folder.path)
    #expect(outcome.output == "True\nTrue\nTrue\nTrue\nTrue\nFalse\n")
  }

  @Test func `editors find descriptions and examples with the names`() throws {
    let root = try named().root
    let rules = try #require(root["$defs"]?["entityMapping"]?["allOf"]).elements
    let texts = rules.map { "\($0)" }
    #expect(texts.contains { $0.contains("date") || $0.contains("double") })
    let source = try #require(
      rules.first { $0["if"]?["properties"]?["source"]?["const"]?.text == "Event" })
    #expect(
      source["then"]?["properties"]?["attributes"]?["additionalProperties"]?["examples"]?.elements
        .compactMap(\.text) == ["$source.timeStamp"])
    #expect(root["$defs"]?["entityMapping"]?["properties"]?["source"]?["enum"]?[0]?.text == "Event")
  }

  @Test(arguments: [
    (["schema", "model", "--for", "Migrations/Events 1.json"], "CMD-041", Int32(64)),
    (["schema", "--for", "a,b,c"], "CMD-042", 64), (["schema", "--for", "a,"], "CMD-042", 64),
    (["schema", "--for", "missing.json"], "MOD-", 64),
    (["schema", "tables"], "“mapping”, “model”", 64),
  ])
  func `a wrong call is refused`(_ call: [String], _ code: String, _ status: Int32) throws {
    let outcome = try ExampleProject().migrate(call)
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(code))
    #expect(outcome.output.isEmpty)
  }

  /// Each of 200 subentities repeats 100 names, almost the longest that there can be.
  @Test(arguments: [[], ["--output", "."]])
  func `a schema that would be too large is refused before it is made`(_ more: [String]) throws {
    let attributes = (0..<100).map {
      #"{"name": "a\#($0)\#(String(repeating: "b", count: 990))", "type": "string"}"#
    }
    let subentities = (0..<200).map { #"{"name": "E\#($0)", "parent": "P"}"# }
    let project = try ExampleProject()
    try project.folder.write(
      """
      {"name": "m", "entities": [{"name": "P", "attributes": [\(attributes.joined(separator: ","))]},
      \(subentities.joined(separator: ","))]}
      """, to: "m.json")
    let outcome = try project.migrate(["schema", "--for", "m.json"] + more)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("CMD-098"))
    #expect(outcome.output.isEmpty)
  }
}
