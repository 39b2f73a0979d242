internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

extension LaneChoice {
  /// Why the objects of an entity mapping are not made page by page; `nil` when they are.
  ///
  /// - Parameter pass: the mapping model that contains it.
  func obstacleToPages(for bound: BoundEntityMapping, in pass: BoundMapping) -> String? {
    if !usesPages { return "pages are not used" }
    guard let source = bound.source, let destination = bound.destination else {
      return "it does not make objects from objects"
    }
    if bound.mapping.policy != nil { return "it has a policy" }
    let paths =
      (bound.filter?.keyPaths ?? [])
      + bound.attributes.flatMap { $0.value.keyPaths + ($0.fallback?.keyPaths ?? []) }
    if !bound.lookups.isEmpty || !bound.relatedObjects.isEmpty
      || paths.contains(where: { !$0.relationships.isEmpty })
    {
      return "it reads related objects"
    }
    // Such mappings share the keys of one table: their objects would have to be mixed.
    let isMixed = pass.entityMappings.contains { other in
      guard let otherSource = other.source, let otherDestination = other.destination else {
        return false
      }
      return otherSource.name != source.name
        && pass.source.root(of: otherSource).name == pass.source.root(of: source).name
        && pass.destination.root(of: otherDestination).name
          == pass.destination.root(of: destination).name
    }
    return isMixed ? "its objects lie between those of another mapping" : nil
  }
}
