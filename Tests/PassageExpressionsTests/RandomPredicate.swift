import PassageExpressions
import PassageValues
import TestSupport

/// Makes well-typed predicates in the format language, and cells for them to meet.
struct RandomPredicate {
  var generator: SeededRandom

  static let texts = [
    "", "a", "A", "abc", "ABC", "aBc", "é", "É", "e", "e\u{301}", "E\u{301}", "straße", "STRASSE",
    "İ", "ı", "😀", "👩‍👩‍👧", "a*b", "a?b", "a\\b", "%", "_", "\u{7F}", "\u{FFFF}", "z\u{10FFFF}",
    "Ω", "\u{2126}", "12", "0", "abcabc", "ab\nc",
  ]
  static let patterns = [
    "*", "?", "a*", "*c", "a?c", "*B*", "\\\\*", "e?", "**", "", "[a]*", "É*", "??",
  ]
  static let expressions = [
    ".*", "a.*", "[a-c]+", "é", "(?i)abc", "\\\\w+", "", "a|abc", ".", "..", "\\\\d+",
  ]
  static let numbers = [
    "0", "1", "-1", "2", "3", "7", "-0.0", "0.5", "1e300", "-1e300", "9007199254740992",
    "9007199254740993", "9007199254740992.0", "9223372036854775807", "-9223372036854775808", "64",
    "63", "-64", "1.5", "1e19", "0.1", "0.7", "16777217",
  ]
  static let cells: [Value] = [
    .null, 0, 1, -1, 2, 3, 7, 64, .integer(.max), .integer(.min), .integer(9_007_199_254_740_993),
    .real(0.5), .real(-0.0), .real(1.5), .real(.infinity), .real(-.infinity), .real(.nan),
    .real(9_007_199_254_740_992), .real(1e300), .real(-2.5),
    .real(0.1), .real(Double(Float(0.1))), .real(Double(Float(0.7))), .integer(16_777_216),
  ]
  static let identifiers = [
    "00000000-0000-0000-0000-000000000000", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
  ]

  // MARK: Cells

  mutating func textCell() -> Value {
    if generator.chance(15) { return .null }
    if generator.chance(4) { return .blob(Array("abc".utf8)) }
    return .text(generator.pick(Self.texts))
  }

  mutating func numberCell() -> Value {
    if generator.chance(4) { return .text("abc") }
    if generator.chance(3) { return .blob([0x31]) }
    return generator.pick(Self.cells)
  }

  mutating func blobCell() -> Value {
    if generator.chance(20) { return .null }
    if generator.chance(40) { return .blob([UInt8](repeating: 0, count: 16)) }
    return .blob(Array("abc".utf8))
  }

  // MARK: Predicates

