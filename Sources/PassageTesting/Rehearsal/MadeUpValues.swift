internal import Foundation
internal import Passage
internal import PassageModels
internal import PassageStores
internal import PassageValues

/// Values for one attribute that its model accepts: those at the edges first, then random ones, and
/// nil now and then where that is allowed.
struct MadeUpValues {
  private let attribute: Attribute
  /// Whether no two objects may have the same value.
  private let isUnique: Bool
  private let makesNil: Bool
  private let seed: UInt64
  private let entityName: String
  /// What comes first, in order.
  private let edges: [Value]
  private let pattern: NSRegularExpression?

  /// - Parameter isUnique: whether the attribute is part of a uniqueness constraint.
  init(_ attribute: Attribute, of entityName: String, isUnique: Bool, makesNil: Bool, seed: UInt64)
  {
    self.attribute = attribute
    self.entityName = entityName
    self.isUnique = isUnique
    self.makesNil = makesNil
    self.seed = seed
    pattern = attribute.regularExpression.flatMap { try? NSRegularExpression(pattern: $0) }
    edges = Self.edges(attribute)
  }

  /// The value for the n-th object, counted from 0.
  ///
  /// - Returns: a value as the column stores it.
  func value(_ number: Int) -> Value {
    var dice = RehearsalDice(seed: seed, entityName, attribute.name, "\(number)")
    let isNil = makesNil && attribute.isOptional && !isUnique && (number == 0 || dice.chance(20))
    if isNil { return .null }
    let order = number - 1
    let candidates =
      (edges.indices.contains(order) && !isUnique ? [edges[order]] : [])
      + (0..<20).map { _ in isUnique ? unique(number) : random(&dice) }
      + [attribute.defaultValue]
    return candidates.first(where: isAllowed) ?? (attribute.isOptional ? .null : candidates[0])
  }

  /// The bytes of the n-th object's value if it is kept in a file, as Core Data does with large ones:
  /// once after the values at the edges, then now and then. Seed and size are all that is remembered.
  func externalBytes(_ number: Int) -> [UInt8]? {
    guard attribute.allowsExternalBinaryDataStorage, !isUnique else { return nil }
    var dice = RehearsalDice(seed: seed, entityName, attribute.name, "file", "\(number)")
    guard number == edges.count + 1 || number > edges.count && dice.chance(10) else { return nil }
    let count = Int.random(in: 120_000...200_000, using: &dice)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
  }

