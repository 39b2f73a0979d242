extension AttributeType {
  /// The name of the type in this project's JSON and in messages: `integer16`, `string`, `date`.
  public var name: String {
    switch self {
    case .undefined: "undefined"
    case .integer16: "integer16"
    case .integer32: "integer32"
    case .integer64: "integer64"
    case .decimal: "decimal"
    case .double: "double"
    case .float: "float"
    case .string: "string"
    case .boolean: "boolean"
    case .date: "date"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .transformable: "transformable"
    case .objectID: "objectID"
    case .composite: "composite"
    }
  }

  /// The type with this name; `nil` if there is none.
  public init?(name: String) {
    guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = type
  }
}

extension Relationship.DeleteRule {
  /// The name of the rule in this project's JSON and in messages: `nullify`, `noAction`.
  public var name: String {
    switch self {
    case .noAction: "noAction"
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    }
  }

  /// The rule with this name; `nil` if there is none.
  public init?(name: String) {
    guard let rule = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = rule
  }
}
