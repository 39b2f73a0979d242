import PassageModels

extension InferencePass {
  /// Core Data's rule: two entities that do not share a parent in the source cannot share one in the
  /// destination. An entity may leave a hierarchy, go under a parent that is new, or become the only
  /// child of an existing one.
  mutating func checkHierarchies() {
    var former: [String: (entity: Entity, root: String)] = [:]
    for new in destination.entities {
      guard let old = sourceEntity(of: new) else { continue }
      let root = source.root(of: old).name
      // Whatever shares any ancestor shares the topmost one.
      let ancestors = destination.lineage(of: new).dropFirst()
      guard let top = ancestors.last else { continue }
      guard let other = former[top.name] else {
        former[top.name] = (new, root)
        continue
      }
      guard other.root != root else { continue }
      report(
        "INF-002",
        "the entities “\(other.entity.name)” and “\(new.name)” came under one parent, "
          + "“\(top.name)”", at: nil,
        reason: "they share no parent in the source: hierarchies are not merged by inference",
        remedy: "write a mapping model that maps both")
    }
  }
}
