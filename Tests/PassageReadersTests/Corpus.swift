import Foundation
import PassageSQLite
import PassageValues

/// Real models and stores of other people's apps, in a folder beside the package. They are not part
/// of it: tests that use them are skipped where the folder is missing.
enum Corpus {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/corpus").path

  static let isPresent = FileManager.default.fileExists(atPath: root)

  /// Paths below the corpus whose last part satisfies `condition`, sorted.
  static func paths(where condition: (String) -> Bool) -> [String] {
    guard let all = FileManager.default.enumerator(atPath: root) else { return [] }
    return all.compactMap { $0 as? String }
      .filter { condition($0.split(separator: "/").last.map(String.init) ?? "") }.sorted()
  }

  static let models = paths { $0.hasSuffix(".xcdatamodel") }

  static let stores = paths { $0.hasSuffix(".sqlite") || $0.hasSuffix(".wiredatabase") }

  /// The series' folder a path below the corpus begins with.
  static func series(_ path: String) -> String { String(path.prefix { $0 != "/" }) }

  /// What a store's metadata record about the model it was written with.
  struct Record {
    var hashes: [String: [UInt8]]
    var digest: String?
    var checksum: String?
  }

  static func record(ofStore path: String) throws -> Record? {
    let connection = try Connection(path: "\(root)/\(path)", mode: .immutable)
    guard let bytes = try connection.value("SELECT Z_PLIST FROM Z_METADATA")?.bytes else {
      return nil
    }
    let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    guard let members = list as? NSDictionary,
      let hashes = members["NSStoreModelVersionHashes"] as? [String: Data]
    else { return nil }
    return Record(
      hashes: hashes.mapValues { Array($0) },
      digest: members["NSStoreModelVersionHashesDigest"] as? String,
      checksum: members["NSStoreModelVersionChecksumKey"] as? String)
  }
}
