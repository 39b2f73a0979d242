internal import PassageAtomicStores
internal import PassageModels

extension XcodeModelDecoder {
  /// A fetched property with its fetch request.
  mutating func fetchedProperty(
    _ element: MarkupElement, of entity: String
  ) -> Entity.FetchedProperty? {
    attributes.noteUnknown(
      in: element,
      attributes: [
        "name", "optional", "transient", "syncable", "elementID", "versionHashModifier",
        "spotlightIndexingEnabled", "storedInTruthFile",
      ], children: ["fetchRequest", "userInfo"])
    guard let name = attributes.requiredName(of: element) else { return nil }
    locations.note(element.location, of: .init(entity: entity, property: name))
    return Entity.FetchedProperty(
      name: name,
      fetchRequest: element.children(named: "fetchRequest").first.flatMap { fetchRequest($0) },
      userInfo: userInfo(of: element))
  }

  /// A fetch request: name, entity and predicate, and every other attribute as text.
  mutating func fetchRequest(_ element: MarkupElement) -> Model.FetchRequest? {
    attributes.noteUnknown(in: element, attributes: nil, children: ["userInfo"])
    guard let name = attributes.required("name", of: element) else { return nil }
    return Model.FetchRequest(
      name: name, entityName: attributes.text("entity", of: element),
      predicate: attributes.text("predicateString", of: element),
      settings: element.attributes.filter {
        !["name", "entity", "predicateString"].contains($0.key)
      })
  }

  mutating func configuration(_ element: MarkupElement) -> Model.Configuration? {
    attributes.noteUnknown(
      in: element, attributes: ["name", "usedWithCloudKit", "syncable"], children: ["memberEntity"])
    guard let name = attributes.required("name", of: element) else { return nil }
    return Model.Configuration(
      name: name,
      entityNames: element.children(named: "memberEntity")
        .compactMap { attributes.required("name", of: $0) },
      isUsedWithCloudKit: attributes.flag("usedWithCloudKit", of: element))
  }
}
