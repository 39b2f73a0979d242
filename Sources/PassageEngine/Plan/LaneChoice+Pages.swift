internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

extension LaneChoice {
  /// Why the objects of each entity mapping of a pass are not made page by page; `nil` where they are.
  ///
  /// - Parameter products: returns what a mapping's policy makes.
  /// - Complexity: O(n) for n entity mappings.
  func obstaclesToPages(
    in pass: BoundMapping, products: (EntityMapping) -> PolicyProducts
  ) -> [String?] {
    let mappings = pass.entityMappings
    let own = mappings.map { ownObstacleToPages(for: $0, products) }
    let tables = mappings.map { TablePair($0, in: pass) }
    // Mappings of different entities of one table share its keys: their objects lie between each
    // other, and are made together.
    var obstructed: [TablePair: Set<String>] = [:]
    for (index, table) in tables.enumerated() where own[index] != nil {
      guard let table, let source = mappings[index].source else { continue }
      obstructed[table, default: []].insert(source.name)
    }
    // New keys are given out in the order of the mappings, in every lane.
    let first = mappings.first {
      products($0.mapping) != .ownObjects || $0.elements != nil || !$0.addedObjects.isEmpty
    }
    return mappings.indices.map { index in
      let bound = mappings[index]
      if let obstacle = own[index] { return obstacle }
      if let first, first.name != bound.name, products(bound.mapping) == .furtherObjects {
        return "“\(first.name)”, which comes first, makes objects with new keys too"
      }
      let isMixed = tables[index].flatMap { obstructed[$0] }?.contains { $0 != bound.source?.name }
      return isMixed == true ? "its objects lie between those of another mapping" : nil
    }
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

/// The table that an entity mapping reads and the one that it fills, by their root entities.
private struct TablePair: Hashable {
  let source: String
  let destination: String

  /// - Returns: `nil` for a mapping that does not make objects from objects.
  init?(_ bound: BoundEntityMapping, in pass: BoundMapping) {
    guard let source = bound.source, let destination = bound.destination else { return nil }
    self.source = pass.source.root(of: source).name
    self.destination = pass.destination.root(of: destination).name
  }
}
