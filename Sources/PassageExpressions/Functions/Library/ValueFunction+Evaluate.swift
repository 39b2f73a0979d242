import PassageDiagnostics
import PassageValues

extension ValueFunction {
  /// The body with the general rules: nil arguments, cells of the wrong type, the type of the
  /// result. Both lanes call it.
  func makeEvaluator() -> Body {
    let body = makeBody()
    return { [self] arguments in
      guard takes(arguments.count) else { return .null }
      var values = arguments
      for index in values.indices where !Self.isAdmitted(values[index], parameter(index)) {
        values[index] = try Self.admitted(values[index], parameter(index))
        if values[index].isNothing, !takesNil { return .null }
      }
      let result = try body(values)
      if isRegistered { try checkResult(result) }
      if case .real(let value) = result { return Arithmetic.number(value) }
      return result
    }
  }

  /// Whether a cell is certainly accepted unchanged, so that the list need not be copied.
  private static func isAdmitted(_ value: Value, _ parameter: Parameter) -> Bool {
    switch (value, parameter) {
    case (.text, .textOrBinary), (.text, .type(.string)), (.text, .type(.uri)),
      (.integer, .type(.integer)), (.integer, .type(.object)):
      true
    default: false
    }
  }

  /// The cell converted for the parameter, or NULL if it has the wrong type.
  private static func admitted(_ value: Value, _ parameter: Parameter) throws -> Value {
    switch (value, parameter) {
    case (.null, _): return .null
    case (.malformedText, .textOrBinary), (.malformedText, .type(.string)),
      (.malformedText, .type(.uri)):
      throw TextFunctions.malformed
    case (_, .type(.any)): return value.isNothing ? .null : value
    case (.text, .textOrBinary), (.blob, .textOrBinary), (.text, .type(.string)),
      (.text, .type(.uri)), (.blob, .type(.binary)):
      return value
    case (.blob(let bytes), .type(.uuid)): return bytes.count == 16 ? value : .null
    case (_, .type(.integer)):
      return Arithmetic.integer(value).map { .integer($0) } ?? .null
    case (_, .type(.boolean)):
      return value.isNothing ? .null : value.bool.map { Value($0) } ?? .null
    case (_, .type(.real)), (_, .type(.date)):
      return value.isNothing || value.double == nil ? .null : value
    case (.integer, .type(.object)): return value
    default: return .null
    }
  }

  private func checkResult(_ result: Value) throws {
    guard let type else { return }
    let isRight =
      switch (result, type) {
      case (.null, _), (_, .any): true
      case (.text, .string), (.text, .uri), (.integer, .integer), (.integer, .boolean),
        (.integer, .object), (.integer, .real), (.integer, .date), (.real, .real), (.real, .date),
        (.blob, .binary):
        true
      case (.blob(let bytes), .uuid): bytes.count == 16
      default: false
      }
    guard !isRight else { return }
    throw Diagnostic(
      FunctionCode.wrongResult,
      "the function “\(selector)” returned \(result.kindName), but is registered to return "
        + "\(type.described)",
      remedy: "correct the function, or register it with the type it returns")
  }
}

extension Value {
  /// The kind of the cell, for messages.
  var kindName: String {
    switch self {
    case .null: "nil"
    case .integer: "an integer"
    case .real: "a floating-point number"
    case .text: "a text"
    case .malformedText: "a text that is not valid UTF-8"
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}
