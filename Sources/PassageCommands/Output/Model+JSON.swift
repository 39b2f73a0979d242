internal import Passage

extension Model {
  /// The members that a model and a store with a known model share.
  ///
  /// - Parameter counts: objects by entity name; `nil` for a model alone.
  func jsonMembers(counts: [String: Int64]?) -> [(name: String, value: JSONText)] {
    [
      ("entities", .list(entities.map { json($0, counts: counts) })),
      ("versionHashesDigest", .string(versionHashesDigest)),
      ("versionChecksum", .string(versionChecksum)),
    ]
  }

  private func json(_ entity: Entity, counts: [String: Int64]?) -> JSONText {
    var members: [(name: String, value: JSONText)] = [
      ("name", .string(entity.name)), ("versionHash", .string(versionHash(of: entity).base64)),
      ("abstract", .bool(entity.isAbstract)), ("parent", .optional(entity.parentName)),
    ]
    if let counts { members.append(("objects", .integer(counts[entity.name] ?? 0))) }
    members += [
      ("attributes", .list(entity.attributes.map(\.json))),
      ("relationships", .list(entity.relationships.map(\.json))),
    ]
    return .object(members)
  }
}

extension Attribute {
  fileprivate var json: JSONText {
    .shortObject([
      ("name", .string(name)), ("type", .string(type.name)), ("optional", .bool(isOptional)),
      ("transient", .bool(isTransient)), ("derived", .bool(derivation != nil)),
    ])
  }
}

extension Relationship {
  fileprivate var json: JSONText {
    .shortObject([
      ("name", .string(name)), ("destination", .string(destinationEntityName)),
      ("inverse", .optional(inverseName)), ("toMany", .bool(isToMany)),
      ("ordered", .bool(isOrdered)), ("optional", .bool(isOptional)),
      ("transient", .bool(isTransient)), ("minimumCount", .integer(minimumCount)),
      ("maximumCount", .integer(maximumCount)), ("deleteRule", .string(deleteRule.name)),
    ])
  }
}
