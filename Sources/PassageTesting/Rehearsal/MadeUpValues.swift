internal import Foundation
internal import Passage
internal import PassageExpressions
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
  private let pattern: TextPattern?
  /// What the model allows for a number, or for the length of a text.
  private let range: ClosedRange<Double>

  /// - Parameter isUnique: whether the attribute is part of a uniqueness constraint.
  init(_ attribute: Attribute, of entityName: String, isUnique: Bool, makesNil: Bool, seed: UInt64)
  {
    self.attribute = attribute
    self.entityName = entityName
    self.isUnique = isUnique
    self.makesNil = makesNil
    self.seed = seed
    pattern = attribute.regularExpression.flatMap { pattern in
      pattern.isEmpty ? nil : try? TextPattern(pattern, caseInsensitive: false)
    }
    edges = Self.edges(attribute)
    range = Self.range(attribute)
  }

  /// The value for the n-th object, counted from 0.
  ///
  /// - Returns: a value as the column stores it.
  func value(_ number: Int) -> Value {
    var dice = RehearsalDice(seed: seed, entityName, attribute.name, "\(number)")
    let isNil = makesNil && attribute.isOptional && !isUnique && (number == 0 || dice.chance(20))
    if isNil { return .null }
    if isUnique {
      let value = unique(number)
      return isAllowed(value) ? value : replacement(of: value)
    }
    let edge = edges.indices.contains(number - 1) ? edges[number - 1] : nil
    if let edge, isAllowed(edge) { return edge }
    var refused = edge
    for _ in 0..<20 {
      let value = random(&dice)
      if isAllowed(value) { return value }
      refused = refused ?? value
    }
    return replacement(of: refused ?? .null)
  }

  /// What stands in for a value that the model refuses, when no other was found.
  private func replacement(of refused: Value) -> Value {
    if isAllowed(attribute.defaultValue) { return attribute.defaultValue }
    return attribute.isOptional ? .null : refused
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

  private static func range(_ attribute: Attribute) -> ClosedRange<Double> {
    // A limit that is not a number, and one without end, is none.
    func limit(_ text: String?) -> Double? {
      text.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }
    let lowest = limit(attribute.minimum) ?? -.infinity
    let highest = limit(attribute.maximum) ?? .infinity
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
      // Several values are tried for each object, so that a pattern that takes long is given up soon: each
      // report is of ten thousand steps.
      return pattern.map {
        (try? $0.matches(text, mostReports: 10 + text.utf16.count / 100)) == true
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
    let count = Double(text.count)
    if count > range.upperBound { text = String(text.prefix(Int(max(0, range.upperBound)))) }
    // Longer ones are not made up.
    let missing = min(range.lowerBound, 10_000).rounded(.up) - count
    if missing > 0 { text += String(repeating: "x", count: Int(missing)) }
    return text
  }

  /// A value that no other object of the entity has.
  private func unique(_ number: Int) -> Value {
    switch attribute.type {
    case .integer16, .integer32, .integer64:
      let lowest = range.lowerBound.isFinite ? range.lowerBound.rounded(.up) : 0
      let (value, overflow) = (Int64(exactly: lowest) ?? 0)
        .addingReportingOverflow(Int64(number))
      // Such a number is below the limit, and still no other object's.
      return .integer(overflow ? Int64(number) : value)
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
