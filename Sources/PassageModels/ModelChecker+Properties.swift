import PassageDiagnostics
import PassageValues

extension ModelChecker {
  mutating func checkPropertyNames(of entity: Entity) {
    let own =
      entity.attributes.map(\.name) + entity.relationships.map(\.name)
      + entity.fetchedProperties.map(\.name)
    var seen: Set<String> = []
    for name in own {
      let part = ModelLocations.Part(entity: entity.name, property: name)
      checkName(name, "a property of “\(entity.name)”", part)
      if !seen.insert(name).inserted {
        report(
          "MOD-012", "the property “\(name)” occurs twice in “\(entity.name)”", at: part,
          last: true)
      }
    }
    for ancestor in model.lineage(of: entity).dropFirst() {
      let inherited =
        ancestor.attributes.map(\.name) + ancestor.relationships.map(\.name)
        + ancestor.fetchedProperties.map(\.name)
      for name in inherited where seen.contains(name) {
        report(
          "MOD-016", "“\(entity.name).\(name)” has the name of an inherited property",
          at: .init(entity: entity.name, property: name),
          reason: "“\(ancestor.name)” declares it; an entity cannot declare another one")
      }
    }
  }

  mutating func checkAttributes(of entity: Entity) {
    for attribute in entity.attributes {
      let part = ModelLocations.Part(entity: entity.name, property: attribute.name)
      check(attribute, named: "\(entity.name).\(attribute.name)", part)
    }
  }

  private mutating func check(
    _ attribute: Attribute, named name: String, _ part: ModelLocations.Part
  ) {
    if !DefaultValue.fits(attribute.defaultValue, attribute.type) {
      report(
        "MOD-040", "the default of “\(name)” does not fit the type \(attribute.type.name)",
        at: part.with("default"),
        reason: "it must be \(DefaultValue.expectation(of: attribute.type))")
    }
    if attribute.type == .composite && attribute.elements.isEmpty {
      report("MOD-041", "the composite attribute “\(name)” has no elements", at: part)
    }
    if attribute.type != .composite && !attribute.elements.isEmpty {
      report(
        "MOD-041", "“\(name)” has elements but the type \(attribute.type.name)",
        at: part.with("elements"))
    }
    if let derivation = attribute.derivation, DerivationText(derivation) == nil {
      report(
        "MOD-042", "the derivation of “\(name)” is not understood: \(derivation.prefix(200))",
        severity: .warning, at: part.with("derivation"),
        reason: "its version hash cannot be computed",
        remedy: "use a key path, a collection operator as in pages.@count, or one function call")
    }
    let takesFiles = attribute.type == .binary || attribute.type == .transformable
    if attribute.allowsExternalBinaryDataStorage && !takesFiles {
      report(
        "MOD-043", "“\(name)” allows external storage but has the type \(attribute.type.name)",
        severity: .warning, at: part.with("allowsExternalBinaryDataStorage"),
        reason: "only binary and transformable attributes have it")
    }
    for element in attribute.elements {
      checkName(element.name, "an element of “\(name)”", part)
      check(element, named: "\(name).\(element.name)", part)
    }
  }

  mutating func checkConstraintsAndIndexes(of entity: Entity) {
    guard !entity.uniquenessConstraints.isEmpty || !entity.indexes.isEmpty else { return }
    let lineage = model.lineage(of: entity)
    let attributes = Set(lineage.flatMap(\.attributes).map(\.name))
    let properties = attributes.union(lineage.flatMap(\.relationships).map(\.name))
    let constraints = ModelLocations.Part(entity: entity.name, member: "uniquenessConstraints")
    for constraint in entity.uniquenessConstraints {
      if constraint.isEmpty {
        report("MOD-030", "a uniqueness constraint of “\(entity.name)” is empty", at: constraints)
      }
      for name in constraint where !properties.contains(name.firstStep) {
        report(
          "MOD-030",
          "a uniqueness constraint of “\(entity.name)” names “\(name)”, which does not exist",
          at: constraints, remedy: suggestion(for: name) { _ in properties })
      }
    }
    var names: Set<String> = []
    for index in entity.indexes {
      let part = ModelLocations.Part(entity: entity.name, property: "index \(index.name)")
      let shown = index.name.cutToName
      if takesAnyName || index.name.isEmpty {
        checkName(index.name, "an index of “\(entity.name)”", part)
      }
      if !names.insert(index.name).inserted {
        report(
          "MOD-012", "the index “\(shown)” occurs twice in “\(entity.name)”", at: part,
          last: true)
      }
      if index.elements.isEmpty {
        report(
          "MOD-031", "the index “\(shown)” of “\(entity.name)” has no elements", at: part)
      }
      for element in index.elements
      where element.expression == nil && !properties.contains(element.propertyName.firstStep) {
        report(
          "MOD-031",
          "the index “\(shown)” names “\(element.propertyName)”, which does not exist",
          at: part.with("elements"),
          remedy: suggestion(for: element.propertyName) { _ in properties })
      }
    }
  }
}

extension ModelLocations.Part {
  /// A member of the same part.
  func with(_ member: String) -> Self { Self(entity: entity, property: property, member: member) }
}

extension String {
  /// The property at the beginning of a key path into a composite attribute.
  fileprivate var firstStep: String { String(prefix { $0 != "." }) }
}
