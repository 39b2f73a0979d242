public import PassageDiagnostics
internal import PassagePlatform
internal import PassageStores
public import PassageValues

/// One object of an atomic store in memory, like Core Data's `NSAtomicStoreCacheNode`.
public struct CacheNode: Sendable, Hashable {
  /// The objects that a relationship refers to.
  public struct Link: Sendable, Hashable {
    /// Reference objects in the hierarchy of the relationship's destination. Their order counts for
    /// an ordered relationship; a to-one relationship has at most one.
    public var references: [AtomicStore.Reference]
    /// The location in the file; `nil` for objects created in memory.
    public var location: SourceLocation?

    /// Creates a link.
    public init(_ references: [AtomicStore.Reference], at location: SourceLocation? = nil) {
      self.references = references
      self.location = location
    }
  }

  /// The identity of the object.
  public var identifier: AtomicStore.Identifier
  /// Values by attribute, including inherited ones, in the form in which a store holds them: a date
  /// is a number of seconds since 2001, a UUID is 16 bytes. A missing attribute is nil.
  public var values: [String: Value]
  /// Related objects by relationship. One side of a pair of inverse relationships is enough; if
  /// both are given, they must agree.
  public var links: [String: Link]
  /// The location of the object in the file; `nil` for objects created in memory.
  public var location: SourceLocation?

  /// Creates an object.
  public init(
    _ identifier: AtomicStore.Identifier, values: [String: Value] = [:],
    links: [String: Link] = [:], at location: SourceLocation? = nil
  ) {
    self.identifier = identifier
    self.values = values
    self.links = links
    self.location = location
  }
}

extension CacheNode {
  /// Whether an attribute holds the same text as the identifier.
  var keepsIdentifier: Bool {
    let text = "\(identifier.reference)"
    return values.values.contains { value in
      switch value {
      case .text(let value): value.hasBytes(of: text)
      case .integer(let value): "\(value)" == text
      case .blob(let bytes): UUIDText.bytes(text) == bytes
      default: false
      }
    }
  }
}
