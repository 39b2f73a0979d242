import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// `convert`: models and mapping models of other formats as this project's JSON.
struct ConvertTests {
  /// Two versions of a model as Xcode writes them, and a mapping model between them.
  private struct App {
    let folder: TemporaryDirectory
    static let bundle = "Shop.xcdatamodeld"
    static let mapping = "Move.xcmappingmodel"

    init() throws {
      folder = try TemporaryDirectory()
      try model("Shop 1", attributes: ["name"])
      try model("Shop 2", attributes: ["name", "city"])
      try mapping(Self.mapping)
    }

    func model(_ name: String, attributes: [String]) throws {
      let lines = attributes.map {
        "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
      }
      try write(
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Maker" representedClassName="Maker">\(lines.joined())</entity>
        </model>
        """, to: "\(Self.bundle)/\(name).xcdatamodel/contents")
    }

    /// - Parameter policy: a class that the entity mapping names.
    func mapping(_ bundle: String, policy: String? = nil) throws {
      let policy =
        policy.map {
          "<attribute name=\"migrationpolicyclassname\" type=\"string\">\($0)</attribute>"
        } ?? ""
      try write(
        """
        <?xml version="1.0" standalone="yes"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
        <database>
          <object type="XDDEVMAPPINGMODEL" id="z1">
            <attribute name="sourcemodelpath" type="string">Shop 1.xcdatamodel</attribute>
            <attribute name="destinationmodelpath" type="string">Shop 2.xcdatamodel</attribute>
            <relationship name="entitymappings" destination="XDDEVENTITYMAPPING" idrefs="z2"/>
          </object>
          <object type="XDDEVENTITYMAPPING" id="z2">\(policy)
            <attribute name="sourcename" type="string">Maker</attribute>
            <attribute name="destinationname" type="string">Maker</attribute>
            <attribute name="mappingnumber" type="int16">1</attribute>
            <relationship name="attributemappings" destination="XDDEVATTRIBUTEMAPPING"
              idrefs="z3 z4"/>
          </object>
          <object type="XDDEVATTRIBUTEMAPPING" id="z3">
            <attribute name="name" type="string">name</attribute></object>
          <object type="XDDEVATTRIBUTEMAPPING" id="z4">
            <attribute name="name" type="string">city</attribute></object>
        </database>
        """, to: "\(bundle)/xcmapping.xml")
    }

    private func write(_ text: String, to path: String) throws {
      let parent = path.split(separator: "/").dropLast().joined(separator: "/")
      try FileManager.default.createDirectory(
        atPath: folder.path(parent), withIntermediateDirectories: true)
      try folder.write(text, to: path)
    }

    func migrate(_ arguments: String...) throws -> MigrateProcess.Outcome {
      try MigrateProcess.run(arguments, in: folder.path)
    }

    func text(_ path: String) throws -> String {
      try String(contentsOfFile: folder.path(path), encoding: .utf8)
    }
  }

  @Test
  func `a bundle and its mapping model become a project that runs`() throws {
    let app = try App()
    let outcome = try app.migrate("convert", App.bundle, App.mapping, "--output", "New")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("Wrote 7 files to New."))
    for version in ["Shop 1", "Shop 2"] {
      let written = try ModelFile.read(path: app.folder.path("New/Migrations/\(version).json"))
      let original = try ModelFile.read(path: app.folder.path("\(App.bundle):\(version)"))
      #expect(written.versionHashes == original.versionHashes)
      #expect(written == original)
    }
    let history = try HistoryDocument.decode(
      Array(app.text("New/Migrations/history.json").utf8), file: "history.json")
    #expect(history.versions.map(\.name.value) == ["Shop 1", "Shop 2"])
    #expect(history.steps.map { $0.mappings.map(\.value) } == [["Move"]])
    // Each file names its schema, which lies beside it.
    for (file, schema) in [
      ("Mappings/Move.json", "mapping"), ("Migrations/Shop 1.json", "model"),
      ("Migrations/history.json", "history"),
    ] {
      #expect(
        try app.text("New/\(file)").contains("\"$schema\": \"Schemas/\(schema).schema.json\""))
      let folder = file.prefix { $0 != "/" }
      #expect(
        try app.text("New/\(folder)/Schemas/\(schema).schema.json")
          == Repository.text("\(folder)/Schemas/\(schema).schema.json"))
    }
    #expect(
      try app.migrate(
        "create", "--model", "New/Migrations/Shop 1.json", "--output", "a.sqlite"
      ).status == 0)
    let run = try app.migrate(
      "run", "--migrations", "New/Migrations", "--mappings-dir", "New/Mappings", "--store",
      "a.sqlite", "--output", "b.sqlite", "--format", "json")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(try run.json["outcome"]?.text == "migrated")
    // The mapping model can be named as it is, too.
    let direct = try app.migrate(
      "plan", "--migrations", "New/Migrations", "--store", "a.sqlite", "--mappings", App.mapping)
    #expect(direct.status == 0, "\(direct.errors)")
  }

  @Test
  func `the result names every file and note as JSON`() throws {
    let app = try App()
    try app.mapping("Other.xcmappingmodel", policy: "Shop.MakerPolicy")
    let json = try app.migrate(
      "convert", App.bundle, App.mapping, "Other.xcmappingmodel", "--output", "New", "--format",
      "json"
    ).json
    #expect(json["outcome"]?.text == "converted")
    let files = try #require(json["files"]?.elements)
    #expect(
      files.compactMap { $0["path"]?.text }.map { $0.components(separatedBy: "/New/").last } == [
        "Migrations/Shop 1.json", "Migrations/Shop 2.json", "Mappings/Move.json",
        "Mappings/Other.json", "Migrations/history.json", "Mappings/Schemas/mapping.schema.json",
        "Migrations/Schemas/model.schema.json", "Migrations/Schemas/history.schema.json",
      ])
    #expect(
      files.compactMap { $0["kind"]?.text } == [
        "model", "model", "mappingModel", "mappingModel", "history", "schema", "schema", "schema",
      ])
    #expect(json["policies"]?[0]?["name"]?.text == "Shop.MakerPolicy")
    // Both take the same objects of the same step.
    #expect(json["notes"]?.elements.compactMap { $0["code"]?.text } == ["IMP-023", "CMD-033"])
  }

  @Test
  func `an existing file that differs is not replaced, and nothing is written`() throws {
    let app = try App()
    #expect(try app.migrate("convert", App.bundle, "--output", "New").status == 0)
    try app.folder.write("{}", to: "New/Migrations/Shop 2.json")
    try FileManager.default.removeItem(atPath: app.folder.path("New/Migrations/history.json"))
    try FileManager.default.removeItem(atPath: app.folder.path("New/Migrations/Shop 1.json"))
    let before = app.folder.everything
    let refused = try app.migrate("convert", App.bundle, App.mapping, "--output", "New")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("CMD-030") && refused.errors.contains("nothing was written"))
    #expect(app.folder.everything == before)
    let forced = try app.migrate("convert", App.bundle, App.mapping, "--output", "New", "--force")
    #expect(forced.status == 0)
    #expect(try app.text("New/Migrations/Shop 2.json").contains("city"))
  }

  @Test
  func `converting again changes nothing`() throws {
    let app = try App()
    #expect(
      try app.migrate("convert", App.bundle, App.mapping, "--output", "New").status == 0)
    let again = try app.migrate("convert", App.bundle, App.mapping, "--output", "New")
    #expect(again.status == 0)
    #expect(again.output.contains("Wrote 0 files") && again.output.contains("unchanged"))
  }

  @Test
  func `an existing history is extended only on request`() throws {
    let app = try App()
    #expect(try app.migrate("convert", App.bundle, "--output", "New").status == 0)
    let before = try app.text("New/Migrations/history.json")
    let kept = try app.migrate("convert", App.mapping, "--output", "New")
    #expect(kept.status == 0)
    #expect(kept.output.contains("CMD-036"))
    #expect(try app.text("New/Migrations/history.json") == before)
    let added = try app.migrate("convert", App.mapping, "--output", "New", "--force")
    #expect(added.status == 0 && !added.output.contains("CMD-036"))
    let history = try HistoryDocument.decode(
      Array(app.text("New/Migrations/history.json").utf8), file: "history.json")
    #expect(history.versions.count == 2)
    #expect(history.steps.first?.mappings.map(\.value) == ["Move"])
  }

  @Test
  func `a mapping model whose models are missing is refused`() throws {
    let app = try App()
    let refused = try app.migrate("convert", App.mapping, "--output", "New")
    #expect(refused.status == 65)
    #expect(refused.errors.contains("IMP-012") && refused.errors.contains("--models"))
    #expect(!app.folder.everything.contains("New"))
    let helped = try app.migrate(
      "convert", App.mapping, "--models", App.bundle, "--output", "New")
    #expect(helped.status == 0)
    #expect(app.folder.everything.contains("New/Migrations/Shop 2.json"))
  }

  @Test
  func `a mapping that the checks would refuse is written and reported`() throws {
    let app = try App()
    try app.model("Shop 1", attributes: ["title"])
    let mapping = try app.text("\(App.mapping)/xcmapping.xml").replacing(
      "</database>", with: "")
    let filter = "<attribute name=\"sourcefilterpredicatestring\" type=\"string\">nmae == 1"
    try app.folder.write(
      mapping.replacing("id=\"z2\">", with: "id=\"z2\">\(filter)</attribute>") + "</database>",
      to: "\(App.mapping)/xcmapping.xml")
    let outcome = try app.migrate(
      "convert", App.bundle, App.mapping, "--output", "New", "--format", "json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let notes = try #require(try outcome.json["notes"]?.elements)
    #expect(notes.contains { $0["code"]?.text?.hasPrefix("PRE-") == true })
    #expect(notes.allSatisfy { $0["severity"]?.text != "error" })
  }

  @Test
  func `a store gives the model it keeps, or none`() throws {
    let app = try App()
    #expect(
      try app.migrate("create", "--model", "\(App.bundle):Shop 1", "--output", "a.sqlite").status
        == 0)
    let connection = try Connection(path: app.folder.path("a.sqlite"), mode: .readWrite)
    try connection.execute("DELETE FROM Z_MODELCACHE")
    let outcome = try app.migrate("convert", "a.sqlite", "--output", "New")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("CMD-034"))
  }

  @Test
  func `names that are not files and two of one name are refused`() throws {
    let app = try App()
    try FileManager.default.copyItem(
      atPath: app.folder.path("\(App.bundle)/Shop 1.xcdatamodel"),
      toPath: app.folder.path(".xcdatamodel"))
    try FileManager.default.createDirectory(
      atPath: app.folder.path("Old"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: app.folder.path("\(App.bundle)/Shop 1.xcdatamodel"),
      toPath: app.folder.path("Old/Shop 2.xcdatamodel"))
    let nameless = try app.migrate("convert", ".xcdatamodel", "--output", "New")
    #expect(nameless.status == 64)
    #expect(nameless.errors.contains("CMD-032"), "\(nameless.errors)")
    let two = try app.migrate(
      "convert", App.bundle, "Old/Shop 2.xcdatamodel", "--output", "New")
    #expect(two.status == 64)
    #expect(two.errors.contains("CMD-031"))
    #expect(!app.folder.everything.contains("New"))
  }

  @Test
  func `inspect describes a mapping model of Xcode's`() throws {
    let app = try App()
    let outcome = try app.migrate(
      "inspect", App.mapping, "--models", App.bundle, "--format", "json")
    #expect(outcome.status == 0)
    let json = try outcome.json
    #expect(json["kind"]?.text == "mappingModel")
    #expect(json["source"]?.text == "Shop 1")
    #expect(json["entityMappings"]?[0]?["attributes"]?[0]?["from"]?.text == "sameName")
    #expect(json["notes"]?.elements.isEmpty == true)
  }

  @Test
  func `a policy is found by the last part of its name`() throws {
    let project = try ExampleProject()
    let path = "Mappings/StepOne.json"
    let text = try String(contentsOfFile: project.path(path), encoding: .utf8)
    try project.folder.write(
      text.replacing("\"PrintedDatePolicy\"", with: "\"Events.PrintedDatePolicy\""), to: path)
    let plan = try project.migrate("plan", "--mappings", "StepOne,StepTwo")
    #expect(plan.status == 0, "\(plan.errors)")
    let run = try project.migrate("--mappings", "StepOne,StepTwo")
    #expect(run.status == 0, "\(run.errors)")
  }
}
