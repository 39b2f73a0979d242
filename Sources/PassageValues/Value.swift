internal import PassagePlatform

/// One cell of a row, as SQLite stores it.
///
/// A value keeps its storage class, not the model's type: a `Date` attribute is a ``real(_:)`` or
/// an ``integer(_:)`` of seconds since 2001-01-01 UTC, a `Boolean` is 0 or 1, a `UUID` is 16 bytes.
/// Copying a value therefore never changes it. The model says how to interpret it, and the typed
/// accessors of this module convert it.
///
/// Texts are equal if their bytes are, as for SQLite: `é` as one scalar and as a letter with an accent are two
/// texts.
public enum Value: Sendable, Hashable {
  /// NULL.
  case null
  /// A 64-bit integer.
  case integer(Int64)
  /// A 64-bit floating-point number.
  case real(Double)
  /// A text in valid UTF-8.
  case text(String)
  /// Bytes.
  case blob([UInt8])
  /// A text whose bytes are not valid UTF-8. It is copied unchanged, because a silent repair would
  /// change data. Expressions treat it as an error.
  case malformedText([UInt8])

  /// Whether the cell is NULL.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension Value {
  /// Whether the storage class and the contents are the same, with texts compared by their bytes.
  public static func == (first: Value, second: Value) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.integer(let one), .integer(let two)): one == two
    case (.real(let one), .real(let two)): one == two
    case (.text(let one), .text(let two)): one.hasBytes(of: two)
    case (.blob(let one), .blob(let two)): one == two
    case (.malformedText(let one), .malformedText(let two)): one == two
    default: false
    }
  }

  /// Feeds the storage class and the contents to a hasher.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let number):
      hasher.combine(1)
      hasher.combine(number)
    case .real(let number):
      hasher.combine(2)
      hasher.combine(number)
    case .text(let text):
      hasher.combine(3)
      text.hashBytes(into: &hasher)
    case .blob(let bytes):
      hasher.combine(4)
      hasher.combine(bytes)
    case .malformedText(let bytes):
      hasher.combine(5)
      hasher.combine(bytes)
    }
  }
}

// There is no `nil` literal for NULL, because `value != nil` of an optional value would then
// compare with NULL.
extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A floating-point number.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// A Boolean, as 0 or 1.
  public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}

extension Value: CustomDebugStringConvertible {
  /// The case and what it holds, as in `text("a")`.
  public var debugDescription: String {
    // Swift says the same of a type that says nothing of itself, after looking for what the type might
    // conform to: that takes 3 % of a small migration.
    switch self {
    case .null: "null"
    case .integer(let value): "integer(\(value))"
    case .real(let value): "real(\(value))"
    case .text(let text): "text(\(text.debugDescription))"
    case .blob(let bytes): "blob(\(Self.list(bytes)))"
    case .malformedText(let bytes): "malformedText(\(Self.list(bytes)))"
    }
  }

  private static func list(_ bytes: [UInt8]) -> String {
    "[\(bytes.map { String($0) }.joined(separator: ", "))]"
  }
}
