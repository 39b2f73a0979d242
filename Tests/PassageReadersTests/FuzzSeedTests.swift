import Foundation
import PassageDiagnostics
import PassageMappings
import PassageModels
import PassageReaders
import PassageTesting
import TestSupport
import Testing

/// The archives the fuzzer starts from: a seed that is not a model would teach it nothing.
struct FuzzSeedTests {
  private static let folder = Repository.file("Tests/Fuzz/Seeds/archives")

  private static let seeds =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasPrefix("c") && $0.hasSuffix(".bplist") }.sorted()

  @Test func `the fuzzer has seeds`() {
    #expect(Self.seeds.count >= 4)
  }

  @Test(arguments: seeds)
  func `every seed is a model`(_ name: String) throws {
    let read = try ModelFile.load(path: "\(Self.folder)/\(name)")
    #expect(read.model.entities.map(\.name) == ["Leaf", "Root"])
    #expect(read.model.entity(named: "Leaf")?.attributes.isEmpty == true)
    #expect(Set(read.remarks.all.map(\.code)).isSubset(of: ["MOD-024", "MOD-130"]))
    if name.contains("rich") {
      let root = try #require(read.model.entity(named: "Root"))
      #expect(root.attributes.map(\.name) == ["name", "place", "size", "total", "when"])
      #expect(root.attributes.map(\.derivation) == [nil, nil, nil, "count:(children)", nil])
      #expect(root.indexes.first?.partialPredicate == "SELF >= 1")
    }
  }

  private static let mappingFolder = Repository.file("Tests/Fuzz/Seeds/mappings")

  @Test(arguments: ["compiled.cdm", "edited.xml", "expression.xml"])
  func `every mapping seed is a mapping model`(_ name: String) throws {
    let read = try XcodeMappingReader.read(path: "\(Self.mappingFolder)/\(name)")
    #expect(read.mapping.entityMappings.contains { $0.name.value == "ItemToItem" })
  }
}