  /// The name of the file of ``externalBytes(_:)``.
  func fileName(_ number: Int) -> UUID {
    var dice = RehearsalDice(seed: seed, entityName, attribute.name, "name", "\(number)")
    var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &dice) }[...]
    func next() -> UInt8 { bytes.popFirst() ?? 0 }
    return UUID(
      uuid: (
        next(), next(), next(), next(), next(), next(), next(), next(), next(), next(), next(),
        next(), next(), next(), next(), next()
      ))
  }

  // MARK: What the model accepts

  private var range: ClosedRange<Double> {
    let lowest = attribute.minimum.flatMap(Double.init) ?? -.infinity
    let highest = attribute.maximum.flatMap(Double.init) ?? .infinity
    return lowest <= highest ? lowest...highest : lowest...lowest
  }

  private func isAllowed(_ value: Value) -> Bool {
    switch value {
    case .null: return attribute.isOptional
    case .integer(let number): return range.contains(Double(number))
    case .real(let number): return range.contains(number)
    case .text(let text):
      guard attribute.type == .string else { return true }
      guard range.contains(Double(text.count)) else { return false }
      return pattern.map {
        let whole = NSRange(text.startIndex..., in: text)
        return $0.firstMatch(in: text, range: whole)?.range == whole
      } ?? true
    default: return true
    }
  }

  // MARK: Values

  private static func edges(_ attribute: Attribute) -> [Value] {
    switch attribute.type {
    case .integer16: return [0, -1, .integer(Int64(Int16.max)), .integer(Int64(Int16.min))]
    case .integer32: return [0, -1, .integer(Int64(Int32.max)), .integer(Int64(Int32.min))]
    case .integer64: return [0, -1, .integer(.max), .integer(.min), 9_007_199_254_740_993]
    case .boolean: return [0, 1]
    case .decimal: return [0, .real(0.1), .real(-12_345.678_9), .integer(1_000_000_000_000)]
    case .float: return [0, .real(-0.5), .real(Double(Float.greatestFiniteMagnitude))]
    case .double:
      return [0, .real(0.1), .real(.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude)]
    case .date:
      // The epoch, before 1970, a leap day, a time with a fraction, the year 9999.
      return [0, -1_815_350_400, 730_684_800, .real(0.000_5), 252_423_993_599]
    case .string:
      return [
        "", "a", "Zoë’s naïve café", "日本語 🏳️‍🌈 e\u{301}", "'; DROP TABLE x; --", "line\nline\ttab",
        .text(String(repeating: "long ", count: 1_000)), " space ", "0", "NULL",
      ]
    case .uri: return ["https://example.org/a?b=c#d", "file:///tmp/%20x", "urn:x"]
    case .uuid:
      return [.blob(Array(repeating: 0, count: 16)), .blob(Array(repeating: 255, count: 16))]
    case .binary:
      return [[], [0], Array(repeating: 7, count: 3_000)].map { stored($0, attribute) }
    case .transformable:
      return [
        .blob(PlainValue.string("text").keyedArchive), .blob(PlainValue.list([]).keyedArchive),
      ]
    case .undefined, .objectID, .composite: return []
    }
  }

  private func random(_ dice: inout RehearsalDice) -> Value {
    func whole(_ limits: ClosedRange<Int64>) -> Value {
      let lowest = max(Double(limits.lowerBound), range.lowerBound.rounded(.up))
      let highest = min(Double(limits.upperBound), range.upperBound.rounded(.down))
      guard let low = Int64(exactly: lowest), let high = Int64(exactly: highest), low <= high else {
        return .integer(limits.lowerBound)
      }
      return .integer(Int64.random(in: low...high, using: &dice))
    }
    func fraction(_ limits: ClosedRange<Double>) -> Value {
      let low = max(limits.lowerBound, range.lowerBound)
      let high = min(limits.upperBound, range.upperBound)
      return .real(low <= high ? Double.random(in: low...high, using: &dice) : low)
    }
    switch attribute.type {
    case .integer16: return whole(-1_000...1_000)
    case .integer32: return whole(-1_000_000...1_000_000)
    case .integer64: return whole(-1_000_000_000...1_000_000_000)
    case .boolean: return dice.chance(50) ? 1 : 0
    case .decimal, .double: return fraction(-1_000_000...1_000_000)
    case .float:
      guard case .real(let number) = fraction(-1_000...1_000) else { return 0 }
      return .real(Double(Float(number)))
    case .date: return fraction(-500_000_000...900_000_000)
    case .string: return .text(text(&dice))
    case .uri: return .text("https://example.org/\(Int.random(in: 0..<1_000_000, using: &dice))")
    case .uuid: return .blob((0..<16).map { _ in UInt8.random(in: 0...255, using: &dice) })
    case .binary:
      let count = Int.random(in: 0..<200, using: &dice)
      return Self.stored(
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }, attribute)
    case .transformable: return .blob(PlainValue.string(text(&dice)).keyedArchive)
    case .undefined, .objectID, .composite: return .null
    }
  }

  private static let words = [
    "alpha", "Berta", "gamma", "delta", "Émile", "zwölf", "42", "red", "north", "blue", "x",
  ]

  private func text(_ dice: inout RehearsalDice) -> String {
    var text = (0..<Int.random(in: 1...4, using: &dice)).map { _ in dice.pick(Self.words) }
      .joined(separator: " ")
    if range.upperBound.isFinite, Double(text.count) > range.upperBound {
      text = String(text.prefix(max(0, Int(range.upperBound))))
    }
    while Double(text.count) < range.lowerBound, text.count < 10_000 { text += "x" }
    return text
  }

  /// A value that no other object of the entity has.
  private func unique(_ number: Int) -> Value {
    switch attribute.type {
    case .integer16, .integer32, .integer64:
      let lowest = range.lowerBound.isFinite ? range.lowerBound.rounded(.up) : 0
      return .integer((Int64(exactly: lowest) ?? 0) + Int64(number))
    case .decimal, .float, .double, .date: return .real(Double(number) + 0.5)
    case .string: return .text("\(attribute.name) \(number)")
    case .uri: return .text("https://example.org/\(number)")
    case .uuid:
      var dice = RehearsalDice(seed: seed, entityName, attribute.name, "unique", "\(number)")
      return .blob((0..<16).map { _ in UInt8.random(in: 0...255, using: &dice) })
    case .binary: return Self.stored(Array("\(number)".utf8), attribute)
    case .boolean: return .integer(Int64(number % 2))
    case .transformable: return .blob(PlainValue.integer(Int64(number)).keyedArchive)
    case .undefined, .objectID, .composite: return .null
    }
  }

  /// Bytes as the column of an attribute stores them.
  private static func stored(_ bytes: [UInt8], _ attribute: Attribute) -> Value {
    .blob(
      attribute.allowsExternalBinaryDataStorage ? [ExternalValue.inlineMarker] + bytes : bytes)
  }
}
