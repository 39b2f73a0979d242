internal import PassageModels

/// How many derived attributes lead from each one to a stored one. Each derivation leads to one attribute, so
/// the depth of one follows from that of the next: a chain is walked once, and not once for each of its
/// attributes.
struct DerivationDepths {
  private let model: Model
  private let derivations: [PropertyID: Derivation]
  private var depths: [PropertyID: Int] = [:]

  /// - Parameter attributes: those that are computed; what leads to another one ends there.
  init(_ attributes: [DerivedAttributeLayout], of model: Model) {
    self.model = model
    derivations = Dictionary(
      attributes.map { (Self.id(of: $0), $0.derivation) }, uniquingKeysWith: { first, _ in first })
  }

  /// The number of derived attributes from this one, which counts, to a stored one. Those of a cycle count
  /// once each.
  ///
  /// - Complexity: O(n) in the lengths of all derivations, for the depths of all attributes.
  mutating func depth(of attribute: DerivedAttributeLayout) -> Int {
    let id = Self.id(of: attribute)
    var path: [PropertyID] = []
    var places: [PropertyID: Int] = [:]
    var next: PropertyID? = id
    while let here = next, depths[here] == nil, places[here] == nil,
      let derivation = derivations[here]
    {
      places[here] = path.count
      path.append(here)
      next = end(of: derivation, from: here.entity)
    }
    // The attributes of a cycle are equally deep.
    if let start = next.flatMap({ places[$0] }) {
      for here in path[start...] { depths[here] = path.count - start }
      path.removeSubrange(start...)
    }
    var depth = next.flatMap { depths[$0] } ?? 0
    for here in path.reversed() {
      depth += 1
      depths[here] = depth
    }
    return depths[id] ?? 0
  }

  /// The attribute to which a derivation leads, at the entity that declares it; `nil` if there is none.
  private func end(of derivation: Derivation, from entity: String) -> PropertyID? {
    guard let name = derivation.attribute else { return nil }
    var here = model.entity(named: entity)
    for name in derivation.path + [derivation.collection].compactMap(\.self) {
      here = here.flatMap { model.relationship(name, of: $0) }
        .flatMap { model.entity(named: $0.destinationEntityName) }
    }
    return here.flatMap { model.declaringEntity(ofAttribute: name, in: $0) }
      .map { PropertyID(entity: $0.name, name: name) }
  }

  private static func id(of attribute: DerivedAttributeLayout) -> PropertyID {
    PropertyID(entity: attribute.entityName, name: attribute.attributeName)
  }
}
