import Passage
import PassageTesting
import TestSupport

/// A random model, random objects of it, a random mapping model in one or several passes, and what
/// the mapping must make of the objects, computed in memory without the engine.
///
/// Every object has an attribute `uid` of its own, by which it is known whatever its key is.
struct RandomWorld {
  struct Object {
    var entity: String
    var uid: Int64
    var value: Int64?
    var text: String?
    var links: [String: [Int]] = [:]
  }

  /// What becomes of the objects of an entity.
  enum Fate {
    case copied
    case below(Int64)
    case split(at: Int64)
    case removed

    func keeps(_ value: Int64?) -> Bool {
      switch self {
      case .copied, .split: true
      case .below(let limit): value.map { $0 < limit } ?? false
      case .removed: false
      }
    }
  }

  /// How much of it there is.
  enum Size {
    /// A leaf of each table.
    case small
    /// Leaves and levels of each table, values that do not fit their page, and every kind of index.
    case large
  }

  let source: Model
  let destination: Model
  private let size: Size
  /// Whether every object is copied in one pass, and no link has an order or is stored on both sides: such
  /// a world needs SQL for nothing.
  let isPlain: Bool
  private(set) var objects: [Object] = []
  private(set) var fates: [String: Fate] = [:]
  private(set) var passes: [[String]] = []

  init(seed: UInt64, size: Size = .small) {
    self.size = size
    var numbers = SeededRandom(seed: seed)
    isPlain = seed.isMultiple(of: 3)
    var entities = Self.entities(isPlain: isPlain, &numbers)
    if size == .large { Self.addIndexes(to: &entities, &numbers) }
    source = Model(name: "1", entities: entities)
    destination = Model(
      name: "2",
      entities: entities.map { entity in
        var entity = entity
        entity.versionHashModifier = "2"
        return entity
      })
    makeObjects(&numbers)
    makeMappings(&numbers)
  }

  private var concrete: [Entity] { source.entities.filter { !$0.isAbstract } }

  // MARK: Making

  private static func entities(isPlain: Bool, _ numbers: inout SeededRandom) -> [Entity] {
    let names = (0..<Int.random(in: 2...5, using: &numbers)).map { "E\($0)" }
    var entities = names.enumerated().map { index, name in
      var entity = Entity(name: name)
      if index > 0, Int.random(in: 0..<3, using: &numbers) == 0 {
        entity.parentName = names[Int.random(in: 0..<index, using: &numbers)]
      } else {
        entity.isAbstract = index + 1 < names.count && Int.random(in: 0..<4, using: &numbers) == 0
        entity.attributes = [
          Attribute(name: "uid", type: .integer64), Attribute(name: "value", type: .integer64),
          Attribute(name: "text", type: .string),
        ]
      }
      return entity
    }
    for number in 0..<Int.random(in: 1...5, using: &numbers) {
      let (a, b) = (
        entities.indices.randomElement(using: &numbers) ?? 0,
        entities.indices.randomElement(using: &numbers) ?? 0
      )
      let (name, inverse) = ("r\(number)", "i\(number)")
      let kind = Int.random(in: isPlain ? 1..<3 : 0..<4, using: &numbers)
      entities[a].relationships.append(
        Relationship(
          name: name, destinationEntityName: entities[b].name, inverseName: inverse,
          maximumCount: kind < 2 ? 1 : 0, isOrdered: kind == 3))
      entities[b].relationships.append(
        Relationship(
          name: inverse, destinationEntityName: entities[a].name, inverseName: name,
          maximumCount: kind == 0 ? 1 : 0, isOrdered: kind == 1 && number % 2 == 0 && !isPlain))
    }
    return entities
  }

