internal import Passage

extension Model {
  /// The entities as in a model file, with their version hashes.
  var entitiesJSON: JSONText {
    let hashes = versionHashes
    return .list(
      entities.map { entity in
        json(
          entity, hash: hashes[entity.name], origin: hashOrigin(of: entity).rawValue, counts: nil)
      })
  }

  /// The entities as in a store, with the version hashes that it records.
  ///
  /// - Parameters:
  ///   - hashes: the recorded version hashes.
  ///   - counts: the number of objects by entity name; `nil` if they could not be counted.
  func entitiesJSON(recordedHashes hashes: [String: [UInt8]], counts: [String: Int64]?) -> JSONText
  {
    let others = hashes.keys.filter { entity(named: $0) == nil }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return .list(
      entities.map { json($0, hash: hashes[$0.name], origin: "recorded", counts: counts ?? [:]) }
        + others.map {
          .shortObject([
            ("name", .string($0)), ("versionHash", .optional(hashes[$0]?.base64)),
            ("versionHashOrigin", .string("recorded")),
          ])
        })
  }

  private func json(
    _ entity: Entity, hash: [UInt8]?, origin: String, counts: [String: Int64]?
  ) -> JSONText {
    var members: [(name: String, value: JSONText)] = [
      ("name", .string(entity.name)), ("versionHash", .optional(hash?.base64)),
      ("versionHashOrigin", hash == nil ? .null : .string(origin)),
      ("abstract", .bool(entity.isAbstract)), ("parent", .optional(entity.parentName)),
    ]
    if let counts {
      members.append(("objects", counts[entity.name].map { .integer($0) } ?? .null))
    }
    members += [
      ("attributes", .list(entity.attributes.map(\.json))),
      ("relationships", .list(entity.relationships.map(\.json))),
    ]
    if !entity.fetchedProperties.isEmpty {
      members.append(("fetchedProperties", .strings(entity.fetchedProperties.map(\.name))))
    }
    if !entity.uniquenessConstraints.isEmpty {
      members.append(
        ("uniquenessConstraints", .shortList(entity.uniquenessConstraints.map { .strings($0) })))
    }
    if !entity.indexes.isEmpty {
      members.append(("indexes", .strings(entity.indexes.map(\.name))))
    }
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
