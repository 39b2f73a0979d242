internal import PassagePlatform
import PassageValues

extension ModelDocument {
  /// The model as this project's JSON, with a final line break.
  ///
  /// The text depends only on the model: entities sorted by name, properties in the model's order,
  /// one line for each, and only members that differ from their defaults. Reading it gives an equal
  /// model if every default value has the storage class of its type, as the readers make them
  /// (integers for integers and Booleans, reals for doubles, floats and dates).
  ///
  /// - Parameters:
  ///   - model: the model to write.
  ///   - schema: the value of `$schema`; `nil` to leave it out.
  package static func encode(_ model: Model, schema: String? = schemaReference) -> String {
    var members = MemberList()
    members.add("$schema", schema)
    members.add("name", .string(model.name))
    members.add("versionIdentifiers", short: model.versionIdentifiers)
    members.add("entities", .list(model.entities.map(entity)))
    members.add("configurations", list: model.configurations.map(configuration))
    members.add("fetchRequests", list: model.fetchRequestTemplates.map(fetchRequest))
    return JSONText.object(members.all).rendered() + "\n"
  }

  private static func entity(_ entity: Entity) -> JSONText {
    var members = MemberList()
    members.add("name", .string(entity.name))
    members.add("abstract", entity.isAbstract, unless: false)
    members.add("parent", entity.parentName)
    members.add("className", entity.className)
    members.add("renamingIdentifier", entity.renamingIdentifier)
    members.add("versionHashModifier", entity.versionHashModifier)
    members.add("attributes", list: entity.attributes.map(attribute))
    members.add("relationships", list: entity.relationships.map(relationship))
    members.add("fetchedProperties", list: entity.fetchedProperties.map(fetchedProperty))
    members.add(
      "uniquenessConstraints",
      list: entity.uniquenessConstraints.map { .shortList($0.map { .string($0) }) })
    members.add("indexes", list: entity.indexes.map(index))
    members.add("userInfo", entity.userInfo)
    members.add("versionHash", entity.recordedVersionHash.map { Data($0).base64EncodedString() })
    return .object(members.all)
  }

  private static func attribute(_ attribute: Attribute) -> JSONText {
    var members = MemberList()
    members.add("name", .string(attribute.name))
    members.add("type", .string(attribute.type.name))
    members.add("optional", attribute.isOptional, unless: true)
    members.add("transient", attribute.isTransient, unless: false)
    if let value = DefaultValue.encode(attribute.defaultValue, as: attribute.type) {
      members.add("default", value)
    }
    members.add(
      "allowsExternalBinaryDataStorage", attribute.allowsExternalBinaryDataStorage, unless: false)
    members.add("preservesValueOnDeletion", attribute.preservesValueOnDeletion, unless: false)
    members.add("derivation", attribute.derivation)
    members.add("derivationFilter", attribute.derivationFilter)
    members.add("minimum", attribute.minimum)
    members.add("maximum", attribute.maximum)
    members.add("regularExpression", attribute.regularExpression)
    members.add("valueTransformerName", attribute.valueTransformerName)
    members.add("valueClassName", attribute.valueClassName)
    if !attribute.elements.isEmpty {
      members.add("elements", .shortList(attribute.elements.map(Self.attribute)))
    }
    members.add("indexed", attribute.isIndexed, unless: false)
    members.add("renamingIdentifier", attribute.renamingIdentifier)
    members.add("versionHashModifier", attribute.versionHashModifier)
    members.add("userInfo", attribute.userInfo)
    return .shortObject(members.all)
  }

  private static func relationship(_ relationship: Relationship) -> JSONText {
    var members = MemberList()
    members.add("name", .string(relationship.name))
    members.add("destination", .string(relationship.destinationEntityName))
    members.add("inverse", relationship.inverseName)
    members.add("toMany", relationship.isToMany, unless: false)
    members.add("minimumCount", relationship.minimumCount, unless: 0)
    if relationship.isToMany { members.add("maximumCount", relationship.maximumCount, unless: 0) }
    members.add("ordered", relationship.isOrdered, unless: false)
    if relationship.deleteRule != .nullify {
      members.add("deleteRule", .string(relationship.deleteRule.name))
    }
    members.add("optional", relationship.isOptional, unless: true)
    members.add("transient", relationship.isTransient, unless: false)
    members.add("renamingIdentifier", relationship.renamingIdentifier)
    members.add("versionHashModifier", relationship.versionHashModifier)
    members.add("userInfo", relationship.userInfo)
    return .shortObject(members.all)
  }

  private static func fetchedProperty(_ property: Entity.FetchedProperty) -> JSONText {
    var members = MemberList()
    members.add("name", .string(property.name))
    if let request = property.fetchRequest {
      members.add("entity", request.entityName)
      members.add("predicate", request.predicate)
      members.add("settings", request.settings)
      members.add("request", .string(request.name))
    }
    members.add("userInfo", property.userInfo)
    return .shortObject(members.all)
  }

  private static func fetchRequest(_ request: Model.FetchRequest) -> JSONText {
    var members = MemberList()
    members.add("name", .string(request.name))
    members.add("entity", request.entityName)
    members.add("predicate", request.predicate)
    members.add("settings", request.settings)
    return .shortObject(members.all)
  }

  private static func configuration(_ configuration: Model.Configuration) -> JSONText {
    var members = MemberList()
    members.add("name", .string(configuration.name))
    members.add("entities", .shortList(configuration.entityNames.map { .string($0) }))
    members.add("cloudKit", configuration.isUsedWithCloudKit, unless: false)
    return .shortObject(members.all)
  }

  private static func index(_ index: Entity.Index) -> JSONText {
    var members = MemberList()
    members.add("name", .string(index.name))
    let elements = index.elements.map { element in
      var members = MemberList()
      if let expression = element.expression {
        members.add("expression", .string(expression))
      } else {
        members.add("property", .string(element.propertyName))
      }
      if element.kind != .binary { members.add("kind", .string(element.kind.rawValue)) }
      members.add("ascending", element.isAscending, unless: true)
      return JSONText.shortObject(members.all)
    }
    members.add("elements", .shortList(elements))
    members.add("partialPredicate", index.partialPredicate)
    return .shortObject(members.all)
  }
}

/// The members of an object for output, without those that have their default value.
private struct MemberList {
  private(set) var all: [(name: String, value: JSONText)] = []

  mutating func add(_ name: String, _ value: JSONText) { all.append((name, value)) }

  mutating func add(_ name: String, _ text: String?) {
    if let text { add(name, .string(text)) }
  }

  mutating func add(_ name: String, _ value: Bool, unless usual: Bool) {
    if value != usual { add(name, .bool(value)) }
  }

  mutating func add(_ name: String, _ value: Int, unless usual: Int) {
    if value != usual { add(name, .number("\(value)")) }
  }

  mutating func add(_ name: String, short texts: [String]) {
    if !texts.isEmpty { add(name, .shortList(texts.map { .string($0) })) }
  }

  mutating func add(_ name: String, list: [JSONText]) {
    if !list.isEmpty { add(name, .list(list)) }
  }

  mutating func add(_ name: String, _ pairs: [String: String]) {
    guard !pairs.isEmpty else { return }
    let sorted = pairs.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    add(name, .shortObject(sorted.map { ($0.key, .string($0.value)) }))
  }
}