  /// Indexes of one column and of several, in both directions, unique, partial, and over keys.
  private static func addIndexes(to entities: inout [Entity], _ numbers: inout SeededRandom) {
    func up(_ name: String) -> Entity.Index.Element { Entity.Index.Element(propertyName: name) }
    func down(_ name: String) -> Entity.Index.Element {
      Entity.Index.Element(propertyName: name, isAscending: false)
    }
    let indexes = [
      Entity.Index(name: "byText", elements: [up("text")]),
      Entity.Index(name: "byValue", elements: [down("value"), up("text")]),
      Entity.Index(name: "byKey", elements: [Entity.Index.Element(expression: "SELF")]),
      Entity.Index(name: "some", elements: [up("value")], partialPredicate: "value > 3"),
    ]
    for place in entities.indices {
      entities[place].indexes = indexes.filter { _ in numbers.chance(60) }
      if numbers.chance(50) { entities[place].uniquenessConstraints = [["uid"]] }
    }
  }

  private mutating func makeObjects(_ numbers: inout SeededRandom) {
    for entity in concrete {
      let counts = size == .small ? 0...12 : 200...1_500
      for _ in 0..<Int.random(in: counts, using: &numbers) {
        let value = Int64.random(in: -3...12, using: &numbers)
        let rest = size == .small ? "" : Self.padding(&numbers)
        objects.append(
          Object(
            entity: entity.name, uid: Int64(objects.count + 1), value: value < -1 ? nil : value,
            text: value % 3 == 0 ? nil : "t\(value)\(rest)"))
      }
    }
    for entity in source.entities {
      for relationship in entity.relationships where relationship.name.hasPrefix("r") {
        link(relationship, from: entity, &numbers)
      }
    }
  }

  /// Letters that mostly fit a page.
  private static func padding(_ numbers: inout SeededRandom) -> String {
    let lengths = numbers.chance(4) ? 3_000...20_000 : 0...500
    let letter = numbers.pick(["a", "é", "z"])
    return String(repeating: letter, count: Int.random(in: lengths, using: &numbers))
  }

  private mutating func link(
    _ relationship: Relationship, from entity: Entity, _ numbers: inout SeededRandom
  ) {
    guard let inverse = source.inverse(of: relationship) else { return }
    let owners = members(of: entity.name)
    let targets = members(of: relationship.destinationEntityName)
    var taken: Set<Int> = []
    for owner in owners.shuffled(using: &numbers) {
      let count = relationship.isToMany ? Int.random(in: 0...3, using: &numbers) : 1
      var chosen = pick(count, of: targets, &numbers)
      if Int.random(in: 0..<4, using: &numbers) == 0 { chosen = [] }
      if !inverse.isToMany { chosen.removeAll { !taken.insert($0).inserted } }
      objects[owner].links[relationship.name, default: []] += chosen
      for target in chosen { objects[target].links[inverse.name, default: []].append(owner) }
    }
  }

  /// - Returns: so many different ones, or all.
  private func pick(
    _ count: Int, of targets: [Int], _ numbers: inout SeededRandom
  ) -> [Int] {
    if size == .small { return Array(targets.shuffled(using: &numbers).prefix(count)) }
    var chosen: [Int] = []
    for _ in 0..<count {
      let target = targets.randomElement(using: &numbers)
      if let target, !chosen.contains(target) { chosen.append(target) }
    }
    return chosen
  }

  /// The positions of the objects of an entity and its subentities.
  private func members(of name: String) -> [Int] {
    guard let entity = source.entity(named: name) else { return [] }
    let family = Set(source.family(of: entity).map(\.name))
    return objects.indices.filter { family.contains(objects[$0].entity) }
  }

