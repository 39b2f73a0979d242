internal import PassagePlatform

extension Model {
  /// The entity's version hash: 32 bytes, as a store of this model has them in
  /// `NSStoreModelVersionHashes`.
  ///
  /// If a hash depends on a rule that no store has confirmed, the recorded hash is used if there is
  /// one. `hashOrigin(of:)` says which one it is.
  ///
  /// - Complexity: that of ``versionHashes`` for an entity of the model; O(d · p) for a changed
  ///   entity with d levels of inheritance and p properties.
  public func versionHash(of entity: Entity) -> [UInt8] {
    if self.entity(named: entity.name) == entity, let hash = versionHashes[entity.name] {
      return hash
    }
    var known: [String: [UInt8]] = [:]
    var properties: [String: [VersionHash.PropertyHash]] = [:]
    return versionHash(of: entity, known: &known, properties: &properties)
  }

  /// Every entity's version hash, by name.
  ///
  /// - Complexity: the first call is linear in the number of properties; later calls on the model
  ///   and its copies take O(1).
  public var versionHashes: [String: [UInt8]] { knownHashes.value(computeHashes) }

  private func computeHashes() -> [String: [UInt8]] {
    var known: [String: [UInt8]] = [:]
    known.reserveCapacity(entities.count)
    var properties: [String: [VersionHash.PropertyHash]] = [:]
    for entity in entities where known[entity.name] == nil {
      _ = versionHash(of: entity, known: &known, properties: &properties)
    }
    return known
  }

  /// The digest of all version hashes, as a store has it in `NSStoreModelVersionHashesDigest`:
  /// SHA-512 of the name and hash of each entity, by name, in Base-64.
  public var versionHashesDigest: String { Self.versionHashesDigest(of: versionHashes) }

  /// The checksum of all version hashes, as a store has it in `NSStoreModelVersionChecksumKey` and
  /// a staged migration names it: SHA-256 of the hashes, by entity name, in Base-64.
  public var versionChecksum: String { Self.versionChecksum(of: versionHashes) }

  /// The digest of recorded version hashes: see ``versionHashesDigest``.
  public static func versionHashesDigest(of hashes: [String: [UInt8]]) -> String {
    var digest = MessageDigest(.sha512)
    for (name, hash) in Self.inOrder(hashes) {
      digest.update(Array(name.utf8))
      digest.update(hash)
    }
    return Data(digest.finalized).base64EncodedString()
  }

  /// The checksum of recorded version hashes: see ``versionChecksum``.
  public static func versionChecksum(of hashes: [String: [UInt8]]) -> String {
    var digest = MessageDigest()
    for (_, hash) in Self.inOrder(hashes) { digest.update(hash) }
    return Data(digest.finalized).base64EncodedString()
  }

  private static func inOrder(_ hashes: [String: [UInt8]]) -> [(key: String, value: [UInt8])] {
    hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  /// Starts at the root entity, so that no depth of inheritance can overflow the stack.
  private func versionHash(
    of entity: Entity, known: inout [String: [UInt8]],
    properties: inout [String: [VersionHash.PropertyHash]]
  ) -> [UInt8] {
    let hashing = VersionHash(model: self)
    let lineage = lineage(of: entity)
    var parent: [UInt8]?
    var inherited: [VersionHash.PropertyHash] = []
    for (level, current) in lineage.enumerated().reversed() {
      let own = properties[current.name] ?? hashing.ownProperties(of: current)
      properties[current.name] = own
      inherited += own
      if level > 0, let hash = known[current.name] {
        parent = hash
        continue
      }
      let sorted = inherited.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      let hash =
        recordedHash(of: current)
        ?? hashing.hash(of: current, parent: parent, properties: sorted)
      known[current.name] = hash
      parent = hash
    }
    return parent ?? []
  }
}