  mutating func predicate(depth: Int) -> String {
    if depth > 0, generator.chance(55) {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: return "NOT (\(predicate(depth: depth - 1)))"
      case 1: return "(\(predicate(depth: depth - 1))) AND (\(predicate(depth: depth - 1)))"
      default: return "(\(predicate(depth: depth - 1))) OR (\(predicate(depth: depth - 1)))"
      }
    }
    switch Int.random(in: 0..<10, using: &generator) {
    case 0, 1, 2: return numeric()
    case 3, 4, 5: return textual()
    case 6: return objects()
    case 7: return dates()
    case 8: return identifiersAndData()
    default: return generator.pick(["TRUEPREDICATE", "FALSEPREDICATE", "1 == 2", "nil == nil"])
    }
  }

  private mutating func comparison() -> String {
    generator.pick(["==", "!=", "<", "<=", ">", ">="])
  }

  private mutating func numeric() -> String {
    let left = number(depth: 2)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return "\(left) BETWEEN {\(number(depth: 1)), \(number(depth: 1))}"
    case 1:
      let count = Int.random(in: 0..<4, using: &generator)
      let elements = (0..<count).map { _ in generator.chance(15) ? "nil" : number(depth: 1) }
      return "\(left) IN {\(elements.joined(separator: ", "))}"
    case 2: return "\(left) \(generator.pick(["==", "!="])) nil"
    default: return "\(left) \(comparison()) \(number(depth: 2))"
    }
  }

  private mutating func number(depth: Int) -> String {
    guard depth > 0, generator.chance(50) else {
      return generator.chance(40)
        ? generator.pick(Self.numbers)
        : generator.pick(["pages", "shelf", "price", "weight", "isLent", "author.age", "#size"])
    }
    let a = number(depth: depth - 1)
    let b = number(depth: depth - 1)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0, 1, 2: return "(\(a) \(generator.pick(["+", "-", "*", "/"])) \(b))"
    case 3: return "(\(a) \(generator.pick(["&", "|", "^", "<<", ">>"])) \(b))"
    case 4:
      let function = generator.pick([
        "abs", "floor", "ceiling", "trunc", "sqrt", "exp", "ln", "log", "onesComplement",
      ])
      return "\(function):(\(a))"
    case 5: return generator.pick(["modulus:by:(\(a), \(b))", "(\(a) ** \(b))", "-(\(a))"])
    case 6: return "TERNARY(\(predicate(depth: 0)), \(a), \(b))"
    default:
      let texts = [
        "length:(title)", "subtitle.length", "CAST(title, 'NSNumber')", "weight.intValue",
        "printed.timeIntervalSince1970", "cover.length", "price.boolValue",
      ]
      return generator.pick(texts)
    }
  }

  private mutating func options() -> String {
    generator.pick(["", "", "[c]", "[d]", "[cd]", "[n]", "[nc]"])
  }

  private mutating func quoted() -> String {
    ValueExpression.constant(.string(generator.pick(Self.texts))).description
  }

  private mutating func text(depth: Int = 1) -> String {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0 where depth > 0: return "uppercase:(\(text(depth: 0)))"
    case 1 where depth > 0: return "canonical:(\(text(depth: 0)))"
    case 2 where depth > 0: return "CAST(\(number(depth: 1)), 'NSString')"
    case 3 where depth > 0:
      return "TERNARY(\(predicate(depth: 0)), \(text(depth: 0)), \(quoted()))"
    case 4, 5: return quoted()
    default: return generator.pick(["title", "subtitle", "author.name", "page"])
    }
  }

  private mutating func textual() -> String {
    let left = text()
    switch Int.random(in: 0..<7, using: &generator) {
    case 0:
      return "\(left) LIKE\(options()) '\(generator.pick(Self.patterns))'"
    case 1: return "\(left) MATCHES\(options()) '\(generator.pick(Self.expressions))'"
    case 2, 3:
      let operation = generator.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "IN"])
      return "\(left) \(operation)\(options()) \(text(depth: 0))"
    case 4:
      return
        "\(left) IN\(options()) {\(quoted()), \(generator.pick(["nil", "title"])), \(quoted())}"
    case 5: return "\(left) BETWEEN\(options()) {\(quoted()), \(text(depth: 0))}"
    default: return "\(left) \(comparison())\(options()) \(text(depth: 0))"
    }
  }

  private mutating func objects() -> String {
    generator.pick([
      "author == nil", "author != nil", "sequel == SELF", "sequel != SELF", "SELF == SELF",
      "SELF != nil", "sequel IN {SELF, nil}", "sequel == nil",
    ])
  }

  private mutating func dates() -> String {
    let date = generator.pick([
      "CAST('2001-01-01T00:00:01Z', 'NSDate')", "CAST('2001-01-01', 'NSDate')", "now()", "printed",
      "author.born", "CAST(0.5, 'NSDate')", "(printed + 1)", "nil",
    ])
    return "\(generator.pick(["printed", "author.born", "now()"])) \(comparison()) \(date)"
  }

  private mutating func identifiersAndData() -> String {
    let identifier = generator.pick(Self.identifiers)
    return generator.pick([
      "identifier == '\(identifier)'", "identifier IN {'\(identifier)', nil}", "cover == nil",
      "identifier.UUIDString BEGINSWITH '\(identifier.prefix(4))'", "identifier != identifier",
      "cover == cover", "extra != nil", "identifier.UUIDString CONTAINS[c] 'e621'",
    ])
  }
}
