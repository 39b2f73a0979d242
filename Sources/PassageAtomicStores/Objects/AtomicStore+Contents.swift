public import PassageDiagnostics
public import PassageStores

extension AtomicStore {
  /// The contents of an atomic store's file.
  public struct Contents: Sendable {
    /// A record that is not an object, with all its mistakes.
    public struct RejectedRecord: Sendable, Hashable {
      /// The entity that it should have had.
      public var entityName: String
      /// The mistakes with their locations; at least one.
      public var mistakes: [Diagnostic]
      /// The record's identifier, if it could be read. A link to it then counts as a link to a
      /// quarantined object, not to a missing one.
      public var identifier: AtomicStore.Identifier?

      /// Creates a rejected record.
      public init(
        entityName: String, mistakes: [Diagnostic], identifier: AtomicStore.Identifier? = nil
      ) {
        self.entityName = entityName
        self.mistakes = mistakes
        self.identifier = identifier
      }
    }

    /// The objects, in the order of the file.
    public var nodes: [CacheNode]
    /// The store's UUID as text; `nil` if the file has none.
    public var storeUUID: String?
    /// The entries of the store's metadata, for types that have any.
    public var metadata: [PropertyList.Member]
    /// The records that are not objects. Each counts as one row if rows may be quarantined.
    public var rejected: [RejectedRecord]
    /// The warnings found while reading.
    public var warnings: Diagnostics

    /// Creates contents; without arguments, those of an empty store.
    public init(
      nodes: [CacheNode] = [], storeUUID: String? = nil, metadata: [PropertyList.Member] = [],
      rejected: [RejectedRecord] = [], warnings: Diagnostics = Diagnostics()
    ) {
      self.nodes = nodes
      self.storeUUID = storeUUID
      self.metadata = metadata
      self.rejected = rejected
      self.warnings = warnings
    }
  }
}
