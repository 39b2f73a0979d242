import PassageDiagnostics
internal import PassagePlatform
import PassageValues

/// Converts an attribute's default value between JSON, where the notation depends on the
/// attribute's type, and the ``Value`` in a store.
enum DefaultValue {
  /// Why a JSON value cannot be a default.
  struct Mistake: Error {
    /// What was expected, as a noun phrase.
    var expected: String
  }

  /// Reads a default value in the notation of its type.
  static func decode(_ node: JSONNode, as type: AttributeType) -> Result<Value, Mistake> {
    if case .null = node.kind { return .success(.null) }
    let value: Value? =
      switch (type, node.kind) {
      case (.integer16, .number(let text)): Int16(text).map { .integer(Int64($0)) }
      case (.integer32, .number(let text)): Int32(text).map { .integer(Int64($0)) }
      case (.integer64, .number(let text)): Int64(text).map { .integer($0) }
      case (.decimal, .number(let text)): Int64(text).map { .integer($0) } ?? finite(text)
      case (.double, .number(let text)), (.date, .number(let text)): finite(text)
      case (.float, .number(let text)):
        Float(text).flatMap { $0.isFinite ? .real(Double(text) ?? Double($0)) : nil }
      case (.boolean, .bool(let flag)): .integer(flag ? 1 : 0)
      case (.string, .string(let text)), (.uri, .string(let text)): .text(text)
      case (.date, .string(let text)): InternetDate.seconds(text).map { .real($0) }
      case (.uuid, .string(let text)): UUID(uuidString: text).map { Value($0) }
      case (.binary, .string(let text)), (.transformable, .string(let text)):
        Data(base64Encoded: text).map { .blob(Array($0)) }
      default: nil
      }
    return value.map { .success($0) } ?? .failure(Mistake(expected: expectation(of: type)))
  }

  /// A description of default values of this type in JSON.
  static func expectation(of type: AttributeType) -> String {
    switch type {
    case .integer16: "a whole number from \(Int16.min) to \(Int16.max)"
    case .integer32: "a whole number from \(Int32.min) to \(Int32.max)"
    case .integer64: "a whole number of 64 bits"
    case .decimal, .double, .float: "a number"
    case .boolean: "true or false"
    case .string, .uri: "a string"
    case .date: "a date like \"2001-01-01T00:00:00Z\", or seconds since then"
    case .uuid: "a UUID like \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
    case .binary, .transformable: "bytes in base64"
    case .undefined, .objectID, .composite: "leave it out: \(type.name) attributes have none"
    }
  }

  /// Whether a stored value can be the default of an attribute of this type.
  static func fits(_ value: Value, _ type: AttributeType) -> Bool {
    switch (type, value) {
    case (_, .null): true
    case (.integer16, .integer(let number)): Int16(exactly: number) != nil
    case (.integer32, .integer(let number)): Int32(exactly: number) != nil
    case (.integer64, .integer), (.decimal, .integer), (.date, .integer): true
    case (.double, .integer), (.float, .integer): true
    case (.boolean, .integer(let number)): number == 0 || number == 1
    case (.decimal, .real(let number)), (.double, .real(let number)),
      (.float, .real(let number)), (.date, .real(let number)):
      number.isFinite
    case (.string, .text), (.uri, .text), (.binary, .blob), (.transformable, .blob): true
    case (.uuid, .blob(let bytes)): bytes.count == 16
    default: false
    }
  }

  /// Writes a default value so that reading it gives the same value; `nil` if there is none.
  static func encode(_ value: Value, as type: AttributeType) -> JSONText? {
    switch (type, value) {
    case (.boolean, .integer(let number)): return .bool(number != 0)
    case (.date, _):
      guard let seconds = value.double, seconds.isFinite else { return nil }
      return InternetDate.text(seconds).map { .string($0) } ?? .number("\(seconds)")
    case (.uuid, _): return value.uuid.map { .string($0.uuidString) }
    case (_, .integer(let number)): return .number("\(number)")
    case (_, .real(let number)): return number.isFinite ? .number("\(number)") : nil
    case (_, .text(let text)): return .string(text)
    case (_, .blob(let bytes)): return .string(Data(bytes).base64EncodedString())
    case (_, .null), (_, .malformedText): return nil
    }
  }

  private static func finite(_ text: String) -> Value? {
    Double(text).flatMap { $0.isFinite ? .real($0) : nil }
  }
}
