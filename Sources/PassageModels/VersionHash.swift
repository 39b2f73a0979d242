internal import PassagePlatform

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
    var digest = MessageDigest()
    digest.update(entity.name)
    digest.update([entity.isAbstract ? 1 : 0])
    if let parent { digest.update(parent) }
    for property in properties { digest.update(property.bytes) }
    digest.update(entity.versionHashModifier ?? "")
    for constraint in entity.uniquenessConstraints {
      digest.update(constraint.joined(separator: "."))
    }
    return digest.finalized
  }

  /// The hashes of the properties an entity declares itself. Transient ones have none.
  func ownProperties(of entity: Entity) -> [PropertyHash] {
    entity.attributes.filter { !$0.isTransient }
      .map { PropertyHash(name: $0.name, bytes: hash(of: $0)) }
      + entity.relationships.filter { !$0.isTransient }
      .map { PropertyHash(name: $0.name, bytes: hash(of: $0, in: entity)) }
  }

  private func hash(of attribute: Attribute) -> [UInt8] {
    var digest = MessageDigest()
    if let derivation = attribute.derivation {
      digest.update(DerivationText(derivation)?.printed ?? derivation)
      return digest.finalized
    }
    digest.update(
      base(
        attribute.name, isOptional: attribute.isOptional, modifier: attribute.versionHashModifier))
    digest.update(attribute.type.rawValue)
    if attribute.allowsExternalBinaryDataStorage { digest.update([1]) }
    if attribute.preservesValueOnDeletion { digest.update([1]) }
    return digest.finalized
  }

  private func hash(of relationship: Relationship, in entity: Entity) -> [UInt8] {
    var digest = MessageDigest()
    digest.update(
      base(
        relationship.name, isOptional: relationship.isOptional,
        modifier: relationship.versionHashModifier))
    digest.update(relationship.destinationEntityName)
    if !model.isSelfInverse(relationship, of: entity) {
      digest.update(relationship.inverseName ?? "")
    }
    digest.update(UInt32(clamping: relationship.maximumCount))
    digest.update(UInt32(clamping: relationship.minimumCount))
    if relationship.isOrdered { digest.update([1, 0]) }
    return digest.finalized
  }

  private func base(_ name: String, isOptional: Bool, modifier: String?) -> [UInt8] {
    var digest = MessageDigest()
    digest.update(name)
    digest.update([isOptional ? 1 : 0, 0])
    digest.update(modifier ?? "")
    return digest.finalized
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

extension MessageDigest {
  fileprivate mutating func update(_ text: String) { update(Array(text.utf8)) }
  fileprivate mutating func update(_ number: UInt32) {
    update((0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }
}
