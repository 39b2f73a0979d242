import PassageDiagnostics
import PassageModels
import PassageProjects
import PassageTesting
import TestSupport
import Testing

/// Versions of a history that name the same file.
@Suite struct SharedModelTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write(
      #"{"versions": [{"name": "1", "model": "m.json"}, {"name": "2", "model": "m.json"}], "steps": []}"#,
      to: "history.json")
  }

  private func project() throws(Diagnostics) -> Project {
    try Project(migrationsDirectory: folder.path, mappingsDirectory: folder.path)
  }

  @Test func `each version has the model by its own name`() throws {
    try folder.write(#"{"name": "M", "entities": [{"name": "E"}]}"#, to: "m.json")
    let project = try project()
    #expect(project.versionNames == ["1", "2"])
    for name in project.versionNames {
      let model = try #require(project.models[name])
      #expect(model.name == name)
      #expect(model.entities.map(\.name) == ["E"])
    }
  }

  @Test func `what is wrong with the file is said once`() throws {
    try folder.write(#"{"name": "M", "entities": [{"nam": "E"}]}"#, to: "m.json")
    let error = #expect(throws: Diagnostics.self) { try project() }
    let found = try #require(error).all.map(\.description)
    #expect(!found.isEmpty)
    #expect(Set(found).count == found.count)
  }
}
