internal import Passage

extension JSONText {
  /// A text, or null.
  static func optional(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }

  static func integer(_ value: some FixedWidthInteger) -> JSONText { .number("\(value)") }

  /// A number of seconds, or of objects per second, with at most three decimals.
  static func measure(_ value: Double) -> JSONText {
    guard value.isFinite, abs(value) < 1e15 else { return .null }
    return .number("\((value * 1_000).rounded() / 1_000)")
  }

  static func strings(_ texts: [String]) -> JSONText { .shortList(texts.map { .string($0) }) }
}

extension Diagnostic {
  var json: JSONText {
    .object([
      ("code", .string(code)), ("severity", .string(severity.rawValue)),
      ("message", .string(message)), ("file", location.map { .place($0.file) } ?? .null),
      ("line", location?.line.map { .integer($0) } ?? .null),
      ("column", location?.column.map { .integer($0) } ?? .null), ("reason", .optional(reason)),
      ("remedy", .optional(remedy)),
    ])
  }
}
