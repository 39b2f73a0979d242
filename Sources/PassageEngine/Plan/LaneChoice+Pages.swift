internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

extension LaneChoice {
  /// Why the objects of an entity mapping are not made page by page; `nil` when they are.
  ///
  /// - Parameters:
  ///   - pass: the mapping model that contains it.
  ///   - products: returns what a mapping's policy makes.
  func obstacleToPages(
    for bound: BoundEntityMapping, in pass: BoundMapping,
    products: (EntityMapping) -> PolicyProducts
  ) -> String? {
    if let obstacle = ownObstacleToPages(for: bound, products) { return obstacle }
    // New keys are given out in the order of the mappings, in every lane.
    if products(bound.mapping) == .furtherObjects,
      let first = pass.entityMappings.first(where: {
        products($0.mapping) != .ownObjects || $0.elements != nil || !$0.addedObjects.isEmpty
      }),
      first.name != bound.name
    {
      return "“\(first.name)”, which comes first, makes objects with new keys too"
    }
    // Mappings of different entities of one table share its keys: their objects lie between each
    // other, and are made together.
    let isMixed = pass.entityMappings.contains { other in
      guard let otherSource = other.source, let otherDestination = other.destination,
        let source = bound.source, let destination = bound.destination
      else { return false }
      return otherSource.name != source.name
        && pass.source.root(of: otherSource).name == pass.source.root(of: source).name
        && pass.destination.root(of: otherDestination).name
          == pass.destination.root(of: destination).name
        && ownObstacleToPages(for: other, products) != nil
    }
    return isMixed ? "its objects lie between those of another mapping" : nil
  }

  private func ownObstacleToPages(
    for bound: BoundEntityMapping, _ products: (EntityMapping) -> PolicyProducts
  ) -> String? {
    if !usesPages { return "pages are not used" }
    guard bound.source != nil, bound.destination != nil else {
      return "it does not make objects from objects"
    }
    if bound.elements != nil { return "it makes objects of the elements of lists" }
    if bound.merge != nil { return "objects of equal value become one" }
    if let policy = bound.mapping.policy, products(bound.mapping) == .anything {
      return
        "the policy \(policy.name.value) needs objects that were made before, or remembers what "
        + "it has seen for a later hook"
    }
    let paths =
      (bound.filter?.keyPaths ?? [])
      + bound.attributes.flatMap { $0.value.keyPaths + ($0.fallback?.keyPaths ?? []) }
    if !bound.lookups.isEmpty || !bound.relatedObjects.isEmpty
      || paths.contains(where: { !$0.relationships.isEmpty })
    {
      return "it reads related objects"
    }
    return nil
  }
}
