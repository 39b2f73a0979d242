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
    #expect(outcome.output.contains("\"$schema\": \"Schemas/mapping.schema.json\""))
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
  func `what infer writes names the versions of the history, and can be planned`() throws {
    let project = try ExampleProject()
    let models = Self.models
    let written = try project.migrate(["infer", "--output", "Mappings/X.json"] + models)
    #expect(written.status == 0 && !written.errors.contains("history"), "\(written.errors)")
    let planned = try project.migrate("plan", "--mappings", "X")
    #expect(planned.status == 0, "\(planned.errors)")
    let elsewhere = try MigrateProcess.run(
      ["infer", "--from", "../Migrations/Events 1.json", "--to", "../Migrations/Events 2.json"]
        + ["--migrations", "../Migrations"], in: project.path("Mappings"))
    let mapping = try MappingDocument.decode(Array(elsewhere.output.utf8), file: "printed")
    #expect([mapping.source.value, mapping.destination.value] == ["1", "2"])
  }

  @Test
  func `models that no version has keep their names, and the reader is told`() throws {
    let project = try ExampleProject()
    let model = try ModelFile.read(path: project.path("Migrations/Events 2.json"))
    let entity = Entity(name: "New", attributes: [Attribute(name: "a", type: .string)])
    try project.folder.write(
      ModelDocument.encode(Model(name: "next", entities: model.entities + [entity])),
      to: "Next.json")
    let outcome = try project.migrate(
      "infer", "--from", "Migrations/Events 2.json", "--to", "Next.json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let mapping = try MappingDocument.decode(Array(outcome.output.utf8), file: "printed")
    #expect([mapping.source.value, mapping.destination.value] == ["2", "next"])
    #expect(outcome.errors.contains("“next” is the name of a model that no version"))
    try FileManager.default.removeItem(atPath: project.path("Migrations/history.json"))
    let both = try project.migrate(["infer"] + Self.models)
    #expect(both.errors.contains("“Events 1” and “Events 2” are the names of models"))
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
    for code in ["INF-004", "INF-005", "INF-102"] { #expect(outcome.errors.contains(code)) }
    #expect(outcome.errors.contains("--draft"))
  }

  @Test(arguments: [("1", "2", "STO-208"), ("2", "1", "STO-205")])
  func `infer tells that plan and run refuse a composite attribute`(
    from: String, to: String, code: String
  ) throws {
    let folder = try TemporaryDirectory()
    let name = Attribute(name: "name", type: .string)
    let size = Attribute(
      name: "size", type: .composite, elements: [Attribute(name: "width", type: .double)])
    for (version, attributes) in [("1", [name, size]), ("2", [name])] {
      let model = Model(name: version, entities: [Entity(name: "Box", attributes: attributes)])
      try folder.write(ModelDocument.encode(model), to: "\(version).json")
    }
    let outcome = try MigrateProcess.run(
      ["infer", "--from", "\(from).json", "--to", "\(to).json"], in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("plan and run refuse these models:"))
    #expect(outcome.errors.contains("  \(code)  Box.size is a composite attribute"))
  }

  /// A project whose second model cannot be inferred from the first.
  private func notInferable() throws -> ExampleProject {
    let project = try ExampleProject()
    let model = try ModelFile.read(path: project.path("Migrations/Events 1.json"))
    var entity = try #require(model.entity(named: "Event"))
    entity.attributes[0].type = .string
    try project.folder.write(
      ModelDocument.encode(Model(name: "Events 2", entities: [entity])),
      to: "Migrations/Events 2.json")
    return project
  }

  private static let models = [
    "--from", "Migrations/Events 1.json", "--to", "Migrations/Events 2.json",
  ]

  @Test
  func `a draft is printed, its marks are listed, and a plan refuses it at their places`() throws {
    let project = try notInferable()
    let printed = try project.migrate(["infer", "--draft"] + Self.models)
    #expect(printed.status == 0)
    #expect(printed.errors.contains("1 place is marked as a draft"))
    #expect(printed.errors.contains("IEM_Transform_Event.timeStamp  INF-004"))
    let text = printed.output
      .replacing("\"Events 1\"", with: "\"1\"").replacing("\"Events 2\"", with: "\"2\"")
    try project.folder.write(text, to: "Mappings/StepOne.json")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("\"draft\"") })
    let column = try #require(lines[line].range(of: "\"INF-004")).lowerBound
    let place =
      "Mappings/StepOne.json:\(line + 1):\(lines[line][..<column].unicodeScalars.count + 1)"
    for command in ["plan", "run"] {
      let refused = try project.migrate([command, "--mappings", "StepOne"])
      #expect(refused.status == 65)
      #expect(refused.errors.contains("error[MAP-040]"))
      #expect(refused.errors.contains(place))
    }
    let confirmed = try text.replacing(Regex(", \"draft\": \"[^\"]*\""), with: "")
    try project.folder.write(confirmed, to: "Mappings/StepOne.json")
    #expect(try project.migrate("plan", "--mappings", "StepOne").status == 0)
  }

  @Test
  func `a draft as JSON lists its marks`() throws {
    let json = try notInferable().migrate(["infer", "--draft", "--format", "json"] + Self.models)
      .json
    #expect(json["outcome"]?.text == "drafted")
    #expect(json["marks"]?[0]?["entityMapping"]?.text == "IEM_Transform_Event")
    #expect(json["marks"]?[0]?["property"]?.text == "timeStamp")
    #expect(json["marks"]?[0]?["reason"]?.text?.hasPrefix("INF-004") == true)
    #expect(json["marks"]?.elements.count == 1)
  }

  @Test
  func `a written mapping model has the name of its file, and its schema beside it`() throws {
    let project = try ExampleProject()
    let call = ["infer", "--output", "New/Upgrade.json"] + Self.models
    let outcome = try project.migrate(call)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("New/Upgrade.json"))
    let mapping = try MappingDocument.decode(
      bytes(of: project.path("New/Upgrade.json")), file: "Upgrade.json")
    #expect(mapping.name == "Upgrade")
    let text = String(decoding: try bytes(of: project.path("New/Upgrade.json")), as: UTF8.self)
    #expect(text.contains("\"$schema\": \"Schemas/mapping.schema.json\""))
    #expect(
      try bytes(of: project.path("New/Schemas/mapping.schema.json"))
        == bytes(of: Repository.file("Mappings/Schemas/mapping.schema.json")))
    // Again nothing changes; another file is not replaced.
    #expect(try project.migrate(call).output.contains("exists already"))
    try project.folder.write("{}", to: "New/Upgrade.json")
    #expect(try project.migrate(call).status == 64)
    #expect(try project.migrate(call + ["--force"]).status == 0)
  }

  @Test
  func `the name of a version is answered with the file of its model`() throws {
    let project = try NotesProject([NotesProject.old, NotesProject.wider])
    try #require(try project.migrate("init", NotesProject.bundle).status == 0)
    let named = try project.migrate("infer", "--from", "Notes 1", "--to", "Notes 2")
    #expect(named.status == 64 && named.errors.contains("MOD-100"), "\(named.errors)")
    let files = ["--from 'Migrations/Notes 1.json'", "--to 'Migrations/Notes 2.json'"]
    for file in files {
      #expect(named.errors.contains("that version of the history: \(file)\n"), "\(named.errors)")
    }
    let given = try BuiltPackage().shell(
      "migrate infer \(files.joined(separator: " "))", in: project.folder.path)
    #expect(given.status == 0, "\(given.errors)")
  }

  @Test
  func `a version that does not exist is answered with those that do`() throws {
    let project = try NotesProject([NotesProject.old, NotesProject.wider])
    try #require(try project.migrate("init", NotesProject.bundle).status == 0)
    try project.makeStore()
    for call in [["run", "--store", "Notes.sqlite"], ["rehearse"], ["check", "--record"]] {
      let wrong = try project.migrate(
        call + (call[0] == "check" ? ["Notes 3"] : ["--to", "Notes 3"]))
      #expect(wrong.status == 64)
      #expect(wrong.errors.contains("use one of: Notes 1, Notes 2\n"), "\(wrong.errors)")
    }
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
