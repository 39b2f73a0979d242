internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

extension LaneChoice {
  /// Why the objects of an entity mapping are not made page by page; `nil` when they are.
  ///
  /// - Parameters:
  ///   - pass: the mapping model that contains it.
  ///   - isSimple: whether a mapping's policy makes at most one object of each source object and
  ///     needs nothing else.
  func obstacleToPages(
    for bound: BoundEntityMapping, in pass: BoundMapping, isSimple: (EntityMapping) -> Bool
  ) -> String? {
    if let obstacle = ownObstacleToPages(for: bound, isSimple) { return obstacle }
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
        && ownObstacleToPages(for: other, isSimple) != nil
    }
    return isMixed ? "its objects lie between those of another mapping" : nil
  }

  private func ownObstacleToPages(
    for bound: BoundEntityMapping, _ isSimple: (EntityMapping) -> Bool
  ) -> String? {
    if !usesPages { return "pages are not used" }
    guard bound.source != nil, bound.destination != nil else {
      return "it does not make objects from objects"
    }
    if let policy = bound.mapping.policy, !isSimple(bound.mapping) {
      return "the policy \(policy.name.value) needs more than the object it is called for"
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
