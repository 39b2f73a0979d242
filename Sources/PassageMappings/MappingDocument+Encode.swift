internal import PassageDiagnostics
internal import PassageExpressions
package import PassageModels
internal import PassagePlatform

extension MappingDocument {
  /// The mapping model as this project's JSON, with a final line break.
  ///
  /// The text depends only on the mapping model: entity mappings and properties in their order, one
  /// line for each property, and only members that differ from their defaults. Reading it gives an
  /// equal mapping model if a file can express it: no property is mapped twice in one entity
  /// mapping, and each entity mapping has the entities that its type requires.
  ///
  /// - Parameters:
  ///   - model: the mapping model.
  ///   - schema: the value of `$schema`; `nil` to leave it out.
  public static func encode(_ model: MappingModel, schema: String? = nil) -> String {
    json(model, schema: schema).rendered() + "\n"
  }

  /// The mapping model as JSON inside a larger object; see ``encode(_:schema:)``.
  package static func json(_ model: MappingModel, schema: String? = nil) -> JSONText {
    var members: [(name: String, value: JSONText)] = []
    if let schema { members.append(("$schema", .string(schema))) }
    members.append(("name", .string(model.name)))
    members.append(("source", .string(model.source.value)))
    members.append(("destination", .string(model.destination.value)))
    if model.nullSemantics != .inMemory {
      members.append(("nullSemantics", .string(model.nullSemantics.rawValue)))
    }
    if !model.variables.isEmpty {
      members.append(
        (
          "variables",
          .object(
            model.variables.sorted { $0.key < $1.key }.map { ($0.key, argument($0.value)) })
        ))
    }
    members.append(("entityMappings", .list(model.entityMappings.map(entityMapping))))
    return .object(members)
  }

  static func argument(_ argument: PredicateArgument) -> JSONText {
    switch argument {
    case .null: .null
    case .boolean(let value): .bool(value)
    case .integer(let value): .number(String(value))
    case .real(let value): .number(String(value))
    case .string(let text): .string(text)
    case .date(let date):
      .shortObject([("date", .string(PredicateArgument.text(of: date) ?? ""))])
    case .uuid(let uuid): .shortObject([("uuid", .string(uuid.uuidString))])
    case .url(let text): .shortObject([("url", .string(text))])
    case .data(let data): .shortObject([("data", .string(data.base64EncodedString()))])
    case .object(let entity, let key):
      .shortObject([("object", .string(PredicateArgument.uri(ofObject: entity, key: key)))])
    case .list(let elements): .shortList(elements.map { Self.argument($0) })
    case .keyPath(let text): .shortObject([("keyPath", .string(text))])
    }
  }

  private static func entityMapping(_ mapping: EntityMapping) -> JSONText {
    let source = mapping.sourceEntityName?.value
    let destination = mapping.destinationEntityName?.value
    var members: [(name: String, value: JSONText)] = []
    if mapping.name.value
      != EntityMapping.defaultName(source: source, destination: destination)
    {
      members.append(("name", .string(mapping.name.value)))
    }
    members.append(("type", .string(mapping.kind.rawValue)))
    if let source { members.append(("source", .string(source))) }
    if let destination { members.append(("destination", .string(destination))) }
    if let filter = mapping.filter { members.append(("filter", .string(filter.value))) }
    if let policy = mapping.policy { members.append(("policy", Self.policy(policy))) }
    if let list = mapping.forEach { members.append(("forEach", .string(list.value))) }
    if let merge = mapping.merge { members.append(("mergeBy", Self.merge(merge))) }
    if !mapping.addedObjects.isEmpty {
      members.append(("objects", .list(mapping.addedObjects.map(addedObject))))
    }
    if !mapping.attributeMappings.isEmpty {
      members.append(("attributes", properties(mapping.attributeMappings)))
    }
    if !mapping.relationshipMappings.isEmpty {
      members.append(("relationships", properties(mapping.relationshipMappings)))
    }
    if let draft = mapping.draft { members.append(("draft", .string(draft.value))) }
    return .object(members)
  }

  private static func policy(_ policy: EntityMapping.PolicyReference) -> JSONText {
    if policy.userInfo.isEmpty { return .string(policy.name.value) }
    return .shortObject([
      ("name", .string(policy.name.value)), ("userInfo", texts(policy.userInfo)),
    ])
  }

  private static func properties(_ properties: [PropertyMapping]) -> JSONText {
    .object(properties.map { ($0.name.value, property($0)) })
  }

  /// `{}` for the property of the same name, `null` for the default value, a string for an
  /// expression, and an object for anything else.
  private static func property(_ property: PropertyMapping) -> JSONText {
    var members: [(name: String, value: JSONText)] = []
    switch property.source {
    case .sameName: break
    case .leftAtDefault: members.append(("value", .null))
    case .expression(let text): members.append(("value", .string(text.value)))
    }
    if property.fallback == nil, property.userInfo.isEmpty, property.combination == nil,
      property.sortKeys.isEmpty, property.draft == nil, let only = members.first
    {
      return only.value
    }
    if let fallback = property.fallback { members.append(("default", .string(fallback.value))) }
    if let combination = property.combination {
      members.append(("combine", .string(combination.rawValue)))
    }
    if !property.sortKeys.isEmpty { members.append(("sortedBy", sortKeys(property.sortKeys))) }
    if !property.userInfo.isEmpty { members.append(("userInfo", texts(property.userInfo))) }
    if let draft = property.draft { members.append(("draft", .string(draft.value))) }
    return .shortObject(members)
  }

  private static func merge(_ merge: EntityMapping.Merge) -> JSONText {
    if merge.kept == .first { return .string(merge.value.value) }
    return .shortObject([
      ("value", .string(merge.value.value)), ("keep", .string(merge.kept.rawValue)),
    ])
  }

  private static func addedObject(_ object: EntityMapping.AddedObject) -> JSONText {
    .shortObject(object.values.map { ($0.name.value, argument($0.value)) })
  }

  private static func sortKeys(_ keys: [PropertyMapping.SortKey]) -> JSONText {
    let texts = keys.map { key -> JSONText in
      if key.isAscending { return .string(key.value.value) }
      return .shortObject([("value", .string(key.value.value)), ("ascending", .bool(false))])
    }
    return texts.count == 1 ? texts[0] : .shortList(texts)
  }

  private static func texts(_ texts: [String: String]) -> JSONText {
    let sorted = texts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return .shortObject(sorted.map { ($0.key, .string($0.value)) })
  }
}
