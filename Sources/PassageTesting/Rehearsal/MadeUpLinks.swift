internal import Passage
internal import PassageModels
internal import PassageValues

/// Links between made-up objects: each relationship and its inverse once, within their counts.
struct MadeUpLinks {
  /// How many objects lead to one that need not be led to.
  private static let sharers = 3

  private let model: Model
  private let makesNil: Bool
  private let seed: UInt64
  /// The objects by entity.
  private let objects: [String: [ObjectReference]]

  init(_ model: Model, objects: [String: [ObjectReference]], makesNil: Bool, seed: UInt64) {
    self.model = model
    self.objects = objects
    self.makesNil = makesNil
    self.seed = seed
  }

  /// Links the objects of a store.
  func link(in store: TestStore) throws {
    var done: Set<[String]> = []
    for entity in model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        let inverse = model.inverse(of: relationship)
        let own = [entity.name, relationship.name]
        let other = inverse.map { [relationship.destinationEntityName, $0.name] }
        guard !done.contains(own), done.insert(own).inserted else { continue }
        if let other { done.insert(other) }
        // The side that leads to one object decides, and of two the one that must, so that what must be
        // there is there.
        if let inverse, !inverse.isToMany,
          relationship.isToMany || relationship.isOptional && !inverse.isOptional
        {
          try link(
            inverse, from: relationship.destinationEntityName, back: relationship, in: store)
        } else {
          try link(relationship, from: entity.name, back: inverse, in: store)
        }
      }
    }
  }

  /// The objects of an entity and its subentities.
  private func family(_ name: String) -> [ObjectReference] {
    guard let entity = model.entity(named: name) else { return [] }
    return model.family(of: entity).flatMap { objects[$0.name] ?? [] }
  }

  private func link(
    _ relationship: Relationship, from entityName: String, back inverse: Relationship?,
    in store: TestStore
  ) throws {
    let owners = family(entityName)
    let targets = family(relationship.destinationEntityName)
    guard !targets.isEmpty else { return }
    let isOneBack = inverse.map { !$0.isToMany } ?? relationship.isToMany
    let mostBack = inverse.flatMap { $0.maximumCount > 1 ? $0.maximumCount : nil } ?? .max
    var taken: [ObjectReference: Int] = [:]
    // Several lead to one object where the others need none, so that its list has an order.
    let isShared = !relationship.isToMany && inverse.map { $0.isToMany && $0.isOptional } == true
    var turns = Array(owners.enumerated())
    if inverse?.isOrdered == true {
      // Whoever comes first is first in the order, which must not be that of the keys.
      var dice = RehearsalDice(seed: seed, entityName, relationship.name, "turns")
      turns.shuffle(using: &dice)
    }
    for (number, owner) in turns {
      var dice = RehearsalDice(seed: seed, entityName, relationship.name, "\(number)")
      let wanted = count(of: relationship, owner: number, &dice)
      var chosen: [ObjectReference] = []
      // In turn, so that each target gets some.
      for step in 0..<targets.count where chosen.count < wanted {
        let first = isShared ? number - number % Self.sharers : number
        let target = targets[(first + step) % targets.count]
        guard taken[target, default: 0] < (isOneBack ? 1 : mostBack), !chosen.contains(target)
        else { continue }
        chosen.append(target)
      }
      // The other side of a relationship to itself must not be set twice.
      if inverse == relationship {
        chosen.removeAll { taken[$0] != nil || $0 == owner || taken[owner] != nil }
      }
      for target in chosen {
        taken[target, default: 0] += 1
        if inverse == relationship { taken[owner, default: 0] += 1 }
      }
      if relationship.isOrdered { chosen.shuffle(using: &dice) }
      if !chosen.isEmpty { try store.relate(owner, relationship.name, to: chosen) }
    }
  }

  /// How many objects an owner leads to.
  private func count(
    of relationship: Relationship, owner number: Int, _ dice: inout RehearsalDice
  ) -> Int {
    let least = relationship.isOptional && makesNil ? 0 : max(1, relationship.minimumCount)
    guard relationship.isToMany else {
      return makesNil && relationship.isOptional && (number == 0 || dice.chance(20)) ? 0 : 1
    }
    let most = relationship.maximumCount > 0 ? relationship.maximumCount : max(least, 4)
    // None, or as few as allowed; then as many; then any.
    switch number {
    case 0: return least
    case 1: return relationship.maximumCount > 0 ? most : max(least, 8)
    default: return Int.random(in: least...max(least, min(most, 8)), using: &dice)
    }
  }
}
