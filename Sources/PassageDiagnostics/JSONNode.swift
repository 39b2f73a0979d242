/// One value of a JSON file, with its place.
///
/// Foundation's decoder gives neither line nor column, loses the order of an object's members, lets
/// duplicate and unknown members pass, and stops at the first mistake. Files that people write need all four,
/// so they are read into this tree by ``JSONParser``.
package struct JSONNode: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The number as written; its meaning depends on the attribute that reads it.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// Members in the order they are written; names are unique.
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

  /// What the value is, in a word for messages.
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
}
