import Foundation
import Passage
import PassageEngine
import PassageTesting
import Testing

/// A recipe of the page: models and objects in short notation, and the mapping between them.
///
/// `Person(name: text, pets: [Pet].owner)` is an entity; `Dog: Pet(…)` inherits; `abstract` stands before
/// it; `[Pet ordered].owner` is an ordered relationship with its inverse. `Person 1: name "Ann", pets [1]`
/// is an object with its key.
struct Recipe: Sendable, CustomTestStringConvertible {
  var title = ""
  var source = ""
  var destination = ""
  var mapping = ""
  var policies: [String] = []
  var rows: [(before: String, after: String)] = []

  var testDescription: String { title }

  struct Mistake: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  // MARK: The page

  /// The recipes of a page: what follows a heading of the third level.
  static func all(of page: String) -> [Recipe] {
    var recipes: [Recipe] = []
    var block: (language: String, lines: [String])?
    for line in page.components(separatedBy: "\n") {
      if let open = block {
        guard line == "```" else {
          block?.lines.append(line)
          continue
        }
        let text = open.lines.joined(separator: "\n")
        if open.language == "json" { recipes[recipes.count - 1].mapping = text }
        if open.language == "swift" { recipes[recipes.count - 1].policies.append(text) }
        block = nil
      } else if line.hasPrefix("### ") {
        recipes.append(Recipe(title: String(line.dropFirst(4))))
      } else if recipes.isEmpty {
        continue
      } else if line.hasPrefix("```") {
        block = (String(line.dropFirst(3)), [])
      } else if line.hasPrefix("Before `") {
        let spans = PredicatesPageTests.spans(line)
        recipes[recipes.count - 1].source = spans.first ?? ""
        recipes[recipes.count - 1].destination = spans.count > 1 ? spans[1] : spans.first ?? ""
      } else if line.hasPrefix("| `") || line.hasPrefix("| –") {
        let cells = line.dropFirst().dropLast().components(separatedBy: " | ")
        recipes[recipes.count - 1].rows.append(
          (text(cells.first ?? ""), text(cells.count > 1 ? cells[1] : "")))
      }
    }
    return recipes.filter { !$0.mapping.isEmpty }
  }

  private static func text(_ cell: String) -> String {
    PredicatesPageTests.spans(cell).joined(separator: "; ")
  }

  // MARK: Running

  /// Migrates the objects of the first column in each lane.
  ///
  /// - Returns: what is not as the second column says.
  func differences(_ policies: [any MigrationPolicy.Type]) throws -> [String] {
    let models = try (Self.model("1", source), Self.model("2", destination))
    let objects = try rows.flatMap { try Self.objects($0.before, models.0) }
    let expected = try rows.flatMap { try Self.objects($0.after, models.1) }
    let trial = try Trial(
      models.0, models.1, [PassageEngineTests.mapping(mapping)], policies: policies
    ) { store in
      for object in objects {
        try store.insert(object.entity, object.values, key: object.key)
      }
      for object in objects {
        let owner = ObjectReference(entityName: object.entity, key: object.key)
        for (name, keys) in object.related {
          let end = models.0.entity(named: object.entity).flatMap {
            models.0.relationship(name, of: $0)
          }
          let targets = keys.compactMap { key in
            objects.first { other in
              guard let end, let entity = models.0.entity(named: other.entity),
                let family = models.0.entity(named: end.destinationEntityName)
              else { return false }
              return other.key == key && models.0.isKind(entity, of: family)
            }.map { ObjectReference(entityName: $0.entity, key: $0.key) }
          }
          try store.relate(owner, name, to: targets)
        }
      }
    }
    var found: [String] = []
    for lane in [MigrationOptions.Lane.set, .row, .page] {
      var options = MigrationOptions()
      options.lane = lane
      let name = "\(lane).sqlite"
      try trial.run(to: name, options: options)
      let contents = try StoreContents(path: trial.directory.path(name), model: models.1)
      found += compare(contents, expected).map { "\(lane): \($0)" }
    }
    return found
  }

  private func compare(_ contents: StoreContents, _ expected: [Object]) -> [String] {
    var found: [String] = []
    let names = contents.objects.map { "\($0.entityName) \($0.key)" }.sorted()
    let wanted = expected.map { "\($0.entity) \($0.key)" }.sorted()
    if names != wanted { found.append("there are \(names), not \(wanted)") }
    for object in expected {
      guard let made = contents.object(object.entity, object.key) else { continue }
      for (name, value) in object.values where made[name] != value {
        found.append("\(object.entity) \(object.key).\(name) is \(made[name]), not \(value)")
      }
      for (name, keys) in object.related where made.keys(name) != keys {
        found.append(
          "\(object.entity) \(object.key).\(name) leads to \(made.keys(name)), not \(keys)")
      }
    }
    return found
  }

  // MARK: Notation

  struct Object {
    var entity: String
    var key: Int64
    var values: [String: Value] = [:]
    var related: [String: [Int64]] = [:]
  }

  static func model(_ name: String, _ text: String) throws -> Model {
    var scanner = Scan(text)
    var entities: [Entity] = []
    repeat { entities.append(try entity(&scanner)) } while scanner.take(",")
    guard scanner.isAtEnd else { throw Mistake("unread: \(scanner.rest)") }
    return Model(name, entities)
  }

