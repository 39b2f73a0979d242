internal import PassageAtomicStores
internal import PassageModels
internal import PassagePlatform
internal import PassageValues

/// A default value as Xcode writes it: a text, or seconds since 2001 for dates.
enum XcodeDefault {
  /// The default in the form in which a store holds it, `null` if there is none; `nil` if it does
  /// not fit the type.
  static func value(of element: MarkupElement, as type: AttributeType) -> Value? {
    if type == .date {
      guard let text = element.attributes["defaultDateTimeInterval"] else { return .null }
      return finite(text)
    }
    guard let text = element.attributes["defaultValueString"] else { return .null }
    return switch type {
    case .integer16: whole(text).flatMap { Int16(exactly: $0) }.map { .integer(Int64($0)) }
    case .integer32: whole(text).flatMap { Int32(exactly: $0) }.map { .integer(Int64($0)) }
    case .integer64: whole(text).map { .integer($0) }
    case .decimal: Int64(text).map { .integer($0) } ?? finite(text)
    case .double, .float: finite(text)
    // Xcode leaves a number when a numeric attribute becomes a Boolean.
    case .boolean: (XcodeAttributes.flag(text) ?? number(text).map { $0 != 0 }).map { Value($0) }
    case .string, .uri: .text(text)
    case .uuid: UUID(uuidString: text).map { Value($0) }
    // Xcode has no defaults for these types, so a value in the file has no meaning.
    case .undefined, .date, .binary, .transformable, .objectID, .composite: .null
    }
  }

  /// The number that Xcode's model compiler makes of a text that is not a number: the number at its
  /// beginning, or 0. Such a text remains when an attribute's type is changed, as `NO` does when a
  /// Boolean becomes an integer. `nil` for types that do not hold numbers.
  static func leadingNumber(of element: MarkupElement, as type: AttributeType) -> Value? {
    guard let text = element.attributes["defaultValueString"], Double(text) == nil else {
      return nil
    }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "-") }
    switch type {
    case .integer16: return Int16(digits).map { .integer(Int64($0)) } ?? .integer(0)
    case .integer32: return Int32(digits).map { .integer(Int64($0)) } ?? .integer(0)
    case .integer64, .decimal: return .integer(Int64(digits) ?? 0)
    case .double, .float: return .real(Double(digits) ?? 0)
    default: return nil
    }
  }

  /// Xcode writes `0.0` when an attribute was of another type before.
  private static func whole(_ text: String) -> Int64? {
    Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
  }

  private static func finite(_ text: String) -> Value? { number(text).map { .real($0) } }

  private static func number(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
