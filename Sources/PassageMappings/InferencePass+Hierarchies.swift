import PassageModels

extension InferencePass {
  /// Checks Core Data's rule: two entities without a common parent in the source cannot have one in
  /// the destination. An entity may leave a hierarchy, get a new parent entity, or become the only
  /// child of an existing one.
  mutating func checkHierarchies() {
    var former: [String: (entity: Entity, root: String)] = [:]
    for new in destination.entities {
      guard let old = sourceEntity(of: new) else { continue }
      let root = source.root(of: old).name
      // Entities with any common ancestor have the same topmost one.
      let ancestors = destination.lineage(of: new).dropFirst()
      guard let top = ancestors.last else { continue }
      guard let other = former[top.name] else {
        former[top.name] = (new, root)
        continue
      }
      guard other.root != root else { continue }
      let obstacle = InferenceObstacle(
        "INF-002",
        "the entities “\(other.entity.name)” and “\(new.name)” now have a common parent, "
          + "“\(top.name)”",
        reason: "they have no common parent in the source, and inference does not merge "
          + "hierarchies",
        remedy: "write a mapping model that maps both")
      report(obstacle, at: nil)
      for entity in [other.entity, new] { mark(entity.name, obstacle) }
    }
  }
}
