package import PassageModels

/// A model's version hashes in the form of a store's metadata.
package struct ModelHashes: Sendable, Hashable {
  /// The hashes, 32 bytes each, by the name of the entity.
  package var hashes: [String: [UInt8]]
  /// A digest of all names and hashes in Base-64: `NSStoreModelVersionHashesDigest`.
  package var digest: String
  /// A checksum of all hashes in Base-64: `NSStoreModelVersionChecksumKey`.
  package var checksum: String

  package init(hashes: [String: [UInt8]], digest: String, checksum: String) {
    self.hashes = hashes
    self.digest = digest
    self.checksum = checksum
  }

  /// Computes the hashes of a model.
  package init(model: Model) {
    hashes = model.versionHashes
    digest = Model.versionHashesDigest(of: hashes)
    checksum = Model.versionChecksum(of: hashes)
  }
}
