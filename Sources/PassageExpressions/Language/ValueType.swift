public import PassageModels

/// The type of an expression's value, as far as it is known before a row is read.
public enum ValueType: Sendable, Hashable {
  /// `nil`.
  case null
  /// A Boolean, 0 or 1.
  case boolean
  /// A 64-bit integer.
  case integer
  /// A floating-point or decimal number. A store may hold a whole number as an integer.
  case real
  /// A text.
  case string
  /// Seconds since 2001-01-01 UTC.
  case date
  /// A UUID, 16 bytes.
  case uuid
  /// A URI, as text.
  case uri
  /// Bytes.
  case binary
  /// The key of an object of this entity.
  case object(entityName: String)
  /// An attribute that can only be copied and compared with `nil`, such as a transformable one.
  case opaque
  /// Any type: the result of a registered function.
  case any

  /// The type of the values of an attribute.
  public init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16, .integer32, .integer64: .integer
      case .decimal, .double, .float: .real
      case .string: .string
      case .boolean: .boolean
      case .date: .date
      case .binary: .binary
      case .uuid: .uuid
      case .uri: .uri
      case .undefined, .transformable, .objectID, .composite: .opaque
      }
  }

  /// Whether it can be used in arithmetic.
  var isNumber: Bool {
    switch self {
    case .boolean, .integer, .real, .any, .null: true
    default: false
    }
  }

  /// Whether it can be used in text functions.
  var isText: Bool {
    switch self {
    case .string, .uri, .any, .null: true
    default: false
    }
  }

  /// The name of the type, with its article.
  var described: String {
    switch self {
    case .null: "nil"
    case .boolean: "a truth value"
    case .integer: "an integer"
    case .real: "a number"
    case .string: "a text"
    case .date: "a date"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .binary: "binary data"
    case .object(let name): "an object of “\(name)”"
    case .opaque: "a value that only a policy can read"
    case .any: "any value"
    }
  }
}
