import PassageDiagnostics
import PassageValues

/// Functions of a text. Numbers, blobs and NULL give NULL.
enum TextFunctions {
  static func map(_ value: Value, _ change: (String) -> String) throws(Diagnostic) -> Value {
    switch value {
    case .text(let text): return .text(change(text))
    case .malformedText: throw malformed
    default: return .null
    }
  }

  /// The length in UTF-16 code units, like `NSString.length`.
  static func length(_ value: Value) throws(Diagnostic) -> Value {
    switch value {
    case .text(let text): return .integer(Int64(text.utf16.count))
    case .malformedText: throw malformed
    default: return .null
    }
  }

  static var malformed: Diagnostic {
    Diagnostic(
      ExpressionCode.malformedText, "the argument of a text function is not valid UTF-8",
      remedy: "copy the attribute unchanged, or repair it in a policy")
  }
}
