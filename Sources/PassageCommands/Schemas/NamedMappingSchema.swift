internal import Passage

/// The schema of the mapping models between two models: the general one, with the names of their
/// entities, attributes and relationships.
struct NamedMappingSchema {
  private let source: Model
  private let destination: Model

  /// - Parameters:
  ///   - source: the model whose objects are read.
  ///   - destination: the model whose objects are made.
  init(from source: Model, to destination: Model) {
    self.source = source
    self.destination = destination
  }

  /// The schema.
  ///
  /// - Throws: `CMD-098` if it would be larger than ``maximumBytes``, `MAP-001` if the general schema cannot
  ///   be read, which a test excludes.
  /// - Complexity: O(*n*) in its size, which is bounded before any of it is made.
  func json() throws(Diagnostic) -> JSONText {
    try checkSize()
    let general = try JSONParser.parse(EditorSchema.mapping.bytes, file: "mapping.schema.json")
    var schema = JSONText(general)
    schema.change(["title"]) {
      $0 = .string("Passage mapping model from “\(source.name)” to “\(destination.name)”")
    }
    let mapping = ["$defs", "entityMapping"]
    schema.change(mapping + ["properties", "source"]) {
      $0.add("enum", .strings(source.entities.map(\.name)))
    }
    schema.change(mapping + ["properties", "destination"]) {
      $0.add("enum", .strings(destination.entities.map(\.name)))
    }
    schema.change(mapping + ["allOf"]) {
      guard case .list(let rules) = $0 else { return }
      $0 = .list(rules + destination.entities.map(properties) + source.entities.map(examples))
    }
    return schema
  }

  /// The most that a schema may have: as much as a JSON file that Passage reads.
  private static let maximumBytes = JSONParser.maximumBytes

  /// Refuses models whose schema would be too large. Each subentity repeats the names that it inherits,
  /// so a schema can be much larger than its models.
  private func checkSize() throws(Diagnostic) {
    var byteCount = 0
    for entity in destination.entities {
      byteCount += entity.name.utf8.count
      for attribute in destination.attributes(of: entity)
      where attribute.isStored && attribute.derivation == nil {
        byteCount += attribute.name.utf8.count + Self.leastBytes
      }
      for relationship in destination.relationships(of: entity) where !relationship.isTransient {
        byteCount +=
          relationship.name.utf8.count + relationship.destinationEntityName.utf8.count
          + Self.leastBytes
      }
      try check(byteCount)
    }
    for entity in source.entities {
      byteCount += entity.name.utf8.count
      // A filter and a value, or a function that has the name twice.
      for attribute in source.attributes(of: entity) where attribute.isStored {
        byteCount += 2 * attribute.name.utf8.count + Self.leastBytes
      }
      for relationship in source.relationships(of: entity) where !relationship.isTransient {
        byteCount += 2 * relationship.name.utf8.count + Self.leastBytes
      }
      try check(byteCount)
    }
  }

  /// The least that the schema has around the names of a property.
  private static let leastBytes = 50

  private func check(_ byteCount: Int) throws(Diagnostic) {
    guard byteCount > Self.maximumBytes else { return }
    throw Diagnostic(
      "CMD-098", "the schema of these models is larger than \(Self.maximumBytes) bytes",
      reason: "it lists the properties of each entity, with those that the entity inherits",
      remedy: "leave out --for: the schema without names fits every mapping model")
  }

  /// The properties that a mapping to an entity may list.
  private func properties(_ entity: Entity) -> JSONText {
    let attributes = destination.attributes(of: entity)
      .filter { $0.isStored && $0.derivation == nil }
      .map { (name: $0.name, words: $0.type.name + ($0.isOptional ? "" : ", required")) }
    let relationships = destination.relationships(of: entity).filter { !$0.isTransient }
      .map {
        (
          name: $0.name,
          words: "\($0.isToMany ? "to-many" : "to-one"), “\($0.destinationEntityName)”"
            + ($0.isOptional ? "" : ", required")
        )
      }
    return rule(
      "destination", entity.name,
      [("attributes", listed(attributes)), ("relationships", listed(relationships))])
  }

  private func listed(_ properties: [(name: String, words: String)]) -> JSONText {
    .object([
      (
        "properties",
        .object(
          properties.map {
            (
              $0.name,
              .shortObject([
                ("description", .string($0.words)), ("$ref", .string("#/$defs/property")),
              ])
            )
          })
      ),
      ("additionalProperties", .bool(false)),
    ])
  }

  /// Values and filters over the properties of a source entity, which editors propose.
  private func examples(_ entity: Entity) -> JSONText {
    let attributes = source.attributes(of: entity).filter(\.isStored).map(\.name)
    let objects = source.relationships(of: entity).filter { !$0.isTransient }.map(\.name).map {
      "FUNCTION($manager, \"\(RelationshipValue.relationshipSelector)\", \"\($0)\", $source.\($0))"
    }
    let members: [(name: String, value: JSONText?)] = [
      ("filter", proposed(attributes.map { "\($0) != nil" })),
      ("attributes", ofEach(proposed(attributes.map { "$source.\($0)" }))),
      ("relationships", ofEach(proposed(objects))),
    ]
    return rule(
      "source", entity.name,
      members.compactMap { member in member.value.map { (member.name, $0) } })
  }

  private func proposed(_ texts: [String]) -> JSONText? {
    texts.isEmpty ? nil : .object([("examples", .strings(texts))])
  }

  private func ofEach(_ schema: JSONText?) -> JSONText? {
    schema.map { .object([("additionalProperties", $0)]) }
  }

  /// What holds for the members of entity mappings with an entity.
  private func rule(
    _ member: String, _ entity: String, _ members: [(name: String, value: JSONText)]
  ) -> JSONText {
    let condition = JSONText.object([
      (
        "properties",
        .shortObject([(member, .shortObject([("const", .string(entity))]))])
      ),
      ("required", .shortList([.string(member)])),
    ])
    return .object([
      ("if", condition), ("then", .object([("properties", .object(members))])),
    ])
  }
}
