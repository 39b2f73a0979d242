internal import Foundation
internal import Passage
internal import PassageTesting

/// A store to be damaged, with the two models of its migration as files.
struct DamageSubject: Sendable {
  let path: String
  let bytes: Int
  let pageBytes: Int
  let hasLog: Bool
  let destination: Model
  /// The files of the two models.
  let modelPaths: [String]
  private let models: TemporaryDirectory

  /// - Returns: `nil` for a store without a model here, and for one that nothing newer can be made of.
  init?(store: String, folder: CorpusFolder, pool: ModelPool) throws {
    path = folder.location(store)
    let hashes = try StoreCopy.read(path) { try StoreRecord(path: $0).hashes }
    guard let entry = pool.models(hashes: hashes, near: store).first else { return nil }
    let versions = pool.versions(of: entry.item).map(\.model)
    guard let source = versions.last(where: { $0.versionHashes == hashes }),
      let destination = versions.last(where: {
        $0.versionHashes != hashes && (try? InferredMapping.infer(from: source, to: $0)) != nil
      })
    else { return nil }
    self.destination = destination
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes = data.count
    // https://www.sqlite.org/fileformat.html: bytes 16 and 17; 1 stands for 65536.
    let size = Int(data[16]) << 8 | Int(data[17])
    pageBytes = size == 1 ? 65_536 : size
    hasLog = FileManager.default.fileExists(atPath: "\(path)-wal")
    let models = try TemporaryDirectory()
    modelPaths = try [source, destination].enumerated().map { index, model in
      try models.write(Array(ModelDocument.encode(model).utf8), to: "\(index + 1).json")
    }
    self.models = models
  }
}
