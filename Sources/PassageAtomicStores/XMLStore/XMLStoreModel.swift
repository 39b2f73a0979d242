internal import PassageModels

/// The model that can be derived from the objects of a Core Data XML store.
struct XMLStoreModel {
  private let root: MarkupElement
  private let path: String

  init(_ root: MarkupElement, path: String) {
    self.root = root
    self.path = path
  }

  func model() -> Model {
    let known = Dictionary(
      XMLStoreInfo(root).versionHashes.keys.map { ($0.uppercased(), $0) },
      uniquingKeysWith: { first, _ in first })
    func name(_ written: String) -> String { known[written.uppercased()] ?? written }
    var entities: [String: Entity] = [:]
    for entity in known.values { entities[entity] = Entity(name: entity) }
    var seen: [String: Set<String>] = [:]
    for object in root.children where object.name == "object" {
      let entity = name(object.attributes["type"] ?? "")
      if entity.isEmpty { continue }
      for child in object.children {
        guard let property = child.attributes["name"],
          seen[entity, default: []].insert(property).inserted
        else { continue }
        if child.name == "attribute" {
          entities[entity, default: Entity(name: entity)].attributes.append(
            Attribute(name: property, type: Self.type(child.attributes["type"] ?? "")))
        } else if child.name == "relationship", let target = child.attributes["destination"] {
          entities[entity, default: Entity(name: entity)].relationships.append(
            Relationship(
              name: property, destinationEntityName: name(target),
              maximumCount: child.attributes["type"]?.hasSuffix("/1") == true ? 1 : 0))
        }
      }
      entities[entity] = entities[entity] ?? Entity(name: entity)
    }
    // The destination of a relationship may be an entity without objects.
    for target in entities.values.flatMap(\.relationships).map(\.destinationEntityName)
    where entities[target] == nil {
      entities[target] = Entity(name: target)
    }
    return Model(name: UsedColumns.baseName(path), entities: Array(entities.values))
  }

  private static func type(_ name: String) -> AttributeType {
    AttributeType.allCases.first { XMLStoreType.typeName($0) == name } ?? .string
  }
}
