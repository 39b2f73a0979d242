import Foundation
import PassageDiagnostics
import PassageExpressions
import PassageMappings
import PassageModels
import PassageReaders
import TestSupport
import Testing

/// Mapping models that people made with Xcode, and one that Xcode compiled.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not beside the package"))
struct XcodeMappingCorpusTests {
  static let paths = Corpus.paths { $0.hasSuffix(".xml") || $0.hasSuffix(".cdm") }

  /// The versions of the model beside a mapping model; none where only the mapping model is there.
  static func models(beside path: String) throws -> [Model] {
    let series = Corpus.series(path)
    let bundles = Corpus.paths { $0.hasSuffix(".xcdatamodeld") }
    guard let bundle = bundles.first(where: { Corpus.series($0) == series }) else { return [] }
    let place = "\(Corpus.root)/\(bundle)"
    return try ModelFile.list(path: place).names.map { try ModelFile.read(path: "\(place):\($0)") }
  }

  static func read(_ path: String) throws -> ReadMappingModel {
    try XcodeMappingReader.read(path: "\(Corpus.root)/\(path)", among: models(beside: path))
  }

  @Test func `the corpus has mapping models`() {
    #expect(Self.paths.count >= 31)
  }

  @Test(arguments: paths)
  func `every mapping model is read and written as itself`(_ path: String) throws {
    let read = try Self.read(path)
    #expect(!read.mapping.entityMappings.isEmpty)
    let written = Array(MappingDocument.encode(read.mapping).utf8)
    #expect(try MappingDocument.decode(written, file: "again.json") == read.mapping)
  }

  @Test(arguments: paths)
  func `every mapping model passes the checks of its models`(_ path: String) throws {
    let read = try Self.read(path)
    let (_, found) = MappingChecker.check(
      read.mapping, source: try #require(read.source),
      destination: try #require(read.destination),
      policies: read.requiredPolicies)
    // Policy functions that give, or are given, the objects of a relationship can be read, not run.
    #expect(Set(found.errors.map(\.code)).isSubset(of: ["MAP-021", "PRE-012"]), "\(found)")
  }

  @Test(arguments: paths.filter { $0.hasSuffix(".xml") })
  func `the models inside are understood and those of the series`(_ path: String) throws {
    let read = try Self.read(path)
    let embedded = [
      try #require(read.embeddedSource), try #require(read.embeddedDestination),
    ]
    for model in embedded {
      // What is left out is not part of any hash: only a date's default, written in words.
      let left = model.remarks.all.filter { $0.code == "MOD-105" }.map(\.message)
      #expect(left.allSatisfy { $0.hasPrefix("the default of ") }, "\(left)")
    }
    guard try !Self.models(beside: path).isEmpty else { return }
    #expect(read.notes.warnings == [])
    #expect(
      embedded.map(\.model.versionHashes)
        == [read.source?.versionHashes, read.destination?.versionHashes])
    #expect(
      embedded.map(\.model.name) == [read.mapping.source.value, read.mapping.destination.value])
  }

  @Test func `the compiled mapping model says what its source says`() throws {
    let compiled = try Self.read("cars/V2toV3.cdm")
    let source = try Self.read("cars/V2toV3.xcmappingmodel/xcmapping.xml")
    #expect(compiled.mapping == source.mapping)
    #expect(compiled.mapping.entityMappings.count == 5)
    let expressions = compiled.mapping.entityMappings.flatMap(\.relationshipMappings)
      .filter { $0.source != .sameName }
    #expect(
      expressions.map(\.name.value)
        == ["previousOwners", "previousOwners", "previousCars", "previousOwners"])
  }
}