  private static func entity(_ scanner: inout Scan) throws -> Entity {
    var name = scanner.word()
    let isAbstract = name == "abstract"
    if isAbstract { name = scanner.word() }
    let parent = scanner.take(":") ? scanner.word() : nil
    var entity = Entity(name, parent: parent, isAbstract: isAbstract)
    guard scanner.take("("), !scanner.take(")") else { return entity }
    repeat {
      let property = scanner.word()
      guard scanner.take(":") else { throw Mistake("a type is missing after \(property)") }
      if scanner.take("[") {
        let end = scanner.word()
        let isOrdered = scanner.take("ordered")
        guard scanner.take("]") else { throw Mistake("] is missing") }
        entity.relationships.append(
          .many(
            property, end, inverse: scanner.take(".") ? scanner.word() : nil, isOrdered: isOrdered))
        continue
      }
      let type = scanner.word()
      if type.first?.isUppercase == true {
        entity.relationships.append(
          .one(property, type, inverse: scanner.take(".") ? scanner.word() : nil))
        continue
      }
      guard let known = types[type] else { throw Mistake("there is no type \(type)") }
      let isRequired = scanner.take("required")
      entity.attributes.append(Attribute(name: property, type: known, isOptional: !isRequired))
    } while scanner.take(",")
    guard scanner.take(")") else { throw Mistake(") is missing: \(scanner.rest)") }
    return entity
  }

  private static let types: [String: AttributeType] = [
    "text": .string, "integer": .integer64, "number": .double, "decimal": .decimal,
    "boolean": .boolean, "date": .date, "data": .binary, "uuid": .uuid, "uri": .uri,
    "transformable": .transformable,
  ]

  static func objects(_ text: String, _ model: Model) throws -> [Object] {
    var scanner = Scan(text)
    var objects: [Object] = []
    while !scanner.isAtEnd {
      let name = scanner.word()
      guard let entity = model.entity(named: name), let key = Int64(scanner.word()) else {
        throw Mistake("no object: \(name) \(scanner.rest)")
      }
      var object = Object(entity: name, key: key)
      if scanner.take(":") {
        repeat {
          let property = scanner.word()
          if let attribute = model.attribute(property, of: entity) {
            object.values[property] = try value(&scanner, attribute)
          } else if model.relationship(property, of: entity) != nil {
            object.related[property] = try keys(&scanner)
          } else {
            throw Mistake("\(name) has no property \(property)")
          }
        } while scanner.take(",")
      }
      objects.append(object)
      _ = scanner.take(";")
    }
    return objects
  }

  private static func keys(_ scanner: inout Scan) throws -> [Int64] {
    guard scanner.take("[") else {
      let word = scanner.word()
      if word == "nil" { return [] }
      guard let key = Int64(word) else { throw Mistake("no key: \(word)") }
      return [key]
    }
    var keys: [Int64] = []
    while !scanner.take("]") {
      guard let key = Int64(scanner.word()) else { throw Mistake("no key: \(scanner.rest)") }
      keys.append(key)
      _ = scanner.take(",")
    }
    return keys
  }

  private static func value(_ scanner: inout Scan, _ attribute: Attribute) throws -> Value {
    if let text = scanner.quoted() {
      switch attribute.type {
      case .uuid:
        guard let uuid = UUID(uuidString: text) else { throw Mistake("no UUID: \(text)") }
        return .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
      case .binary, .transformable: return .blob(Array(text.utf8))
      case .date:
        guard case .date(let date)? = PredicateArgument.date(text) else {
          throw Mistake("no date: \(text)")
        }
        let seconds = date.timeIntervalSinceReferenceDate
        return Int64(exactly: seconds).map { .integer($0) } ?? .real(seconds)
      default: return .text(text)
      }
    }
    let word = scanner.word()
    switch word {
    case "nil": return .null
    case "true": return 1
    case "false": return 0
    default:
      if attribute.type == .double, let number = Double(word) { return .real(number) }
      if let number = Int64(word) { return .integer(number) }
      if let number = Double(word) { return .real(number) }
      throw Mistake("no value: \(word)")
    }
  }
}

/// Reads words, quoted texts and signs.
struct Scan {
  private var text: Substring

  init(_ text: String) { self.text = text[...] }

  var rest: String { String(text) }

  var isAtEnd: Bool { text.allSatisfy(\.isWhitespace) }

  private mutating func skip() { text = text.drop { $0.isWhitespace } }

  mutating func take(_ sign: String) -> Bool {
    skip()
    guard text.hasPrefix(sign) else { return false }
    text = text.dropFirst(sign.count)
    return true
  }

  mutating func word() -> String {
    skip()
    let word = text.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." && false }
    var end = word.endIndex
    // A point belongs to a number, and not to a name.
    if word.allSatisfy({ $0.isNumber || $0 == "-" }), end < text.endIndex, text[end] == "." {
      end = text[text.index(after: end)...].prefix(while: \.isNumber).endIndex
    }
    let found = text[text.startIndex..<end]
    text = text[end...]
    return String(found)
  }

  /// A text in quotation marks; `nil` if there is none.
  mutating func quoted() -> String? {
    skip()
    guard text.first == "\"" else { return nil }
    let content = text.dropFirst().prefix { $0 != "\"" }
    text = text[content.endIndex...].dropFirst()
    return String(content)
  }
}
