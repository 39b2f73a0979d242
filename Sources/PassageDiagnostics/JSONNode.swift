/// One value of a JSON file, with its location.
///
/// Foundation's decoder reports neither line nor column, loses the order of members, accepts
/// duplicate and unknown members, and stops at the first mistake. Files written by people need all
/// four, so ``JSONParser`` reads them into this tree.
package struct JSONNode: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The number as written. Its meaning depends on its use.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// The members in the order of the file; names are unique.
    case object([Member])
  }

  package struct Member: Sendable, Hashable {
    package var name: String
    package var nameLocation: SourceLocation
    package var value: JSONNode

    package init(name: String, nameLocation: SourceLocation, value: JSONNode) {
      self.name = name
      self.nameLocation = nameLocation
      self.value = value
    }
  }

  package var kind: Kind
  /// Where the value begins. For a string, the opening quotation mark.
  package var location: SourceLocation

  package init(_ kind: Kind, at location: SourceLocation) {
    self.kind = kind
    self.location = location
  }

  /// The kind of the value, for messages.
  package var kindName: String {
    switch kind {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The value itself, for messages: a number as written, a string in quotation marks without what
  /// exceeds 60 characters. For any other value, its kind.
  package var valueName: String {
    switch kind {
    case .number(let text): return Self.shortened(text)
    case .string(let text): return text.isEmpty ? "an empty string" : "“\(Self.shortened(text))”"
    case .object(let members) where members.isEmpty: return "an empty object"
    case .object(let members) where members.count == 1:
      return "one with “\(Self.shortened(members[0].name))”"
    case .object(let members): return "one with \(members.count) members"
    default: return kindName
    }
  }

  private static func shortened(_ text: String) -> String {
    text.count <= 60 ? text : text.prefix(59) + "…"
  }
}
