import Foundation
import PassageDiagnostics
import PassagePlatform
import PassageValues

/// Converts numbers to text and back with an explicit locale, so that the result is the same on
/// every machine.
final class NumberTexts: Sendable {
  private struct Key: Hashable {
    var pattern: ExactText
    var locale: ExactText
  }

  private static let maximumPatternLength = 200
  private let formatters = Memo<Key, NumberFormatter>()
  private let symbols = Memo<ExactText, NumberSymbols>()

  /// Formats a number by a pattern of Unicode Technical Standard 35
  /// (https://unicode.org/reports/tr35/tr35-numbers.html#Number_Format_Patterns).
  ///
  /// - Throws: `PRE-044`.
  func text(_ value: Value, _ pattern: String, _ locale: String) throws -> Value {
    let number: NSNumber
    switch value {
    case .integer(let value): number = NSNumber(value: value)
    case .real(let value): number = NSNumber(value: value)
    default: return .null
    }
    let key = Key(pattern: ExactText(pattern), locale: ExactText(locale))
    let text = try formatters.use(key, make: Self.make) { $0.string(from: number) }
    guard let text else {
      throw Diagnostic(
        FunctionCode.unreadable, "a number cannot be written with the pattern “\(pattern)”")
    }
    return .text(text)
  }

  /// Parses a number with the locale's symbols. White space around it is allowed.
  ///
  /// - Throws: `PRE-040` for a text that is not a number, `PRE-044`.
  func number(_ text: String, _ locale: String) throws -> Value {
    let value = try symbols.use(ExactText(locale), make: Self.makeSymbols) { $0.number(text) }
    guard let value else {
      throw Diagnostic(
        FunctionCode.unreadable, "a text is not a number in the locale “\(locale)”",
        remedy: "call parseNumberOrNull, which returns nil, or filter such objects out")
    }
    return value
  }

  private static func make(_ key: Key) throws -> sending NumberFormatter {
    let pattern = key.pattern.text
    guard !pattern.isEmpty, pattern.utf8.count <= maximumPatternLength,
      pattern.contains(where: { "0#@".contains($0) })
    else {
      throw Diagnostic(
        FunctionCode.badArgument,
        "a number pattern has 1 to \(maximumPatternLength) characters, as in “#,##0.00”")
    }
    let formatter = NumberFormatter()
    formatter.locale = try LocaleNames.locale(key.locale.text)
    formatter.format = pattern
    // The sign of a negative one comes before it.
    formatter.positiveInfinitySymbol = "∞"
    return formatter
  }

  private static func makeSymbols(_ locale: ExactText) throws -> sending NumberSymbols {
    let formatter = NumberFormatter()
    formatter.locale = try LocaleNames.locale(locale.text)
    formatter.numberStyle = .decimal
    return NumberSymbols(
      point: Array((formatter.decimalSeparator ?? ".").unicodeScalars),
      group: Array((formatter.groupingSeparator ?? ",").unicodeScalars),
      minus: Array((formatter.minusSign ?? "-").unicodeScalars),
      plus: Array((formatter.plusSign ?? "+").unicodeScalars))
  }

  static func checkPattern(_ arguments: [Value?]) throws {
    guard arguments.count == 3 else { return }
    _ = try make(
      Key(
        pattern: ExactText(arguments[1]?.string ?? "0"),
        locale: ExactText(arguments[2]?.string ?? "en_US")))
  }

  static func checkLocale(_ arguments: [Value?]) throws {
    if let name = arguments.last??.string { _ = try LocaleNames.locale(name) }
  }
}

/// The symbols of a locale for numbers.
struct NumberSymbols: Sendable {
  var point: [Unicode.Scalar]
  var group: [Unicode.Scalar]
  var minus: [Unicode.Scalar]
  var plus: [Unicode.Scalar]

  /// `nil` unless the whole text is one number. A number without a fraction is an integer if it
  /// fits. Groups may have any size, so that `12,34,567` is accepted, as it is written in India.
  func number(_ text: String) -> Value? {
    guard text.utf8.count <= 1_000 else { return nil }
    var rest = Array(text.unicodeScalars)[...]
    while let first = rest.first, first.properties.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.properties.isWhitespace { rest.removeLast() }
    var plain = ""
    if take(minus, &rest) || take(["-"], &rest) || take(["\u{2212}"], &rest) {
      plain = "-"
    } else if !take(plus, &rest) {
      _ = take(["+"], &rest)
    }
    var digits = 0
    var isWhole = true
    while !rest.isEmpty {
      if let digit = Self.digit(rest.first) {
        plain += String(digit)
        digits += 1
        rest.removeFirst()
      } else if isWhole, take(point, &rest) {
        plain += digits == 0 ? "0." : "."
        isWhole = false
      } else if isWhole, digits > 0, takeGroup(&rest), Self.digit(rest.first) != nil {
        continue
      } else if digits > 0, rest.first == "E" || rest.first == "e",
        let exponent = Self.exponent(rest.dropFirst())
      {
        plain += (plain.last == "." ? "0" : "") + "e" + exponent
        isWhole = false
        rest = []
      } else {
        return nil
      }
    }
    guard digits > 0 else { return nil }
    if isWhole, let integer = Int64(plain) { return .integer(integer) }
    if plain.last == "." { plain += "0" }
    guard let real = Double(plain), real.isFinite else { return nil }
    return .real(real)
  }

  private func take(_ sign: [Unicode.Scalar], _ rest: inout ArraySlice<Unicode.Scalar>) -> Bool {
    // Some locales have a direction mark before a sign.
    guard !sign.isEmpty, rest.starts(with: sign) else { return false }
    rest.removeFirst(sign.count)
    return true
  }

  /// If groups are separated by a space, any kind of space is accepted: people type the common one.
  private func takeGroup(_ rest: inout ArraySlice<Unicode.Scalar>) -> Bool {
    if take(group, &rest) { return true }
    guard group.count == 1, group[0].properties.isWhitespace,
      rest.first?.properties.generalCategory == .spaceSeparator
    else { return false }
    rest.removeFirst()
    return true
  }

  private static func digit(_ scalar: Unicode.Scalar?) -> Int? {
    guard let scalar, scalar.properties.generalCategory == .decimalNumber,
      let value = scalar.properties.numericValue
    else { return nil }
    return Int(value)
  }

  private static func exponent(_ rest: ArraySlice<Unicode.Scalar>) -> String? {
    let text = String(String.UnicodeScalarView(rest))
    return Int16(text).map { String($0) }
  }
}
