/// What a store says about itself: the one row of `Z_METADATA`.
package struct StoreMetadata: Sendable, Hashable {
  /// The store's UUID as text; object URIs carry it.
  package var storeUUID: String
  /// The property list, Core Data's keys and the app's own, in the order of the file.
  package private(set) var members: [PropertyList.Member]

  /// - Parameters:
  ///   - storeUUID: the store's UUID as text.
  ///   - members: the entries of its property list.
  package init(storeUUID: String, members: [PropertyList.Member]) {
    self.storeUUID = storeUUID
    self.members = members
  }

  /// The metadata of a new store of a model.
  ///
  /// - Parameters:
  ///   - storeUUID: the store's UUID as text.
  ///   - hashes: the model's version hashes.
  ///   - versionIdentifiers: the model's version identifiers.
  ///   - appMembers: the app's own entries; those named like Core Data's are left out.
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
          // Xcode compiles a model without identifier to one with an empty identifier.
          .array((versionIdentifiers.isEmpty ? [""] : versionIdentifiers).map { .string($0) })),
        PropertyList.Member(Key.storeType, .string("SQLite")),
      ] + appMembers.filter { !Key.all.contains($0.key) }
  }

  /// The metadata of this store's successor at another model: the UUID and the app's entries stay,
  /// Core Data's own entries are created from scratch.
  ///
  /// - Parameters:
  ///   - hashes: of the model that is reached.
  ///   - versionIdentifiers: of the model that is reached.
  ///   - ancillary: the entry of the models beside the app's own, when their tables are carried over
  ///     too.
  ///   - ledger: what ran on the store; `nil` for what is recorded here.
  package func carriedOver(
    to hashes: ModelHashes, versionIdentifiers: [String], ancillary: PropertyList.Member? = nil,
    ledger: MigrationLedger? = nil
  ) -> StoreMetadata {
    var metadata = StoreMetadata(
      storeUUID: storeUUID, hashes: hashes, versionIdentifiers: versionIdentifiers,
      appMembers: appMembers)
    if let ancillary { metadata.members.append(ancillary) }
    if let list = ledger?.propertyList ?? self[MigrationLedger.key] {
      metadata.members.append(PropertyList.Member(MigrationLedger.key, list))
    }
    return metadata
  }

  /// The version hashes of the models beside the app's own, those of the persistent history; `nil`
  /// when the store has none.
  package var ancillaryModelHashes: PropertyList.Member? {
    members.first { $0.key == Key.ancillaryHashes }
  }

  /// The value of an entry; `nil` when there is none.
  package subscript(key: String) -> PropertyList? { members.first { $0.key == key }?.value }

  /// What ran on the store, as far as Passage ran it; empty where it did not.
  ///
  /// - Complexity: O(n) in the size of the entry.
  package var migrationLedger: MigrationLedger {
    MigrationLedger(reading: self[MigrationLedger.key])
  }

  /// The entries that are neither Core Data's own nor the record of what ran.
  package var appMembers: [PropertyList.Member] { members.filter { !Key.all.contains($0.key) } }

  /// The version identifiers of the model the store was written with.
  package var modelVersionIdentifiers: [String] {
    self[Key.versionIdentifiers]?.elements?.compactMap(\.string) ?? []
  }

  /// The version hash of each entity, by name; empty when there are none.
  package var versionHashes: [String: [UInt8]] {
    Dictionary(
      (self[Key.hashes]?.members ?? []).compactMap { member in
        member.value.bytes.map { (member.key, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The digest of the version hashes, in stores of recent systems.
  package var versionHashesDigest: String? { self[Key.digest]?.string }
  /// The checksum of the version hashes, in stores of recent systems.
  package var versionChecksum: String? { self[Key.checksum]?.string }
  /// The format of the version hashes: 3 in every store since 2010.
  package var hashesVersion: Int64? { self[Key.hashesVersion]?.integer }
  /// The number of the framework that wrote the store last.
  package var frameworkVersion: Int64? { self[Key.frameworkVersion]?.integer }
  /// `SQLite`, in every store seen.
  package var storeType: String? { self[Key.storeType]?.string }

  /// Whether a store was written with a model of these hashes: all entities of both, each hash.
  package func isCompatible(with hashes: ModelHashes) -> Bool { versionHashes == hashes.hashes }

  /// The property list's bytes, as `Z_PLIST` holds them.
  package var propertyListBytes: [UInt8] {
    PropertyList.dictionary(members).binaryPropertyList
  }

  /// The framework number written into new stores: the first whose stores carry every entry that is
  /// written.
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
    static let ancillaryHashes = "_NSStoreAncillaryModelVersionHashesMetadataKey"

    /// The entries that describe the model or the file, or are made by Passage: none of them outlives
    /// a migration as it is.
    static let all: Set<String> = [
      storeType, versionIdentifiers, hashesVersion, frameworkVersion, hashes, autoVacuumLevel,
      digest, checksum, "NSStoreUUID", "NSPersistenceMaximumFrameworkVersion",
      ancillaryHashes, MigrationLedger.key,
    ]
  }
}
