import Foundation
import PassageDiagnostics
import PassageModels
import PassageReaders
import Testing

@Suite(.enabled(if: Corpus.isPresent, "no real models and stores beside the package"))
struct CorpusVersionHashTests {
  @Test(arguments: Corpus.models)
  func everyRealModelReads(_ path: String) throws {
    let read = try ModelFile.load(path: "\(Corpus.root)/\(path)")
    let model = read.model
    #expect(!model.entities.isEmpty)
    #expect(read.remarks.all.filter { $0.code == "MOD-105" }.isEmpty)
    #expect(model.versionHashes.count == model.entities.count)
  }

  @Test(arguments: Corpus.models)
  func everyRealModelSurvivesJSON(_ path: String) throws {
    let model = try ModelFile.read(path: "\(Corpus.root)/\(path)")
    let text = ModelDocument.encode(model)
    #expect(try ModelDocument.decode(Array(text.utf8), file: "model.json") == model)
  }

  /// Every model of a series, by path.
  private static func models(of series: String) throws -> [Model] {
    try Corpus.models.filter { Corpus.series($0) == series }
      .map { try ModelFile.read(path: "\(Corpus.root)/\($0)") }
  }

  @Test(arguments: ["messaging", "books", "posts", "cars", "pets"])
  func someModelHasAllHashesOfEachStore(_ series: String) throws {
    let models = try Self.models(of: series)
    let hashes = models.map { ($0, $0.versionHashes) }
    let stores = Corpus.stores.filter { Corpus.series($0) == series }
    var found = 0
    var pairs = 0
    var digests = 0
    var checksums = 0
    var unread: [String] = []
    for store in stores {
      guard let record = try Corpus.record(ofStore: store) else {
        unread.append(store)
        continue
      }
      let match = hashes.first { $0.1 == record.hashes }
      #expect(match != nil, "\(store): \(closest(record.hashes, models))")
      guard let model = match?.0 else { continue }
      found += 1
      pairs += record.hashes.count
      #expect(Compatibility(recordedHashes: record.hashes, model: model).isCompatible)
      if let digest = record.digest {
        digests += 1
        #expect(model.versionHashesDigest == digest)
      }
      if let checksum = record.checksum {
        checksums += 1
        #expect(model.versionChecksum == checksum)
      }
    }
    print(
      "\(series): \(found) of \(stores.count) stores match one of \(models.count) models, "
        + "\(pairs) hashes, \(digests) digests, \(checksums) checksums, unread \(unread)")
    #expect(found + unread.count == stores.count)
    #expect(found > 0)
  }

  /// The least different model, in words, for a failure's message.
  private func closest(_ hashes: [String: [UInt8]], _ models: [Model]) -> String {
    let all = models.map { Compatibility(recordedHashes: hashes, model: $0) }
    return all.min { $0.changed.count < $1.changed.count }?.description ?? "no model"
  }

  @Test(arguments: [
    "cars/SampleModel.momd/VersionInfo.plist", "pets/SampleModel3.momd/VersionInfo.plist",
  ])
  func versionHashesEqualThoseTheModelCompilerRecorded(_ path: String) throws {
    let data = try Data(contentsOf: URL(filePath: "\(Corpus.root)/\(path)"))
    let list = try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary)
    let recorded = try #require(
      list["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
    let checksums = list["NSManagedObjectModel_VersionChecksums"] as? [String: String] ?? [:]
    var compared = 0
    for model in try Self.models(of: Corpus.series(path)) {
      let hashes = try #require(recorded[model.name])
      #expect(model.versionHashes == hashes.mapValues { Array($0) })
      if let checksum = checksums[model.name] { #expect(model.versionChecksum == checksum) }
      compared += 1
    }
    print("\(path): \(compared) models, \(checksums.count) checksums")
    #expect(compared == recorded.count)
  }

  @Test func theCurrentVersionIsListedAndRead() throws {
    let bundles = Corpus.paths { $0.hasSuffix(".xcdatamodeld") }
    #expect(!bundles.isEmpty)
    for bundle in bundles {
      let versions = try ModelFile.list(path: "\(Corpus.root)/\(bundle)")
      let current = try #require(versions.current)
      #expect(versions.names.contains(current))
      #expect(try ModelFile.read(path: "\(Corpus.root)/\(bundle)").name == current)
    }
  }
}
