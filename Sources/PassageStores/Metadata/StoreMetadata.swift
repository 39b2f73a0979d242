/// The metadata of a store: the only row of `Z_METADATA`.
package struct StoreMetadata: Sendable, Hashable {
  /// The store's UUID as text, which is part of object URIs.
  package var storeUUID: String
  /// The entries of the property list, Core Data's and the app's own, in the order of the file.
  package private(set) var members: [PropertyList.Member]

  /// - Parameters:
  ///   - storeUUID: the store's UUID as text.
  ///   - members: the entries of its property list.
  package init(storeUUID: String, members: [PropertyList.Member]) {
    self.storeUUID = storeUUID
    self.members = members
  }

  /// Creates the metadata of a new store of a model.
  ///
  /// - Parameters:
  ///   - storeUUID: the store's UUID as text.
  ///   - hashes: the model's version hashes.
  ///   - versionIdentifiers: the model's version identifiers.
  ///   - appMembers: the app's own entries; entries with Core Data's keys are ignored.
  package init(
    storeUUID: String, hashes: ModelHashes, versionIdentifiers: [String],
    appMembers: [PropertyList.Member] = []
  ) {
    self.storeUUID = storeUUID
    let hashMembers = hashes.hashes.sorted { isOrderedByCodeUnits($0.key, $1.key) }
      .map { PropertyList.Member($0.key, .data($0.value)) }
    members =
      [
        PropertyList.Member(Key.autoVacuumLevel, .string("2")),
        PropertyList.Member(
          Key.frameworkVersion, .integer(Self.writtenFrameworkVersion)),
        PropertyList.Member(Key.checksum, .string(hashes.checksum)),
        PropertyList.Member(Key.hashes, .dictionary(hashMembers)),
        PropertyList.Member(Key.digest, .string(hashes.digest)),
        PropertyList.Member(Key.hashesVersion, .integer(3)),
        PropertyList.Member(
          Key.versionIdentifiers,
          // Xcode compiles a model without identifier to a model with an empty identifier.
          .array((versionIdentifiers.isEmpty ? [""] : versionIdentifiers).map { .string($0) })),
        PropertyList.Member(Key.storeType, .string("SQLite")),
      ] + appMembers.filter { !Key.all.contains($0.key) }
  }

  /// The metadata of the store that replaces this one at another model. The UUID and the app's
  /// entries are kept; Core Data's own entries are created again.
  ///
  /// - Parameters:
  ///   - hashes: the version hashes of the new model.
  ///   - versionIdentifiers: the version identifiers of the new model.
  ///   - ancillary: the entry with the version hashes of other models, if their tables are copied
  ///     too.
  ///   - ledger: the ledger to record; `nil` to keep the one in this store.
  ///   - stepMark: what tells the new store from those of other runs; no later store gets it.
  package func carriedOver(
    to hashes: ModelHashes, versionIdentifiers: [String], ancillary: PropertyList.Member? = nil,
    ledger: MigrationLedger? = nil, stepMark: String? = nil
  ) -> StoreMetadata {
    var metadata = StoreMetadata(
      storeUUID: storeUUID, hashes: hashes, versionIdentifiers: versionIdentifiers,
      appMembers: appMembers)
    if let ancillary { metadata.members.append(ancillary) }
    if let list = ledger?.propertyList ?? self[MigrationLedger.key] {
      metadata.members.append(PropertyList.Member(MigrationLedger.key, list))
    }
    if let restored = self[RestorationRecord.key] {
      metadata.members.append(PropertyList.Member(RestorationRecord.key, restored))
    }
    if let stepMark {
      metadata.members.append(PropertyList.Member(Key.stepMark, .string(stepMark)))
    }
    return metadata
  }

  /// The entry with the version hashes of models other than the app's, those of persistent history;
  /// `nil` if the store has none.
  package var ancillaryModelHashes: PropertyList.Member? {
    members.first { $0.key == Key.ancillaryHashes }
  }

  /// The value of an entry; `nil` if it does not exist.
  package subscript(key: String) -> PropertyList? { members.first { $0.key == key }?.value }

  /// The migrations that Passage ran on the store; empty if it ran none.
  ///
  /// - Complexity: O(n) in the size of the entry.
  package var migrationLedger: MigrationLedger {
    MigrationLedger(reading: self[MigrationLedger.key])
  }

  /// What tells the store of a step before the last from those of other runs; `nil` for every other store.
  package var stepMark: String? { self[Key.stepMark]?.string }

  /// The entries that belong neither to Core Data nor to Passage.
  package var appMembers: [PropertyList.Member] { members.filter { !Key.all.contains($0.key) } }

  /// The version identifiers of the model the store was written with.
  package var modelVersionIdentifiers: [String] {
    self[Key.versionIdentifiers]?.elements?.compactMap(\.string) ?? []
  }

  /// The version hash of each entity, by name; empty if the store has none.
  package var versionHashes: [String: [UInt8]] {
    Dictionary(
      (self[Key.hashes]?.members ?? []).compactMap { member in
        member.value.bytes.map { (member.key, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The digest of the version hashes, which recent systems write.
  package var versionHashesDigest: String? { self[Key.digest]?.string }
  /// The checksum of the version hashes, which recent systems write.
  package var versionChecksum: String? { self[Key.checksum]?.string }
  /// The format of the version hashes: 3 in every store since 2010.
  package var hashesVersion: Int64? { self[Key.hashesVersion]?.integer }
  /// The version number of the framework that last wrote the store.
  package var frameworkVersion: Int64? { self[Key.frameworkVersion]?.integer }
  /// `SQLite`, in every store seen.
  package var storeType: String? { self[Key.storeType]?.string }

  /// Whether the store was written with a model of these hashes: the same entities with equal
  /// hashes.
  package func isCompatible(with hashes: ModelHashes) -> Bool { versionHashes == hashes.hashes }

  /// The property list as bytes, for `Z_PLIST`.
  package var propertyListBytes: [UInt8] {
    PropertyList.dictionary(members).binaryPropertyList
  }

  /// The framework version written into new stores: the first one whose stores have all the entries
  /// that are written.
  static let writtenFrameworkVersion: Int64 = 1_344

  enum Key {
    static let storeType = "NSStoreType"
    static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
    static let hashesVersion = "NSStoreModelVersionHashesVersion"
    static let frameworkVersion = "NSPersistenceFrameworkVersion"
    static let hashes = "NSStoreModelVersionHashes"
    static let autoVacuumLevel = "_NSAutoVacuumLevel"
    static let digest = "NSStoreModelVersionHashesDigest"
    static let checksum = "NSStoreModelVersionChecksumKey"
    static let stepMark = "PassageStepMark"
    static let ancillaryHashes = "_NSStoreAncillaryModelVersionHashesMetadataKey"

    /// The keys of entries that describe the model or the file, or that Passage writes. A migration
    /// never copies them unchanged.
    static let all: Set<String> = [
      storeType, versionIdentifiers, hashesVersion, frameworkVersion, hashes, autoVacuumLevel,
      digest, checksum, "NSStoreUUID", "NSPersistenceMaximumFrameworkVersion",
      ancillaryHashes, MigrationLedger.key, RestorationRecord.key, stepMark,
    ]
  }
}
