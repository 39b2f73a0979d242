import Passage
import PassageTesting
import TestSupport

/// A random model with every type of attribute and kind of relationship, and random objects of it.
struct RandomStore {
  let model: Model
  private var numbers: SeededRandom

  private static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
    .binary, .uuid, .uri, .transformable,
  ]

  init(seed: UInt64) {
    var numbers = SeededRandom(seed: seed)
    model = Model(name: "World", entities: Self.entities(&numbers))
    self.numbers = numbers
  }

  private static func entities(_ numbers: inout SeededRandom) -> [Entity] {
    let names = (0..<Int.random(in: 1...4, using: &numbers)).map { "E\($0)" }
    var entities = names.enumerated().map { index, name in
      var entity = Entity(name: name)
      if index > 0, Bool.random(using: &numbers) {
        entity.parentName = names[Int.random(in: 0..<index, using: &numbers)]
      } else {
        entity.isAbstract = index + 1 < names.count && Int.random(in: 0..<4, using: &numbers) == 0
      }
      let count = Int.random(in: 1...5, using: &numbers)
      entity.attributes = (0..<count).map { number in
        let type = types.randomElement(using: &numbers) ?? .string
        return Attribute(
          name: "a\(index)x\(number)", type: type,
          allowsExternalBinaryDataStorage: type == .binary && Bool.random(using: &numbers))
      }
      return entity
    }
    for number in 0..<Int.random(in: 0...5, using: &numbers) {
      let a = entities.indices.randomElement(using: &numbers) ?? 0
      let b = entities.indices.randomElement(using: &numbers) ?? 0
      let kind = Int.random(in: 0..<6, using: &numbers)
      let (name, inverse) = ("r\(number)", kind == 5 ? nil : "i\(number)")
      entities[a].relationships.append(
        Relationship(
          name: name, destinationEntityName: entities[b].name, inverseName: inverse,
          maximumCount: kind < 2 ? 1 : 0, isOrdered: kind == 3 || kind == 4))
      guard let inverse else { continue }
      entities[b].relationships.append(
        Relationship(
          name: inverse, destinationEntityName: entities[a].name, inverseName: name,
          maximumCount: kind == 0 ? 1 : 0, isOrdered: kind == 1 || kind == 4))
    }
    return entities
  }

  /// Fills a store with objects; keys of different hierarchies overlap.
  mutating func fill(_ store: TestStore) throws {
    var objects: [ObjectReference] = []
    for entity in model.entities where !entity.isAbstract {
      for _ in 0..<Int.random(in: 0...8, using: &numbers) {
        var values: [String: Value] = [:]
        for attribute in model.attributes(of: entity) { values[attribute.name] = value(attribute) }
        objects.append(try store.insert(entity.name, values))
      }
    }
    for entity in model.entities {
      for relationship in entity.relationships where relationship.name.hasPrefix("r") {
        try link(relationship, of: entity, objects, in: store)
      }
    }
  }

  private mutating func link(
    _ relationship: Relationship, of entity: Entity, _ objects: [ObjectReference],
    in store: TestStore
  ) throws {
    func members(_ name: String) -> [ObjectReference] {
      let family = model.entity(named: name).map { model.family(of: $0).map(\.name) } ?? []
      return objects.filter { family.contains($0.entityName) }
    }
    let inverse = model.inverse(of: relationship)
    let targets = members(relationship.destinationEntityName)
    var taken: Set<ObjectReference> = []
    for owner in members(entity.name).shuffled(using: &numbers) {
      let count = relationship.isToMany ? Int.random(in: 0...3, using: &numbers) : 1
      var chosen = Array(targets.shuffled(using: &numbers).prefix(count))
      if Bool.random(using: &numbers) { chosen = Array(chosen.dropLast()) }
      // Without an inverse the key is in the other table too, so it has one owner.
      if inverse?.isToMany != true { chosen.removeAll { !taken.insert($0).inserted } }
      if !chosen.isEmpty { try store.relate(owner, relationship.name, to: chosen) }
    }
  }

  private static let texts = [
    "", " ", "plain", "a,b", "a:b::c", "\"quoted\"", "line\nbreak", "line\r\nbreak", "\r",
    "tab\tend",
    "back\\slash", "\\u3c00", "<tag> & ]]> more", "  spaces  ", "Grüße", "日本語", "👩‍👩‍👧", "e\u{301}",
    "NULL",
    "\u{FEFF}mark", "a;b|c", "'", "\\", "\\n", "z1", "1 2", "\u{1}",
    "\u{0}", "a\u{0}b", "\u{0}\r\n", "\u{85}", "\u{2028}",
  ]

  mutating func value(_ attribute: Attribute) -> Value {
    if Int.random(in: 0..<4, using: &numbers) == 0 { return .null }
    func pick<Element>(_ list: [Element], _ other: Element) -> Element {
      list.randomElement(using: &numbers) ?? other
    }
    switch attribute.type {
    case .integer16:
      return pick([0, -1, .integer(Int64(Int16.min)), .integer(Int64(Int16.max))], 0)
    case .integer32: return pick([0, 7, .integer(Int64(Int32.min)), .integer(Int64(Int32.max))], 0)
    case .integer64: return pick([0, .integer(.min), .integer(.max), 9_007_199_254_740_993], 0)
    case .boolean: return pick([true, false], true)
    case .decimal: return pick([0, 0.1, -12.5, 1e-10, 1e20, 123_456_789.123_456, 3], 0)
    case .double:
      return pick(
        [
          0.5, -0.1, 1e-300, .real(.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude),
          .real(.infinity), .real(-.infinity), 0,
          .real(Double.random(in: -1e6...1e6, using: &numbers)),
        ], 0.5)
    case .float: return pick([0.5, .real(Double(Float(0.1))), -3.25], 0.5)
    case .string: return .text(pick(Self.texts, ""))
    case .uri: return .text("https://example.org/a?b=c&d=\(Int.random(in: 0...9, using: &numbers))")
    case .date:
      return pick(
        [
          0, -0.25, 694_267_215.123_456_7, 1e-7, -63_113_904_000, 252_423_993_599, 12,
          .real(Double.random(in: -1e9...1e9, using: &numbers)),
        ], 0)
    case .uuid: return .blob((0..<16).map { _ in UInt8.random(in: 0...255, using: &numbers) })
    default:
      let count = Int.random(in: 0...40, using: &numbers)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      return .blob(attribute.allowsExternalBinaryDataStorage ? [1] + bytes : bytes)
    }
  }
}
