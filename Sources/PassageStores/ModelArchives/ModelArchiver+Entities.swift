internal import PassageModels

extension ModelArchiver {
  /// Writes an entity, with copies of the properties that it inherits.
  mutating func fill(_ entity: Entity, root: KeyedArchiver.Reference) {
    guard let place = entities[entity.name] else { return }
    let children = model.children(of: entity).compactMap { child in
      entities[child.name].map { (key: child.name, value: $0.value) }
    }
    var members = [
      PropertyList.Member("NSEntityName", archiver.text(entity.name)),
      PropertyList.Member("NSClassNameForEntity", archiver.text(entity.className)),
      PropertyList.Member("NSManagedObjectModel", root.value),
      PropertyList.Member(
        "NSSuperentity",
        entity.parentName.flatMap { entities[$0] }?.value ?? KeyedArchiver.null),
      PropertyList.Member("NSSubentities", archiver.dictionary(children)),
      PropertyList.Member("NSProperties", fillProperties(of: entity)),
      PropertyList.Member("NSUserInfo", userInfo(entity.userInfo)),
      PropertyList.Member(
        "NSRenamingIdentifier", archiver.text(entity.renamingIdentifier ?? entity.name)),
      PropertyList.Member("NSVersionHashModifier", archiver.text(entity.versionHashModifier)),
    ]
    if entity.isAbstract { members.append(PropertyList.Member("NSIsAbstract", .bool(true))) }
    if !entity.uniquenessConstraints.isEmpty {
      members.append(PropertyList.Member("NSUniqueTuples", lists(entity.uniquenessConstraints)))
    }
    let indexes = entity.archivedIndexes
    members.append(
      PropertyList.Member(
        "NSFetchIndexDescriptions",
        archiver.list(indexes.compactMap { fetchIndex($0, of: place) })))
    members.append(
      PropertyList.Member("NSCompoundIndexes", lists(compoundIndexes(indexes, of: entity))))
    archiver.fill(place, .entityDescription, members)
  }

  /// Lists of names.
  private mutating func lists(_ lists: [[String]]) -> PropertyList {
    archiver.list(lists.map { names in archiver.list(names.map { archiver.text($0) }) })
  }

  /// The dictionary of an entity's properties, of which every one is written.
  private mutating func fillProperties(of entity: Entity) -> PropertyList {
    let places = properties[entity.name] ?? [:]
    var written: Set<String> = []
    for owner in model.lineage(of: entity) {
      for attribute in owner.attributes where written.insert(attribute.name).inserted {
        if let place = places[attribute.name] { fill(place, attribute, of: entity) }
      }
      for relationship in owner.relationships where written.insert(relationship.name).inserted {
        if let place = places[relationship.name] { fill(place, relationship, of: entity) }
      }
      for property in owner.fetchedProperties where written.insert(property.name).inserted {
        if let place = places[property.name] { fill(place, property, of: entity) }
      }
    }
    let names = written.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return archiver.dictionary(
      names.compactMap { name in places[name].map { (key: name, value: $0.value) } })
  }

  mutating func userInfo(_ texts: [String: String]) -> PropertyList {
    let keys = texts.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return archiver.dictionary(
      keys.map { (key: $0, value: archiver.text(texts[$0])) }, .dictionary)
  }
}

extension KeyedArchiver.Class {
  fileprivate static let entityDescription = Self("NSEntityDescription")
}
