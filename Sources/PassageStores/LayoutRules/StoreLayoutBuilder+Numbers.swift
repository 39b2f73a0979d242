internal import PassageModels

extension StoreLayoutBuilder {
  /// Numbers the entities from 1: the tree in pre-order, siblings sorted ignoring case.
  mutating func numberEntities() {
    var children: [String: [Entity]] = [:]
    var rootEntities: [Entity] = []
    for entity in model.entities where model.entity(named: entity.name) == entity {
      if let parent = entity.parentName, model.entity(named: parent) != nil {
        children[parent, default: []].append(entity)
      } else {
        rootEntities.append(entity)
      }
    }
    var pending = Self.sorted(rootEntities).reversed() as [Entity]
    var unfinished: [Entity] = []
    number(from: &pending, children: children)
    // Entities whose parents form a cycle have no root. The model's checks report them. Here they
    // count as roots, so that every entity has a number.
    unfinished = Self.sorted(model.entities.filter { numbers[$0.name] == nil }).reversed()
    while let next = unfinished.popLast() {
      guard numbers[next.name] == nil else { continue }
      pending = [next]
      number(from: &pending, children: children)
    }
  }

  private mutating func number(from pending: inout [Entity], children: [String: [Entity]]) {
    while let entity = pending.popLast() {
      guard numbers[entity.name] == nil else { continue }
      ordered.append(entity)
      numbers[entity.name] = ordered.count
      if let parent = entity.parentName, let root = roots[parent] {
        parents[entity.name] = parent
        roots[entity.name] = root
      } else {
        roots[entity.name] = entity.name
      }
      pending += Self.sorted(children[entity.name] ?? []).reversed()
    }
    for entity in ordered.reversed() {
      let last = max(lastNumbers[entity.name] ?? 0, numbers[entity.name] ?? 0)
      lastNumbers[entity.name] = last
      if let parent = parents[entity.name] {
        lastNumbers[parent] = max(lastNumbers[parent] ?? 0, last)
      }
    }
  }

  private static func sorted(_ siblings: [Entity]) -> [Entity] {
    siblings.map { (folded: $0.name.lowercased(), entity: $0) }
      .sorted {
        $0.folded == $1.folded
          ? isOrderedByCodeUnits($0.entity.name, $1.entity.name)
          : isOrderedByCodeUnits($0.folded, $1.folded)
      }
      .map(\.entity)
  }

  /// Names one table for each root entity.
  mutating func nameTables() {
    var names = UniqueNames(taken: BookkeepingTable.allCases.map(\.rawValue))
    for entity in ordered where roots[entity.name] == entity.name {
      tableNames[entity.name] = names.unique("Z" + entity.name.uppercased())
    }
  }
}
