internal import FoundationEssentials
internal import PassageModels
internal import PassageValues

/// A default value as Xcode writes it: one text, or seconds since 2001 for dates.
enum XcodeDefault {
  /// The default as a store keeps it, `null` when there is none; `nil` when it does not fit.
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
    case .boolean: XcodeAttributes.flag(text).map { Value($0) }
    case .string, .uri: .text(text)
    case .uuid: UUID(uuidString: text).map { Value($0) }
    // Xcode offers no default for the rest; what a file says all the same has no meaning.
    case .undefined, .date, .binary, .transformable, .objectID, .composite: .null
    }
  }

  /// Xcode writes `0.0` when an attribute was of another type before.
  private static func whole(_ text: String) -> Int64? {
    Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
  }

  private static func finite(_ text: String) -> Value? {
    Double(text).flatMap { $0.isFinite ? .real($0) : nil }
  }
}
