internal import PassageModels
internal import PassageSQLite
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
      return TableBoolean.value(quotedText(text) ?? text).map { .integer($0 ? 1 : 0) } ?? .null
    case .double, .decimal:
      return Double(text).flatMap { $0.isFinite ? .real($0) : nil } ?? .null
    case .string:
      return quotedText(text).map { .text($0) } ?? .null
    default: return .null
    }
  }

  /// The literal of a default value; `nil` if the column has none.
  static func literal(_ value: Value, as type: AttributeType) -> String? {
    switch (type, value) {
    case (.date, _), (.uuid, _), (.binary, _), (.transformable, _): nil
    case (_, .integer(let number)): "\(number)"
    case (_, .real(let number)) where number.isFinite: "\(number)"
    case (_, .text(let text)) where !text.utf8.contains(0): text.quotedLiteral
    default: nil
    }
  }

  /// What a literal in single quotation marks means; `nil` for another expression.
  private static func quotedText(_ literal: String) -> String? {
    let scalars = literal.unicodeScalars
    guard scalars.count >= 2, scalars.first == "'", scalars.last == "'" else { return nil }
    var text = String.UnicodeScalarView()
    var rest = scalars.dropFirst().dropLast()
    while let scalar = rest.popFirst() {
      // Inside, each mark is written twice.
      if scalar == "'" { guard rest.popFirst() == "'" else { return nil } }
      text.append(scalar)
    }
    return String(text)
  }
}
