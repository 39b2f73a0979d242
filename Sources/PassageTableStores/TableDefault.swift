internal import PassageModels
internal import PassageStores
internal import PassageValues

/// Converts the default value of a column between an SQL literal and an attribute's value.
enum TableDefault {
  /// The value of a literal that fits the type; NULL for any other expression, such as
  /// `CURRENT_TIMESTAMP`, whose value is only known when a row is inserted.
  static func value(_ text: String?, as type: AttributeType) -> Value {
    guard let text else { return .null }
    switch type {
    case .integer16: return Int16(text).map { .integer(Int64($0)) } ?? .null
    case .integer32: return Int32(text).map { .integer(Int64($0)) } ?? .null
    case .integer64: return Int64(text).map { .integer($0) } ?? .null
    case .boolean:
      let word =
        text.hasPrefix("'") && text.hasSuffix("'") ? String(text.dropFirst().dropLast()) : text
      return TableBoolean.value(word).map { .integer($0 ? 1 : 0) } ?? .null
    case .double, .decimal:
      return Double(text).flatMap { $0.isFinite ? .real($0) : nil } ?? .null
    case .string:
      guard text.utf8.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") else { return .null }
      return .text(String(text.dropFirst().dropLast()).replacing("''", with: "'"))
    default: return .null
    }
  }

  /// The literal of a default value; `nil` if the column has none.
  static func literal(_ value: Value, as type: AttributeType) -> String? {
    switch (type, value) {
    case (.date, _), (.uuid, _), (.binary, _), (.transformable, _): nil
    case (_, .integer(let number)): "\(number)"
    case (_, .real(let number)) where number.isFinite: "\(number)"
    case (_, .text(let text)) where !text.contains("\0"):
      "'" + text.replacing("'", with: "''") + "'"
    default: nil
    }
  }
}
