import Foundation
import PassageModels
import PassageReaders
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// The models that Core Data kept in stores of other people's apps, read, written again and compared
/// with what Core Data wrote.
@Suite(.enabled(if: Corpus.isPresent, "no real models and stores beside the package"))
struct CorpusModelArchiveTests {
  /// Where stores of one framework differ from each other, and from what is written.
  private static let variations: Set = [
    // Flags that older compilers and newer ones archive in their own ways.
    "NSAttributeDescription.NSDefaultValue: the Boolean false and the number 0",
    "NSAttributeDescription.NSDefaultValue: the Boolean true and the number 1",
    // Absent in stores whose app loaded its model from older files.
    "NSEntityDescription.NSSubentities: nil and an object",
    "NSEntityDescription.NSCompoundIndexes: nil and an object",
    "NSEntityDescription.NSFetchIndexDescriptions: nil and an object",
    // One store lists two indexes twice.
    "NSEntityDescription.NSFetchIndexDescriptions: other numbers of elements",
  ]

  private static func archive(of path: String) throws -> (bytes: [UInt8], framework: Int64)? {
    let folder = try TemporaryDirectory()
    for suffix in ["", "-wal"] where Corpus.has(path + suffix) {
      try FileManager.default.copyItem(
        atPath: Corpus.file(path + suffix), toPath: folder.path("store" + suffix))
    }
    let store = try StoreFile.open(path: folder.path("store"))
    guard let content = try store.modelCache(maximumBytes: 16 << 20) else { return nil }
    return (
      try RawDeflate.decompress(content, maximumBytes: 64 << 20),
      store.metadata.frameworkVersion ?? 0
    )
  }

  @Test(arguments: Corpus.stores)
  func `a kept model that is written again is read as the same model`(_ path: String) throws {
    guard let archive = try Self.archive(of: path) else { return }
    let first = try CompiledModelReader.read(archive.bytes, name: "M", file: path)
    let written = try #require(ModelArchive.bytes(of: first.model))
    let second = try CompiledModelReader.read(written, name: "M", file: path)
    #expect(second.model == first.model)
    #expect(second.model.versionHashes == first.model.versionHashes)
    #expect(ModelArchive.bytes(of: second.model) == written)
  }

  @Test func `the written graph is Core Data's, but for what differs between stores`() throws {
    var counts: [String: Int] = [:]
    var archives = 0
    var equal = 0
    var objects = 0
    for path in Corpus.stores {
      // Stores before framework 847 have other descriptions of indexes, and proxies.
      guard let archive = try Self.archive(of: path), archive.framework >= 847 else { continue }
      let model = try CompiledModelReader.read(archive.bytes, name: "M", file: path).model
      let written = try #require(ModelArchive.bytes(of: model))
      let graph = try ArchiveGraph(archive.bytes, written)
      let surprising = graph.differences.filter { !Self.variations.contains($0.key) }
      #expect(surprising.isEmpty, "\(path): \(surprising)")
      archives += 1
      objects += graph.objectCount
      if graph.differences.isEmpty { equal += 1 }
      counts.merge(graph.differences, uniquingKeysWith: +)
    }
    print("\(archives) archives, \(objects) objects, \(equal) archives wholly equal; \(counts)")
    #expect(archives > 0)
    #expect(equal > 0)
  }
}
