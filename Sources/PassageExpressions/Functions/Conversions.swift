import PassageDiagnostics
import PassagePlatform
import PassageValues

/// Conversions between types of values, for `CAST` and the properties of values. A value that
/// cannot be converted gives NULL.
enum Conversions {
  /// A decimal number without surrounding characters.
  static func number(fromText value: Value) throws(Diagnostic) -> Value {
    guard let text = try string(value) else { return .null }
    if let integer = Int64(text) { return .integer(integer) }
    let isDecimal = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
    }
    guard isDecimal, let real = Double(text), real.isFinite else { return .null }
    return .real(real)
  }

  static func date(fromText value: Value) throws(Diagnostic) -> Value {
    guard let text = try string(value), let seconds = ISO8601.seconds(text) else { return .null }
    return .real(seconds)
  }

  /// 16 bytes from `8-4-4-4-12` hexadecimal digits, ignoring case.
  static func uuid(fromText value: Value) throws(Diagnostic) -> Value {
    guard let text = try string(value), let uuid = UUID(uuidString: text) else { return .null }
    return Value(uuid)
  }

  /// Integers without a decimal point, other numbers with the fewest digits that distinguish them.
  static func text(fromNumber value: Value) -> Value {
    switch value {
    case .integer(let value): .text(String(value))
    case .real(let value): text(value)
    default: .null
    }
  }

  /// The same of a value of a Float attribute: the fewest digits that distinguish 32-bit numbers.
  static func text(fromSingle value: Value) -> Value {
    guard case .real(let double) = value, case let single = Float(double), single.isFinite else {
      return text(fromNumber: value)
    }
    return text(single)
  }

  private static func text<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ number: Number
  ) -> Value {
    if number.isNaN { return .null }
    if abs(number) < 1e15, let whole = Int64(exactly: number) { return .text(String(whole)) }
    let text = String(number)
    return .text(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  /// `1` or `0`, the text of a number with that value.
  static func text(fromBoolean value: Value) -> Value {
    value.bool.map { .text($0 ? "1" : "0") } ?? .null
  }

  static func text(fromDate value: Value) -> Value {
    value.double.flatMap(ISO8601.text).map { .text($0) } ?? .null
  }

  static func text(fromUUID value: Value) -> Value {
    value.uuid.map { .text($0.uuidString) } ?? .null
  }

  private static func string(_ value: Value) throws(Diagnostic) -> String? {
    if case .malformedText = value { throw TextFunctions.malformed }
    return value.string
  }
}
