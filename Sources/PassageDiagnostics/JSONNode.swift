/// One value of a JSON file, with its place.
///
/// Foundation's decoder gives neither line nor column, loses the order of an object's members, lets
/// duplicate and unknown members pass and stops at the first mistake; author files need all four,
/// so they are read into this tree by ``JSONParser``.
public struct JSONNode: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The number as written: its meaning depends on the attribute that reads it.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// Members in the order they are written; names are unique.
    case object([Member])
  }

  public struct Member: Sendable, Hashable {
    public var name: String
    public var nameLocation: SourceLocation
    public var value: JSONNode

    public init(name: String, nameLocation: SourceLocation, value: JSONNode) {
      self.name = name
      self.nameLocation = nameLocation
      self.value = value
    }
  }

  public var kind: Kind
  /// Where the value begins. For a string, the opening quotation mark.
  public var location: SourceLocation

  public init(_ kind: Kind, at location: SourceLocation) {
    self.kind = kind
    self.location = location
  }

  /// What the value is, in a word for messages.
  public var kindName: String {
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
