internal import Foundation

/// What Xcode's compiler recorded beside the versions of a compiled model, read without Passage's own
/// reader.
struct VersionRecord {
  /// By version, then by entity.
  let hashes: [String: [String: [UInt8]]]
  /// By version; empty in older bundles.
  let checksums: [String: String]

  /// Reads the `VersionInfo.plist` of a bundle; `nil` when there is none.
  ///
  /// - Throws: what the property list's reader answers when it refuses.
  init?(bundle: String) throws {
    guard let data = FileManager.default.contents(atPath: "\(bundle)/VersionInfo.plist") else {
      return nil
    }
    let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary
    let hashes = list?["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]] ?? [:]
    self.hashes = hashes.mapValues { $0.mapValues { Array($0) } }
    checksums = list?["NSManagedObjectModel_VersionChecksums"] as? [String: String] ?? [:]
  }
}
