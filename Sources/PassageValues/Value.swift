/// One cell of a row, as SQLite stores it.
///
/// A value keeps its storage class, never the model's type: a `Date` attribute is a ``real(_:)`` or
/// an ``integer(_:)`` of seconds since 2001-01-01 UTC, a `Boolean` is 0 or 1, a `UUID` is 16 bytes.
/// Copying a value therefore never changes it. The model says how to read it; the typed accessors
/// in this module do the reading.
public enum Value: Sendable, Hashable {
  /// Nothing.
  case null
  /// A whole number of 64 bits.
  case integer(Int64)
  /// A floating-point number of 64 bits.
  case real(Double)
  /// A text in valid UTF-8.
  case text(String)
  /// Bytes.
  case blob([UInt8])
  /// Text whose bytes are not valid UTF-8. It is carried unchanged so that a copy is never a silent
  /// repair; expressions treat it as an error.
  case malformedText([UInt8])

  /// Whether the cell is NULL.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

// There is no `nil` literal for NULL: `value != nil` of an optional value would compare with it.
extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A floating-point number.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// A truth value, as 0 or 1.
  public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}
