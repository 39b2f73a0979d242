import Foundation
import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// Compiled models and stores of other people's apps, against the Xcode models they were made from.
@Suite(.enabled(if: Corpus.isPresent, "no real models and stores beside the package"))
struct CorpusCompiledModelTests {
  private static let compiled = Corpus.paths { $0.hasSuffix(".mom") }
  private static let bundles = Corpus.paths { $0.hasSuffix(".momd") }

  private static func sources(of series: String) throws -> [Model] {
    try Corpus.models.filter { Corpus.series($0) == series }
      .map { try ModelFile.read(path: "\(Corpus.root)/\($0)") }
  }

  @Test(arguments: compiled)
  func `a compiled model equals the Xcode model it was made from`(_ path: String) throws {
    let read = try ModelFile.load(path: "\(Corpus.root)/\(path)")
    let source = try #require(
      try Self.sources(of: Corpus.series(path)).first { $0.name == read.model.name })
    #expect(read.model.versionHashes == source.versionHashes)
    // A store shows names besides that no model has.
    let differences = ModelComparison(
      read.model, source.adoptingJoinTableNames(of: read.model)
    ).differences
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    #expect(read.remarks.all.filter { $0.code != "MOD-024" }.isEmpty)
  }

  @Test(arguments: bundles)
  func `every version of a compiled bundle has the hashes recorded beside it`(_ path: String) throws
  {
    let versions = try ModelFile.list(path: "\(Corpus.root)/\(path)")
    let current = try #require(versions.current)
    #expect(try ModelFile.read(path: "\(Corpus.root)/\(path)").name == current)
    #expect(!versions.names.isEmpty)
    for version in versions.names {
      let read = try ModelFile.load(path: "\(Corpus.root)/\(path):\(version)")
      #expect(read.model.name == version)
      #expect(read.model.versionHashes == read.recordedHashes)
      #expect(!read.remarks.all.contains { $0.code == "MOD-124" })
    }
    print("\(path): \(versions.names.count) versions")
  }

  @Test(arguments: Corpus.stores)
  func `a store's own model equals the Xcode model it was made from`(_ path: String) throws {
    let folder = try TemporaryDirectory()
    let read = try ModelFile.load(path: try Self.copy(path, to: folder))
    guard !read.remarks.all.contains(where: { $0.code == "MOD-127" }) else { return }
    #expect(!read.recordedHashes.isEmpty)
    #expect(read.model.versionHashes == read.recordedHashes)
    let source = try #require(
      try Self.sources(of: Corpus.series(path)).first {
        $0.versionHashes == read.recordedHashes
      })
    // A store shows names besides that no model has.
    let differences = ModelComparison(
      read.model, source.adoptingJoinTableNames(of: read.model)
    ).differences
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    #expect(read.remarks.all.filter { $0.code != "MOD-024" }.isEmpty)
  }

  @Test(.timeLimit(.minutes(15)), arguments: compiled)
  func `changed bytes of a real model never harm`(_ path: String) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("changed bytes of \(path), seed \(seed)")
    var random = SeededRandom(seed: seed)
    let original = Array(try Data(contentsOf: URL(filePath: "\(Corpus.root)/\(path)")))
    var refused = 0
    for _ in 0..<500 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      do {
        _ = try CompiledModelReader.read(bytes, name: "M", file: "M.mom")
      } catch {
        refused += 1
      }
    }
    #expect(refused > 0, "seed \(seed)")
  }

  @Test func `most stores keep a model and the others are guessed`() throws {
    let folder = try TemporaryDirectory()
    var kept = 0
    var guessed: [String] = []
    for path in Corpus.stores {
      let read = try ModelFile.load(path: try Self.copy(path, to: folder))
      if read.remarks.all.contains(where: { $0.code == "MOD-127" }) {
        guessed.append(path)
        #expect(Set(read.model.entities.map(\.name)) == Set(read.recordedHashes.keys))
        #expect(read.model.entities.contains { !$0.attributes.isEmpty })
      } else {
        kept += 1
      }
    }
    print("\(kept) of \(Corpus.stores.count) stores keep their model; guessed: \(guessed)")
    #expect(kept > guessed.count)
  }

  /// Copies a store with its sidecars: reading one in WAL mode may write beside it.
  private static func copy(_ path: String, to folder: TemporaryDirectory) throws -> String {
    let name = path.replacingOccurrences(of: "/", with: "+")
    for suffix in ["", "-wal"]
    where FileManager.default.fileExists(atPath: "\(Corpus.root)/\(path)\(suffix)") {
      try FileManager.default.copyItem(
        atPath: "\(Corpus.root)/\(path)\(suffix)", toPath: "\(folder.path)/\(name)\(suffix)")
    }
    return "\(folder.path)/\(name)"
  }
}
