extension ModelChecker {
  mutating func checkEntityNames() {
    var seen: Set<String> = []
    for entity in model.entities {
      checkName(entity.name, "an entity", .init(entity: entity.name))
      if !seen.insert(entity.name).inserted {
        report(
          "MOD-011", "the entity “\(entity.name)” occurs twice", at: .init(entity: entity.name),
          last: true)
      }
    }
  }

  /// Checks that every parent exists and that inheritance has no cycle; `false` if there is a
  /// mistake.
  mutating func checkInheritance() -> Bool {
    var isSound = true
    for (position, entity) in model.entities.enumerated() {
      guard let parent = entity.parentName else { continue }
      let part = ModelLocations.Part(entity: entity.name, member: "parent")
      if model.tree.parents[position] == nil {
        report(
          "MOD-013", "the parent “\(parent)” of “\(entity.name)” does not exist", at: part,
          remedy: suggestion(for: parent) { $0.entities.map(\.name) })
      } else if model.tree.isEndless[position] {
        isSound = false
        report(
          "MOD-014", "“\(entity.name)” inherits from itself", at: part,
          reason: circle(from: position), remedy: "make one of these entities a root")
      }
    }
    return isSound && checkDepth() && checkInheritedProperties()
  }

  /// Counts the properties of all entities including inherited ones: in a short file, many entities
  /// can inherit many properties.
  private mutating func checkInheritedProperties() -> Bool {
    var total = 0
    var level = model.entities.indices.filter { model.tree.parents[$0] == nil }.map { ($0, 0) }
    while !level.isEmpty {
      var next: [(Int, Int)] = []
      for (position, inherited) in level {
        let entity = model.entities[position]
        let count =
          inherited + entity.attributes.count + entity.relationships.count
          + entity.fetchedProperties.count
        total += count
        guard total <= Self.maximumInheritedProperties else {
          report(
            "MOD-180", "the entities have too many properties", at: .init(entity: entity.name),
            reason: "with those they inherit, they have more than "
              + "\(Self.maximumInheritedProperties) together")
          return false
        }
        next += model.tree.children[position].map { ($0, count) }
      }
      level = next
    }
    return true
  }

  /// Goes down from the root entities, so that every entity is visited once.
  private mutating func checkDepth() -> Bool {
    var level = model.entities.indices.filter { model.tree.parents[$0] == nil }
    for _ in 0..<Self.maximumDepth { level = level.flatMap { model.tree.children[$0] } }
    for position in level {
      let name = model.entities[position].name
      report(
        "MOD-015", "“\(name)” is more than \(Self.maximumDepth) levels below its root",
        at: .init(entity: name))
    }
    return level.isEmpty
  }

  /// The cycle that the entity is in or leads to, with at most a few of its names.
  private func circle(from start: Int) -> String {
    var names: [String] = []
    var seen: Set<Int> = []
    var next: Int? = start
    while let position = next, names.count < 6, seen.insert(position).inserted {
      names.append(model.entities[position].name)
      next = model.tree.parents[position]
    }
    if let position = next { names.append(model.entities[position].name) }
    return names.joined(separator: " → ")
  }
}