  private mutating func makeMappings(_ numbers: inout SeededRandom) {
    var mappings: [String] = []
    for entity in concrete {
      let names = source.relationships(of: entity).map(\.name)
      let attributes = #""uid": {}, "value": {"default": "$source.uid * 1000"}, "text": {}"#
      let relationships = names.map { "\"\($0)\": {}" }.joined(separator: ", ")
      func mapping(_ filter: String?, _ name: String = "") -> String {
        """
        {"type": "transform", "source": "\(entity.name)", "destination": "\(entity.name)",
         "name": "\(entity.name)\(name)", \(filter.map { "\"filter\": \"\($0)\"," } ?? "")
         "attributes": {\(attributes)}, "relationships": {\(relationships)}}
        """
      }
      let limit = Int64.random(in: 0...9, using: &numbers)
      switch isPlain ? 6 : Int.random(in: 0..<6, using: &numbers) {
      case 0:
        fates[entity.name] = .below(limit)
        mappings.append(mapping("value < \(limit)"))
      case 1:
        fates[entity.name] = .split(at: limit)
        mappings.append(mapping("value < \(limit)", "Low"))
        mappings.append(mapping("NOT value < \(limit)", "High"))
      case 2:
        fates[entity.name] = .removed
        mappings.append(#"{"type": "remove", "source": "\#(entity.name)"}"#)
      default:
        fates[entity.name] = .copied
        mappings.append(mapping(nil))
      }
    }
    mappings.shuffle(using: &numbers)
    let count = isPlain ? 1 : Int.random(in: 1...3, using: &numbers)
    passes = Array(repeating: [], count: count)
    for (number, mapping) in mappings.enumerated() { passes[number % count].append(mapping) }
    passes.removeAll(where: \.isEmpty)
  }

  // MARK: Using

  func fill(_ store: TestStore) throws {
    let made = try objects.map { object in
      try store.insert(
        object.entity,
        [
          "uid": .integer(object.uid), "value": object.value.map { .integer($0) } ?? .null,
          "text": object.text.map { .text($0) } ?? .null,
        ])
    }
    for (index, object) in objects.enumerated() {
      for (name, targets) in object.links.sorted(by: { $0.key < $1.key })
      where name.hasPrefix("r") {
        try store.relate(made[index], name, to: targets.map { made[$0] })
      }
    }
  }

  func mappingModels() throws -> [MappingModel] {
    try passes.enumerated().map { number, mappings in
      try mapping(mappings.joined(separator: ", "), named: "Pass\(number + 1)")
    }
  }

  /// What the migrated store must hold: one line for each object, by `uid`.
  ///
  /// - Parameter old: the source's contents, for the order of ordered relationships.
  func expected(_ old: StoreContents) -> [String] {
    let kept = Set(
      objects.filter { fates[$0.entity]?.keeps($0.value) == true }.map(\.uid))
    let uids = Self.uids(old)
    return old.objects.compactMap { object in
      guard let uid = object["uid"].integer, kept.contains(uid) else { return nil }
      let value = object["value"].integer ?? uid * 1_000
      return line(object, uid, value, uids) { kept.contains($0) }
    }.sorted()
  }

  /// What a migrated store holds, in the same lines.
  func found(_ new: StoreContents) -> [String] {
    let uids = Self.uids(new)
    return new.objects.map { object in
      line(object, object["uid"].integer ?? 0, object["value"].integer ?? -1, uids) { _ in true }
    }.sorted()
  }

  private static func uids(_ contents: StoreContents) -> [ObjectReference: Int64] {
    Dictionary(
      contents.objects.map { ($0.reference, $0["uid"].integer ?? 0) },
      uniquingKeysWith: { first, _ in first })
  }

  private func line(
    _ object: StoreContents.Object, _ uid: Int64, _ value: Int64,
    _ uids: [ObjectReference: Int64], _ keeps: (Int64) -> Bool
  ) -> String {
    let entity = source.entity(named: object.entityName)
    let links = object.related.sorted { $0.key < $1.key }.map { name, targets in
      let found = targets.map { uids[$0] ?? -1 }.filter(keeps)
      let isOrdered = entity.flatMap { source.relationship(name, of: $0) }?.isOrdered == true
      return "\(name)=\(isOrdered ? found : found.sorted())"
    }
    return "\(object.entityName) \(uid) \(value) \(object["text"]) \(links)"
  }
}
