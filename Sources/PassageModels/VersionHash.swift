internal import Crypto

/// Core Data's version hash, in its format 3: 32 bytes that change when the stored shape of an
/// entity does.
///
/// Apple documents which properties take part, but not the bytes. The rules here reproduce every
/// hash of the stores they were checked with. Strings are hashed as UTF-8 without a length or a
/// terminator, counts as four bytes, lowest first.
struct VersionHash {
  let model: Model

  /// The hash of one property, as part of the entity's hash.
  struct PropertyHash {
    var name: String
    var bytes: [UInt8]
  }

  /// An entity's hash: its name, whether it is abstract, its parent's hash, every stored property
  /// (including inherited ones, by name), its modifier, its uniqueness constraints.
  func hash(
    of entity: Entity, parent: [UInt8]?, properties: [PropertyHash]
  ) -> [UInt8] {
    var hasher = SHA256()
    hasher.update(entity.name)
    hasher.update([entity.isAbstract ? 1 : 0])
    if let parent { hasher.update(data: parent) }
    for property in properties { hasher.update(data: property.bytes) }
    hasher.update(entity.versionHashModifier ?? "")
    for constraint in entity.uniquenessConstraints {
      hasher.update(constraint.joined(separator: "."))
    }
    return Array(hasher.finalize())
  }

  /// The hashes of the properties an entity declares itself. Transient ones have none.
  func ownProperties(of entity: Entity) -> [PropertyHash] {
    entity.attributes.filter { !$0.isTransient }
      .map { PropertyHash(name: $0.name, bytes: hash(of: $0)) }
      + entity.relationships.filter { !$0.isTransient }
      .map { PropertyHash(name: $0.name, bytes: hash(of: $0, in: entity)) }
  }

  private func hash(of attribute: Attribute) -> [UInt8] {
    var hasher = SHA256()
    if let derivation = attribute.derivation {
      hasher.update(DerivationText(derivation)?.printed ?? derivation)
      return Array(hasher.finalize())
    }
    hasher.update(
      data: base(
        attribute.name, isOptional: attribute.isOptional, modifier: attribute.versionHashModifier))
    hasher.update(attribute.type.rawValue)
    if attribute.allowsExternalBinaryDataStorage { hasher.update([1]) }
    if attribute.preservesValueOnDeletion { hasher.update([1]) }
    return Array(hasher.finalize())
  }

  private func hash(of relationship: Relationship, in entity: Entity) -> [UInt8] {
    var hasher = SHA256()
    hasher.update(
      data: base(
        relationship.name, isOptional: relationship.isOptional,
        modifier: relationship.versionHashModifier))
    hasher.update(relationship.destinationEntityName)
    if !model.isSelfInverse(relationship, of: entity) {
      hasher.update(relationship.inverseName ?? "")
    }
    hasher.update(UInt32(clamping: relationship.maximumCount))
    hasher.update(UInt32(clamping: relationship.minimumCount))
    if relationship.isOrdered { hasher.update([1, 0]) }
    return Array(hasher.finalize())
  }

  private func base(_ name: String, isOptional: Bool, modifier: String?) -> [UInt8] {
    var hasher = SHA256()
    hasher.update(name)
    hasher.update([isOptional ? 1 : 0, 0])
    hasher.update(modifier ?? "")
    return Array(hasher.finalize())
  }
}

extension Model {
  /// Whether the relationship is its own inverse, as in a symmetric friendship.
  func isSelfInverse(_ relationship: Relationship, of entity: Entity) -> Bool {
    guard relationship.inverseName == relationship.name,
      let destination = self.entity(named: relationship.destinationEntityName)
    else { return false }
    let declaring = lineage(of: destination).first {
      declaresRelationship(relationship.name, entityNamed: $0.name)
    }
    return declaring?.name == entity.name
  }
}

extension SHA256 {
  fileprivate mutating func update(_ text: String) { update(data: Array(text.utf8)) }
  fileprivate mutating func update(_ bytes: [UInt8]) { update(data: bytes) }
  fileprivate mutating func update(_ number: UInt32) {
    update(data: (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }
}
