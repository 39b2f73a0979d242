internal import PassageExpressions
import PassageModels
internal import PassagePlatform
import PassageValues

/// Converts an attribute's default value to an expression with exactly this value.
enum InferenceDefault {
  /// - Returns: `nil` if there is no default value, and for bytes, which no expression can
  ///   represent.
  static func expression(_ value: Value, as type: AttributeType) -> ValueExpression? {
    switch (type, value) {
    case (.boolean, .integer(let number)): return .constant(.boolean(number != 0))
    case (.date, .integer(let seconds)): return date(.integer(seconds))
    case (.date, .real(let seconds)): return seconds.isFinite ? date(.real(seconds)) : nil
    case (_, .integer(let number)): return .constant(.integer(number))
    case (_, .real(let number)): return number.isFinite ? .constant(.real(number)) : nil
    case (_, .text(let text)): return .constant(.string(text))
    case (.uuid, .blob): return value.uuid.map { .constant(.string($0.uuidString)) }
    case (_, .blob), (_, .null), (_, .malformedText): return nil
    }
  }

  /// Seconds since 2001-01-01 UTC as a point in time.
  private static func date(_ seconds: Constant) -> ValueExpression {
    .function(
      target: nil, selector: "castObject:toType:",
      arguments: [.constant(seconds), .constant(.string("NSDate"))])
  }
}
