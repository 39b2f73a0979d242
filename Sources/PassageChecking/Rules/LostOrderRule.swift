internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

/// Mappings whose result depends on an order that the source does not have, or that lose one.
enum LostOrderRule: EntityMappingRule {
  static let code = "CHK-004"
  static let level = Diagnostic.Severity.warning

  static func findings(of place: MappingPlace, in project: CheckedProject) -> [CheckFinding] {
    place.mapping.relationships.compactMap { finding($0, place) }
      + [elements(of: place), merge(of: place), policy(of: place, in: project)].compactMap(\.self)
  }

  private static func finding(
    _ bound: BoundRelationship, _ place: MappingPlace
  ) -> CheckFinding? {
    let name = bound.relationship.name
    guard bound.relationship.isToMany, bound.selection == nil, let last = bound.path.last,
      bound.path.contains(where: \.isToMany)
    else { return nil }
    let hasOrder = bound.path.count == 1 && last.isOrdered
    guard hasOrder != bound.relationship.isOrdered else { return nil }
    let mapped = place.mapping.mapping.relationshipMappings.first { $0.name.value == name }
    guard hasOrder || mapped?.sortKeys.isEmpty != false else { return nil }
    let path = bound.path.map(\.name).joined(separator: ".")
    return CheckFinding(
      hasOrder
        ? diagnostic(
          "“\(name)” loses the order of “\(path)”", at: place.location(of: name),
          reason: "“\(path)” is ordered, and “\(name)” is not",
          remedy: "make “\(name)” ordered, or keep the place of each object in an attribute")
        : diagnostic(
          "“\(name)” is ordered, but “\(path)” has no order", at: place.location(of: name),
          reason: "which object comes first depends on how the store keeps them",
          remedy: "name what the objects are sorted by: “sortedBy”"),
      about: place.places(property: name))
  }

  private static func elements(of place: MappingPlace) -> CheckFinding? {
    guard let list = place.mapping.elements?.list, !list.isOrdered, list.isToMany,
      let bound = place.mapping.attributes.first(where: { bound in
        bound.value.keyPaths.contains { $0.name == BoundElements.index }
      })
    else { return nil }
    return CheckFinding(
      diagnostic(
        "“\(bound.attribute.name)” is the place in a list without an order",
        at: place.location(of: bound.attribute.name),
        reason: "the list of “forEach” gives its elements in no order that means something",
        remedy: "take the place from a list with an order, or leave it out"),
      about: place.places(property: bound.attribute.name))
  }

  /// A merge keeps the values of one object by its key, but for those that are combined.
  private static func merge(of place: MappingPlace) -> CheckFinding? {
    guard let merge = place.mapping.merge else { return nil }
    let combined = Set(place.mapping.combinations.map(\.attribute.name))
    let common = merge.value.valueCells
    let kept = place.mapping.attributes.filter { bound in
      !combined.contains(bound.attribute.name) && bound.value.constantValue == nil
        && !(bound.value.valueCells.allSatisfy(common.contains) && bound.value.lookups.isEmpty)
        && !isCount(bound.attribute.name, place)
    }.map(\.attribute.name)
    guard !kept.isEmpty else { return nil }
    let names = kept.prefix(5).map { "“\($0)”" }.joined(separator: ", ")
    let more = kept.count > 5 ? " and \(kept.count - 5) more" : ""
    return CheckFinding(
      diagnostic(
        "of objects that become one, the key decides whose value is kept: \(names)\(more)",
        at: place.mapping.mapping.merge?.value.location,
        reason: "keys say when objects were inserted, and nothing else",
        remedy: "say how the values combine: “combine”"),
      about: place.places())
  }

  private static func isCount(_ name: String, _ place: MappingPlace) -> Bool {
    place.mapping.mapping.attributeMappings.contains {
      $0.name.value == name && $0.combination != nil
    }
  }
}
