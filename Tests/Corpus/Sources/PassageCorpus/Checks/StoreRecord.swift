internal import Foundation
internal import Passage
internal import PassageTesting

/// What a store's metadata records about its model, read without Passage's own reader.
struct StoreRecord {
  var hashes: [String: [UInt8]]
  var digest: String?
  var checksum: String?
  var frameworkVersion: Int?

  /// - Throws: what SQLite or the property list's reader answers when it refuses.
  init(path: String) throws {
    let rows = try StoreQuery(path: path).rows("SELECT Z_PLIST FROM Z_METADATA")
    guard let bytes = rows.first?.first?.bytes else { throw Missing() }
    let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    guard let members = list as? NSDictionary,
      let hashes = members["NSStoreModelVersionHashes"] as? [String: Data]
    else { throw Missing() }
    self.hashes = hashes.mapValues { Array($0) }
    digest = members["NSStoreModelVersionHashesDigest"] as? String
    checksum = members["NSStoreModelVersionChecksumKey"] as? String
    frameworkVersion = members["NSPersistenceFrameworkVersion"] as? Int
  }

  /// The metadata records no version hashes.
  struct Missing: Error, CustomStringConvertible {
    let description = "the metadata records no version hashes"
  }
}
