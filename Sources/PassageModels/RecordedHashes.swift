/// The origin of an entity's version hash.
package enum HashOrigin: String, Sendable, Hashable, CaseIterable {
  /// Computed by rules that are confirmed by stores which Core Data wrote.
  case computed
  /// Recorded by Core Data or Xcode's compiler, because no store confirms a rule for it.
  case recorded
  /// Computed by a rule that no store confirms, so it may differ from Core Data's.
  case unproved
}

/// The version hashes of a model that Core Data or Xcode's compiler recorded.
enum RecordedHashes {
  /// The length of a SHA-256 in bytes.
  static let byteCount = 32
}

extension Model {
  /// The origin of an entity's version hash.
  ///
  /// - Complexity: O(p) in the properties of the entity, inherited ones included.
  package func hashOrigin(of entity: Entity) -> HashOrigin {
    if isHashProved(of: entity) { return .computed }
    return entity.recordedVersionHash == nil ? .unproved : .recorded
  }

  /// The entities whose version hash is computed by a rule that no store confirms, by name. A store
  /// of this model may have other hashes.
  public var entitiesWithUnprovedHash: [String] {
    let concerned = Set(unprovedHashes.map(\.entityName))
    return entities.filter { concerned.contains($0.name) && $0.recordedVersionHash == nil }
      .map(\.name)
  }

  /// The model with recorded version hashes for the entities whose own cannot be computed with
  /// certainty. Other entities are unchanged.
  ///
  /// - Parameter hashes: 32 bytes by entity name; values of other lengths are ignored.
  public func recording(_ hashes: [String: [UInt8]]) -> Model {
    let concerned = Set(unprovedHashes.map(\.entityName))
    guard concerned.contains(where: { hashes[$0] != nil }) else { return self }
    return replacingEntities { entity in
      guard concerned.contains(entity.name), let hash = hashes[entity.name],
        hash.count == RecordedHashes.byteCount
      else { return }
      entity.recordedVersionHash = hash
    }
  }

  /// The model with recorded hashes of another model, for every entity whose own cannot be computed
  /// with certainty and that has the same shape there.
  ///
  /// - Returns: the model, and the names of the entities that got a hash.
  public func adoptingHashes(of other: Model) -> (model: Model, entityNames: [String]) {
    var hashes: [String: [UInt8]] = [:]
    for name in entitiesWithUnprovedHash {
      guard let entity = entity(named: name), let twin = other.entity(named: name),
        let hash = twin.recordedVersionHash, hasSameShape(entity, as: twin, of: other)
      else { continue }
      hashes[name] = hash
    }
    let names = hashes.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return (recording(hashes), names)
  }

  /// The recorded version hash, if the hash cannot be computed.
  func recordedHash(of entity: Entity) -> [UInt8]? {
    guard let hash = entity.recordedVersionHash, !isHashProved(of: entity) else { return nil }
    return hash
  }

  private func isHashProved(of entity: Entity) -> Bool {
    lineage(of: entity).allSatisfy { $0.unprovedReasons.isEmpty }
  }

  /// Whether everything that affects the version hash is equal, up to the root entity.
  private func hasSameShape(_ entity: Entity, as twin: Entity, of other: Model) -> Bool {
    let (own, others) = (lineage(of: entity), other.lineage(of: twin))
    return own.count == others.count
      && zip(own, others).allSatisfy { one, two in
        one.name == two.name && !EntityDifference(from: two, to: one).changesVersionHash
      }
  }

  private func replacingEntities(_ change: (inout Entity) -> Void) -> Model {
    recording(
      entities: entities.map { entity in
        var entity = entity
        change(&entity)
        return entity
      })
  }
}
