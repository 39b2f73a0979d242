package import PassageDiagnostics

package typealias EntityMapping = MappingModel.EntityMapping

extension MappingModel {
  /// How one source entity becomes one destination entity: Core Data's `NSEntityMapping`. It is
  /// read from a file, or created by the function for its type.
  ///
  /// Names, filters and expressions are checked when a migration is planned, and all mistakes are
  /// reported together.
  public struct EntityMapping: Sendable, Hashable {
    /// Core Data's mapping types.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
      /// The destination entity is new. No object is made unless a policy makes it.
      case add
      /// The objects of the source entity are not migrated, but counted.
      case remove
      /// Every property that both entities have is copied unchanged, unless it is listed.
      case copy
      /// Properties are mapped individually.
      case transform
      /// A policy makes the destination objects.
      case custom
    }

    /// The policy that an entity mapping names, and the values for it.
    package struct PolicyReference: Sendable, Hashable {
      /// The name the policy is registered under.
      package var name: Located<String>
      /// Passed to the policy unchanged.
      package var userInfo: [String: String]

      package init(name: String, userInfo: [String: String] = [:]) {
        self.name = Located(name)
        self.userInfo = userInfo
      }
    }

    /// Unique in its mapping model; relationship mappings refer to it. If the file gives no name,
    /// it is `SourceToDestination`, or the name of the only entity for `add` and `remove`.
    package var name: Located<String>
    package var kind: Kind
    /// `nil` for `add`.
    package var sourceEntityName: Located<String>?
    /// `nil` for `remove`.
    package var destinationEntityName: Located<String>?
    /// A predicate over the source entity, in NSPredicate's format; `nil` for every object.
    package var filter: Located<String>?
    package var policy: PolicyReference?
    /// A list; one object is made of each of its elements, not of each source object. `nil` for one
    /// of each source object.
    package var forEach: Located<String>?
    /// What objects have in common that become one; `nil` when each stays by itself.
    package var merge: Merge?
    /// The objects that an `add` mapping makes, in order.
    package var addedObjects: [AddedObject] = []
    /// In the order in which they are processed.
    package var attributeMappings: [PropertyMapping]
    /// In the order in which they are processed.
    package var relationshipMappings: [PropertyMapping]
    /// Why the entity mapping is only a proposal of a draft; `nil` if it is not. A marked entity
    /// mapping is refused when a migration is planned.
    package var draft: Located<String>?

    /// Creates an entity mapping in code.
    ///
    /// - Parameters:
    ///   - name: `nil` for the name that Core Data's compiler would use.
    ///   - kind: its type.
    ///   - source: the source entity; `nil` for `add`.
    ///   - destination: the destination entity; `nil` for `remove`.
    ///   - filter: a predicate over the source entity; `nil` for every object.
    ///   - policy: the policy that takes part; `nil` for none.
    ///   - attributes: in the order in which they are processed.
    ///   - relationships: in the order in which they are processed.
    package init(
      name: String? = nil, kind: Kind, source: String? = nil, destination: String? = nil,
      filter: String? = nil, policy: PolicyReference? = nil, attributes: [PropertyMapping] = [],
      relationships: [PropertyMapping] = []
    ) {
      self.name = Located(name ?? Self.defaultName(source: source, destination: destination))
      self.kind = kind
      self.sourceEntityName = source.map { Located($0) }
      self.destinationEntityName = destination.map { Located($0) }
      self.filter = filter.map { Located($0) }
      self.policy = policy
      self.attributeMappings = attributes
      self.relationshipMappings = relationships
    }

    /// The name that Core Data's mapping compiler uses: `SourceToDestination`, `Destination` for an
    /// add mapping, `Source` for a remove mapping.
    package static func defaultName(source: String?, destination: String?) -> String {
      switch (source, destination) {
      case (let source?, let destination?): "\(source)To\(destination)"
      case (let source?, nil): source
      case (nil, let destination?): destination
      case (nil, nil): ""
      }
    }
  }
}
