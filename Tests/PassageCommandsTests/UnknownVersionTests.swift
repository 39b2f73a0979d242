import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// What is said of a store that is of no known version.
struct UnknownVersionTests {
  private static let base = Model(
    name: "1",
    entities: [
      Entity(
        name: "Event",
        attributes: [
          Attribute(name: "timeStamp", type: .date), Attribute(name: "title", type: .string),
        ]),
      Entity(name: "Place", attributes: [Attribute(name: "name", type: .string)]),
    ])

  /// A project of these versions, oldest first, and a store of another model that keeps no model.
  private func project(_ versions: [Model], store model: Model) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.path("Migrations"), withIntermediateDirectories: true)
    var list: [String] = []
    for version in versions {
      try folder.write(ModelDocument.encode(version), to: "Migrations/\(version.name).json")
      list.append("{ \"name\": \"\(version.name)\", \"model\": \"\(version.name).json\" }")
    }
    try folder.write(
      "{ \"store\": \"../s.sqlite\", \"versions\": [\(list.joined(separator: ","))] }",
      to: "Migrations/history.json")
    let store = try TestStore(model: model, at: folder.path("s.sqlite"))
    try store.execute("DROP TABLE IF EXISTS Z_MODELCACHE")
    try store.close()
    return folder
  }

  private func changed(
    _ name: String, _ model: Model = base, _ change: (inout [Entity]) -> Void
  ) -> Model {
    var entities = model.entities
    change(&entities)
    return Model(name: name, entities: entities)
  }

  private func status(_ folder: TemporaryDirectory) throws -> (text: String, json: JSONNode) {
    let text = try MigrateProcess.run(["status"], in: folder.path)
    let json = try MigrateProcess.run(["status", "--format", "json"], in: folder.path)
    #expect(text.status == 20)
    #expect(json.status == 20)
    return (text.output, try json.json)
  }

  @Test func `mapping models that do not begin at the store's version are told as that`() throws {
    func model(_ name: String, _ entities: [String]) -> Model {
      Model(name: name, entities: entities.map { Entity(name: $0, attributes: []) })
    }
    let models = [model("1", ["A"]), model("2", ["A", "B"]), model("3", ["A", "B", "C"])]
    let folder = try project(models, store: models[0])
    let copy = #"{ "type": "copy", "source": "A", "destination": "A" }"#
    try folder.write(
      #"{ "source": "2", "destination": "3", "entityMappings": [\#(copy)] }"#, to: "Mappings/M.json"
    )
    let run = try MigrateProcess.run(["run", "--mappings", "M"], in: folder.path)
    #expect(run.status == 22)
    #expect(run.errors.contains("the mapping models start at “2”, but the store is at “1”"))
  }

  @Test
  func `beside names that no version has, the first class to correct is reported`() throws {
    let folder = try project([Self.base], store: Self.base)
    let plain = try Connection(path: folder.path("plain.sqlite"), mode: .create)
    try plain.execute("CREATE TABLE a (x)")
    let outcome = try MigrateProcess.run(
      ["run", "--store", "plain.sqlite", "--output", "made.sqlite"], in: folder.path)
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("error[PLN-016]"))
    #expect(outcome.errors.contains("error[STO-131]"))
  }

  @Test
  func `the nearest version and every difference are named`() throws {
    let two = changed("2") { $0[0].attributes.append(Attribute(name: "seconds", type: .double)) }
    let three = changed("3", two) { $0.append(Entity(name: "Extra")) }
    let store = changed("x", two) {
      $0[0].attributes.append(Attribute(name: "color", type: .string))
      $0[0].attributes.removeAll { $0.name == "title" }
      $0[0].attributes[0].type = .string
    }
    let (text, json) = try status(project([Self.base, two, three], store: store))
    let nearest = try #require(json["nearest"])
    #expect(nearest["version"]?.text == "2")
    #expect(nearest["evidence"]?.text == "guessed")
    #expect(nearest["otherHashes"]?.elements.map(\.text) == ["Event"])
    #expect(nearest["storeIsNewer"]?.truth == false)
    #expect(
      nearest["changes"]?.elements.map { [$0["change"]?.text, $0["property"]?.text] } == [
        ["added", "color"], ["changed", "timeStamp"], ["removed", "title"],
      ])
    #expect(text.contains("differences from “2” to the store"))
    #expect(text.contains("Event: the attribute “color” is added"))
    #expect(text.contains("Event: the attribute “timeStamp”: type date → string"))
  }

  @Test
  func `a store that only has more than the newest version is reported as newer`() throws {
    let store = changed("x") {
      $0[0].attributes.append(Attribute(name: "more", type: .string))
      $0.append(Entity(name: "Fresh", attributes: [Attribute(name: "a", type: .string)]))
    }
    let (text, json) = try status(project([Self.base], store: store))
    #expect(json["nearest"]?["storeIsNewer"]?.truth == true)
    #expect(json["nearest"]?["onlyInStore"]?.elements.map(\.text) == ["Fresh"])
    #expect(text.contains("newer than every known version"))
    #expect(text.contains("Fresh: only in the store"))
  }

  /// Both versions differ in one entity and by one property: the newer one is named first.
  @Test
  func `versions that are as near are named newest first`() throws {
    let two = changed("2") { $0[1].attributes.append(Attribute(name: "b", type: .string)) }
    let store = changed("x") { $0[1].attributes.append(Attribute(name: "c", type: .string)) }
    let three = changed("3", store) { $0[1].attributes[1].name = "d" }
    let (text, json) = try status(project([two, three], store: store))
    #expect(json["nearest"]?["version"]?.text == "3")
    #expect(json["nearest"]?["asNear"]?.elements.map(\.text) == ["2"])
    #expect(text.contains("equally near: “2”"))
  }

  @Test(arguments: ["run", "plan"])
  func `run and plan name the nearest version too`(_ command: String) throws {
    let store = changed("x") { $0[0].attributes[1].isOptional = false }
    let folder = try project([Self.base], store: store)
    let outcome = try MigrateProcess.run([command, "--to", "1"], in: folder.path)
    #expect(outcome.status == 20)
    #expect(outcome.errors.contains("the nearest known version is “1”: 1 entity differs (Event)"))
    #expect(outcome.errors.contains("migrate status"))
  }

  /// An app that adds a store with a configuration gives it the entities of that one alone.
  @Test
  func `a store of a configuration is told as that, and migrates with models of its entities`()
    throws
  {
    let cloud = changed("c1") { $0.removeLast() }
    let newCloud = changed("c2", cloud) {
      $0[0].attributes.append(Attribute(name: "more", type: .string))
    }
    let versions = [Self.base, changed("2") { $0[1].attributes.removeAll() }].map { model in
      var model = model
      model.configurations = [
        Model.Configuration(name: "Local", entityNames: ["Place"]),
        Model.Configuration(name: "Cloud", entityNames: ["Event"]),
      ]
      return model
    }
    let folder = try project(versions, store: cloud)
    let (text, json) = try status(folder)
    #expect(json["nearest"]?["configuration"]?.text == "Cloud")
    #expect(json["nearest"]?["onlyInVersion"]?.elements.map(\.text) == ["Place"])
    #expect(text.contains("the store has only the entities of its configuration “Cloud”"))
    let remedy = "write models that have only the entities of “Cloud” (Event)"
    #expect(text.contains(remedy))
    let copy = #"{ "type": "copy", "source": "Event", "destination": "Event" }"#
    try folder.write(
      #"{ "source": "1", "destination": "2", "entityMappings": [\#(copy)] }"#, to: "Mappings/M.json"
    )
    for call in [["--to", "2"], ["--mappings", "M"]] {
      let run = try MigrateProcess.run(
        ["run", "--store", "s.sqlite", "--output", "new.sqlite"] + call, in: folder.path)
      #expect(run.status == 20)
      #expect(run.errors.contains("has only the entities of the configuration “Cloud” of"))
      #expect(run.errors.contains(remedy))
    }
    for model in [cloud, newCloud] {
      try folder.write(ModelDocument.encode(model), to: "\(model.name).json")
    }
    try folder.write(
      #"{ "source": "c1", "destination": "c2", "entityMappings": [\#(copy)] }"#,
      to: "Mappings/C.json")
    let run = try MigrateProcess.run(
      ["run", "--store", "s.sqlite", "--output", "new.sqlite", "--mappings", "C"]
        + ["--models", "c1.json", "--models", "c2.json"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
  }

  /// The store is of the very version, but no rule gives the hash that Core Data recorded.
  @Test
  func `a hash that cannot be computed is named as the reason`() throws {
    let two = changed("2") { $0[0].uniquenessConstraints = [["title"], ["timeStamp"]] }
    let folder = try project([Self.base, two], store: two)
    let path = folder.path("s.sqlite")
    let metadata = try StoreMetadata.read(path: path)
    var hashes = metadata.versionHashes
    hashes["Event"] = [UInt8](repeating: 3, count: 32)
    try setHashes(hashes, path)
    let (text, json) = try status(folder)
    #expect(json["nearest"]?["version"]?.text == "2")
    #expect(json["nearest"]?["onlyUnprovedHashes"]?.truth == true)
    #expect(text.contains("“versionHash”"))
    // With the hash recorded in the model, the store is of that version.
    let recorded = two.recording(hashes)
    try folder.write(ModelDocument.encode(recorded), to: "Migrations/2.json")
    let known = try MigrateProcess.run(["status"], in: folder.path)
    #expect(known.status == 0)
    let model = try MigrateProcess.run(
      ["inspect", "Migrations/2.json", "--format", "json"], in: folder.path)
    #expect(
      try model.json["entities"]?.elements.map { $0["versionHashOrigin"]?.text }
        == ["recorded", "computed"])
  }

  /// Hashes of a model given besides are in for those of a version of the same shape.
  @Test
  func `recorded hashes are taken from a model given as well`() throws {
    let two = changed("2") { $0[0].uniquenessConstraints = [["title"], ["timeStamp"]] }
    let folder = try project([Self.base, two], store: two)
    let path = folder.path("s.sqlite")
    var hashes = try StoreMetadata.read(path: path).versionHashes
    hashes["Event"] = [UInt8](repeating: 3, count: 32)
    try setHashes(hashes, path)
    var recorded = two.recording(hashes)
    recorded.name = "recorded"
    try folder.write(ModelDocument.encode(recorded), to: "recorded.json")
    let outcome = try MigrateProcess.run(["status", "--models", "recorded.json"], in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("“2”"))
    #expect(outcome.output.contains("is the one recorded in the model “recorded”"))
  }

  /// With the model that Core Data keeps in a store, every difference is exact, and that model is
  /// enough to continue.
  @Test(.enabled(if: Corpus.isPresent, "no real stores beside the package"))
  func `the model that a store keeps gives exact differences`() throws {
    let folder = try TemporaryDirectory()
    try folder.copy(Corpus.root + "/cars/SampleModel_V2.sqlite", to: "cars.sqlite")
    let models = Corpus.root + "/cars/SampleModel.momd"
    let outcome = try MigrateProcess.run(
      [
        "status", "--store", "cars.sqlite", "--models", models + ":SampleModel3", "--format",
        "json",
      ],
      in: folder.path)
    #expect(outcome.status == 20)
    let nearest = try #require(try outcome.json["nearest"])
    #expect(nearest["evidence"]?.text == "kept")
    #expect(nearest["onlyInVersion"]?.elements.map(\.text) == ["Maker"])
    let changes = nearest["changes"]?.elements.map { change in
      ["entity", "change", "propertyKind", "property"].map { change[$0]?.text ?? "" }
    }
    #expect(
      changes == [
        ["Car", "added", "attribute", "maker"], ["Car", "removed", "relationship", "createdBy"],
        ["Car", "removed", "relationship", "previousOwners"],
        ["Person", "removed", "relationship", "previousCars"],
      ])
    let known = try MigrateProcess.run(
      [
        "status", "--store", "cars.sqlite", "--models", "cars.sqlite", "--models", models, "--to",
        "SampleModel3",
      ], in: folder.path)
    #expect(known.status == 10)
  }

  private func setHashes(_ hashes: [String: [UInt8]], _ path: String) throws {
    let old = try StoreMetadata.read(path: path)
    let list = PropertyList.dictionary(
      old.members.map { member in
        member.key == "NSStoreModelVersionHashes"
          ? PropertyList.Member(
            member.key,
            .dictionary(
              hashes.sorted { $0.key < $1.key }.map { PropertyList.Member($0.key, .data($0.value)) }
            ))
          : member
      })
    try Connection(path: path, mode: .readWrite).execute(
      "UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(list.binaryPropertyList)])
  }
}
