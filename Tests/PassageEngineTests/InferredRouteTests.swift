import Passage
import PassageEngine
import PassageProjects
import PassageTesting
import TestSupport
import Testing

/// Inferred mappings where none is named: never without being asked, never without being told.
struct InferredRouteTests {
  private static let models = [
    Model("1", [Entity("Note", [.text("a")])]),
    Model("2", [Entity("Note", [renamed("b", from: "a")])]),
    Model("3", [Entity("Note", [renamed("c", from: "b")])]),
  ]

  private static func renamed(_ name: String, from old: String) -> Attribute {
    Attribute(name: name, type: .string, renamingIdentifier: old)
  }

  /// A project with three versions and these steps, and a store of the first with one note.
  private func project(_ steps: String) throws -> (TemporaryDirectory, Project) {
    let directory = try TemporaryDirectory()
    for model in Self.models {
      try directory.write(
        Array(ModelDocument.encode(model).utf8), to: "\(model.name).json")
    }
    let versions = Self.models.map { #"{"name": "\#($0.name)", "model": "\#($0.name).json"}"# }
      .joined(separator: ", ")
    try directory.write(
      Array(#"{"versions": [\#(versions)], "steps": [\#(steps)]}"#.utf8), to: "history.json")
    let named = MappingModel(
      name: "Named", source: "1", destination: "2",
      entityMappings: [
        EntityMapping(
          kind: .transform, source: "Note", destination: "Note",
          attributes: [PropertyMapping(name: "b", expression: "uppercase:($source.a)")])
      ])
    try directory.write(Array(MappingDocument.encode(named).utf8), to: "Named.json")
    let store = try TestStore(model: Self.models[0], at: directory.path("old.sqlite"))
    try store.insert("Note", ["a": "x"])
    try store.close()
    return (
      directory,
      try Project(migrationsDirectory: directory.path, mappingsDirectory: directory.path)
    )
  }

  private func route(
    _ steps: String, to version: String? = nil, allowsInference: Bool = true
  ) throws -> [MappingModel] {
    let (directory, project) = try project(steps)
    return try StoreRoute(
      storePath: directory.path("old.sqlite"), version: version, project: project,
      allowsInference: allowsInference, options: MigrationOptions()
    ).mappings
  }

  @Test
  func `versions without steps are joined one by one`() throws {
    let mappings = try route("")
    #expect(mappings.map(\.name) == ["Inferred 1 to 2", "Inferred 2 to 3"])
    #expect(mappings.map(\.isInferred) == [true, true])
  }

  @Test
  func `named mapping models are used where there are any`() throws {
    let mappings = try route(#"{"from": "1", "to": "2", "mappings": ["Named"]}"#)
    #expect(mappings.map(\.name) == ["Named", "Inferred 2 to 3"])
    #expect(mappings.map(\.isInferred) == [false, true])
  }

  @Test
  func `a step that names no mapping models is inferred when that is allowed`() throws {
    let step = #"{"from": "1", "to": "2", "mappings": []}"#
    #expect(try route(step, to: "2").map(\.name) == ["Inferred 1 to 2"])
    let error = try #require(throws: MigrationError.self) {
      try route(step, to: "2", allowsInference: false)
    }
    #expect(error.codes == ["PLN-020"])
    #expect(error.kind == .noMapping)
  }

  @Test
  func `nothing is inferred without being asked for`() throws {
    let error = try #require(throws: MigrationError.self) { try route("", allowsInference: false) }
    #expect(error.codes == ["PLN-019"])
  }

  @Test
  func `what cannot be inferred names the versions and every reason`() throws {
    let directory = try TemporaryDirectory()
    let old = Model("1", [Entity("Note", [.text("a"), .text("b")])])
    let new = Model("2", [Entity("Note", [.date("a"), .number("b")])])
    let store = try TestStore(model: old, at: directory.path("old.sqlite"))
    try store.close()
    for model in [old, new] {
      try directory.write(Array(ModelDocument.encode(model).utf8), to: "\(model.name).json")
    }
    try directory.write(
      Array(
        #"{"versions": [{"name": "1", "model": "1.json"}, {"name": "2", "model": "2.json"}]}"#.utf8
      ), to: "history.json")
    let error = try #require(throws: MigrationError.self) {
      try StoreRoute(
        storePath: directory.path("old.sqlite"), version: nil, migrations: directory.path,
        mappings: directory.path, allowsInference: true, options: MigrationOptions())
    }
    #expect(error.kind == .noMapping)
    #expect(error.codes == ["PLN-021", "INF-004", "INF-004"])
  }

  @Test
  func `a migration without mapping models is inferred from end to end, and said to be`() throws {
    let (directory, _) = try project("")
    let models = Self.models
    func migration(allowsInference: Bool) -> StoreMigration {
      var options = MigrationOptions()
      options.allowed.inference = allowsInference
      return StoreMigration(
        storePath: directory.path("old.sqlite"), destination: .inPlace, source: models[0],
        destinationModel: models[1], models: ["1": models[0], "2": models[1]], mappings: [],
        policies: PolicyRegistry([]), options: options)
    }
    let refusal = try #require(throws: MigrationError.self) {
      try migration(allowsInference: false).plan()
    }
    #expect(refusal.codes == ["PLN-013"])
    #expect(refusal.kind == .wrongCall)
    let plan = try migration(allowsInference: true).plan()
    #expect(plan.steps.flatMap(\.passes).map(\.isInferred) == [true])
    let report = try migration(allowsInference: true).run(control: RunControl())
    #expect(report.steps.map(\.inferred) == [["Inferred 1 to 2"]])
    #expect(report.warnings.all.map(\.code) == ["INF-100"])
    let contents = try StoreContents(path: directory.path("old.sqlite"), model: models[1])
    #expect(contents["Note"].map { $0["b"] } == ["x"])
    #expect(try migration(allowsInference: true).run(control: RunControl()).outcome == .upToDate)
  }

  @Test
  func `the way with the fewest inferred steps is taken`() {
    let history = History(
      versions: ["1", "2", "3", "4"].map { .init(name: $0, model: $0) },
      steps: [
        .init(from: "1", to: "3", mappings: ["A"]), .init(from: "4", to: "1", mappings: ["B"]),
      ])
    let path = history.inferringPath(from: "1", to: "4")?.map { [$0.from.value, $0.to.value] }
    #expect(path == [["1", "3"], ["3", "4"]])
    #expect(history.inferringPath(from: "3", to: "2")?.map(\.to.value) == ["4", "1", "2"])
    #expect(history.inferringPath(from: "9", to: "1") == nil)
    #expect(history.inferringPath(from: "2", to: "2") == [])
  }
}
