package import PassageModels

/// A model's version hashes, as a store's metadata holds them.
package struct ModelHashes: Sendable, Hashable {
  /// 32 bytes for each entity, by name.
  package var hashes: [String: [UInt8]]
  /// Base-64 text over all names and hashes: `NSStoreModelVersionHashesDigest`.
  package var digest: String
  /// Base-64 text over all hashes: `NSStoreModelVersionChecksumKey`.
  package var checksum: String

  package init(hashes: [String: [UInt8]], digest: String, checksum: String) {
    self.hashes = hashes
    self.digest = digest
    self.checksum = checksum
  }

  /// The hashes of a model.
  package init(model: Model) {
    hashes = model.versionHashes
    digest = Model.versionHashesDigest(of: hashes)
    checksum = Model.versionChecksum(of: hashes)
  }
}
