public import PassageDiagnostics
public import PassageValues

/// One object of an atomic store in memory: Core Data's `NSAtomicStoreCacheNode`.
public struct CacheNode: Sendable, Hashable {
  /// The objects a relationship leads to.
  public struct Link: Sendable, Hashable {
    /// Reference objects in the hierarchy of the relationship's destination; in order for an ordered
    /// relationship, at most one for a to-one relationship.
    public var references: [AtomicStore.Reference]
    /// Where they are in the file; `nil` for objects made in memory.
    public var location: SourceLocation?

    /// Makes a link.
    public init(_ references: [AtomicStore.Reference], at location: SourceLocation? = nil) {
      self.references = references
      self.location = location
    }
  }

  /// What distinguishes the object from all others.
  public var identifier: AtomicStore.Identifier
  /// Cells by attribute, inherited ones included, as a store keeps them: a date is a number of
  /// seconds since 2001, a UUID 16 bytes. What is left out is nil.
  public var values: [String: Value]
  /// Related objects by relationship. One side of a pair of inverse relationships is enough; where
  /// both are given they must agree.
  public var links: [String: Link]
  /// Where the object is in the file; `nil` for objects made in memory.
  public var location: SourceLocation?

  /// Makes an object.
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
