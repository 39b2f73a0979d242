internal import PassageAtomicStores
internal import PassageDiagnostics
internal import PassageModels

extension XcodeModelDecoder {
  /// The entity's uniqueness constraints, each an ordered list of attribute names.
  mutating func uniquenessConstraints(of entity: MarkupElement) -> [[String]] {
    entity.children(named: "uniquenessConstraints")
      .flatMap { $0.children(named: "uniquenessConstraint") }
      .map { constraint in
        constraint.children(named: "constraint")
          .compactMap { attributes.required("value", of: $0) }
      }
  }

  mutating func fetchIndex(_ element: MarkupElement, of entity: String) -> Entity.Index? {
    attributes.noteUnknown(
      in: element, attributes: ["name", "partialIndexPredicate", "unique"],
      children: ["fetchIndexElement"])
    guard let name = attributes.required("name", of: element) else { return nil }
    locations.note(element.location, of: .init(entity: entity, property: "index \(name)"))
    return Entity.Index(
      name: name,
      elements: element.children(named: "fetchIndexElement").compactMap { indexElement($0) },
      partialPredicate: attributes.text("partialIndexPredicate", of: element))
  }

  private mutating func indexElement(_ element: MarkupElement) -> Entity.Index.Element? {
    attributes.noteUnknown(
      in: element, attributes: ["property", "expression", "expressionType", "type", "order"],
      children: [])
    var indexElement: Entity.Index.Element
    if let property = attributes.text("property", of: element) {
      indexElement = Entity.Index.Element(propertyName: property)
    } else if let expression = attributes.text("expression", of: element) {
      indexElement = Entity.Index.Element(expression: expression)
    } else {
      _ = attributes.required("property", of: element)
      return nil
    }
    switch element.attributes["type"]?.lowercased() {
    case nil, "binary": break
    case "rtree": indexElement.kind = .rtree
    case let word?:
      attributes.reportWord(word, "type", of: element, known: ["Binary", "RTree"])
    }
    switch element.attributes["order"] {
    case nil, "ascending": break
    case "descending": indexElement.isAscending = false
    case let word?:
      attributes.reportWord(word, "order", of: element, known: ["ascending", "descending"])
    }
    return indexElement
  }

  /// The indexes of models older than fetch indexes: unnamed lists of attributes. Each is named
  /// after its attributes.
  mutating func compoundIndexes(of entity: MarkupElement) -> [Entity.Index] {
    var names: Set<String> = []
    return entity.children(named: "compoundIndexes")
      .flatMap { $0.children(named: "compoundIndex") }
      .compactMap { compound in
        let properties = compound.children(named: "index")
          .compactMap { attributes.required("value", of: $0) }
        // Equal lists give one index.
        guard !properties.isEmpty, names.insert(properties.joined(separator: "_")).inserted else {
          return nil
        }
        return Entity.Index(
          name: properties.joined(separator: "_"),
          elements: properties.map { Entity.Index.Element(propertyName: $0) })
      }
  }
}
