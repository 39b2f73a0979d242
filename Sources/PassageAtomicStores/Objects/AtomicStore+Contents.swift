public import PassageDiagnostics
public import PassageStores

extension AtomicStore {
  /// Everything that is in the file of an atomic store.
  public struct Contents: Sendable {
    /// A record that is not an object, with all that is wrong with it.
    public struct RejectedRecord: Sendable, Hashable {
      /// The entity it should have been of.
      public var entityName: String
      /// With places; at least one.
      public var mistakes: [Diagnostic]
      /// What other records call it, where that could be read: a link to it then leads to what was quarantined,
      ///  not to nothing.
      public var identifier: AtomicStore.Identifier?

      /// Describes a record.
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
    /// The store's UUID as text; `nil` where the file has none.
    public var storeUUID: String?
    /// The entries of the store's metadata, for types that keep any.
    public var metadata: [PropertyList.Member]
    /// What could not be read as an object; each counts as one row when rows may be quarantined.
    public var rejected: [RejectedRecord]
    /// What was found that hinders nothing.
    public var warnings: Diagnostics

    /// Puts contents together; without arguments those of an empty store.
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
