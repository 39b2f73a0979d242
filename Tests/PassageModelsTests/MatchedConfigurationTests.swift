import PassageModels
import Testing

/// Which configuration of a model a store has, by its version hashes.
struct MatchedConfigurationTests {
  private static let model = Model(
    name: "1", entities: ["A", "B", "C"].map { Entity(name: $0) },
    configurations: [
      Model.Configuration(name: "All", entityNames: ["C", "B", "A"]),
      Model.Configuration(name: "Some", entityNames: ["C", "A"]),
      Model.Configuration(name: "Gone", entityNames: ["A", "Gone"]),
      Model.Configuration(name: "None", entityNames: []),
    ])

  private func found(_ names: [String], wrong: Set<String> = []) -> MatchedConfiguration? {
    let hashes = names.map { name in
      (name, wrong.contains(name) ? [1, 2] : Self.model.versionHashes[name] ?? [])
    }
    return MatchedConfiguration(
      of: Self.model, hashes: Dictionary(uniqueKeysWithValues: hashes))
  }

  @Test func `the hashes of its entities alone are those of a configuration`() throws {
    let some = try #require(found(["A", "C"]))
    #expect(some.name == "Some")
    #expect(
      some.sentence
        == "the store has only the entities of the configuration “Some” of “1”, without B")
    #expect(some.remedy.contains("“Some” (A, C)"))
  }

  @Test(arguments: [["A", "B", "C"], ["A", "B"], ["A"], ["A", "Gone"], []])
  func `other entities are of no configuration`(names: [String]) {
    #expect(found(names) == nil)
  }

  @Test func `another hash of an entity is of no configuration`() {
    #expect(found(["A", "C"], wrong: ["C"]) == nil)
  }
}
