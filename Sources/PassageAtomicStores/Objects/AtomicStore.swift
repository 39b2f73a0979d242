public import PassageModels
public import PassageStores
internal import PassageValues

/// An atomic store in memory, like Core Data's `NSAtomicStore`.
///
/// ```swift
/// let store = AtomicStore(type: DelimitedTextStoreType(), location: "people.csv", model: model)
/// try store.load()
/// store.insert(CacheNode(store.newIdentifier(for: "Person"), values: ["first": "Ann"]))
/// try store.save()
/// ```
/// Not shared between threads.
public final class AtomicStore {
  /// The type of the file.
  public let type: any AtomicStoreType
  /// The path of the file; `nil` for a store that is only in memory.
  public let location: String?
  /// The model of the objects.
  public let model: Model
  /// The store's UUID; `nil` if it has none yet.
  public var storeUUID: String?
  /// The entries of the store's metadata, for types that have any.
  public var metadata: [PropertyList.Member] = []

  private var nodes: [AtomicStore.Identifier: CacheNode] = [:]
  /// The entity of each reference object, by root entity; reference objects are unique in a
  /// hierarchy.
  private var owners: [String: [AtomicStore.Reference: String]] = [:]
  private var largest: [String: Int64] = [:]

  /// Creates a store without objects. Nothing is read before ``load()``.
  public init(type: any AtomicStoreType, location: String?, model: Model) {
    self.type = type
    self.location = location
    self.model = model
  }

  /// Replaces the objects in memory with these.
  func replaceAll(with loaded: [CacheNode], storeUUID: String?, metadata: [PropertyList.Member]) {
    nodes = [:]
    owners = [:]
    largest = [:]
    self.storeUUID = storeUUID
    self.metadata = metadata
    for node in loaded { insert(node) }
  }

  /// Every object, by entity and reference object.
  ///
  /// - Complexity: O(n log n).
  public var cacheNodes: [CacheNode] {
    nodes.values.sorted {
      ($0.identifier.entityName, $0.identifier.reference)
        < ($1.identifier.entityName, $1.identifier.reference)
    }
  }

  /// The object with this identity; `nil` if there is none.
  ///
  /// - Complexity: O(1).
  public func cacheNode(for identifier: AtomicStore.Identifier) -> CacheNode? { nodes[identifier] }

  /// The identity of the object of an entity, or one of its subentities, with this reference
  /// object; `nil` if there is none.
  public func identifier(
    for entityName: String, reference: AtomicStore.Reference
  ) -> AtomicStore.Identifier? {
    owners[root(entityName)]?[reference].map {
      AtomicStore.Identifier(entityName: $0, reference: reference)
    }
  }

  /// An identity that no object of the entity's hierarchy has had. A number is never assigned
  /// twice.
  public func newIdentifier(for entityName: String) -> AtomicStore.Identifier {
    let root = root(entityName)
    var next = largest[root] ?? 0
    repeat { next = next == .max ? 1 : next + 1 } while owners[root]?[.number(next)] != nil
    largest[root] = next
    return AtomicStore.Identifier(entityName: entityName, reference: .number(next))
  }

  /// Adds an object, replacing the one with the same identity.
  public func insert(_ node: CacheNode) {
    let root = root(node.identifier.entityName)
    let reference = node.identifier.reference
    if let owner = owners[root]?[reference], owner != node.identifier.entityName {
      nodes[AtomicStore.Identifier(entityName: owner, reference: reference)] = nil
    }
    owners[root, default: [:]][reference] = node.identifier.entityName
    if let number = reference.number { largest[root] = max(largest[root] ?? 0, number) }
    nodes[node.identifier] = node
  }

  /// Removes an object and every link to it.
  public func remove(_ identifier: AtomicStore.Identifier) {
    guard nodes.removeValue(forKey: identifier) != nil else { return }
    let root = root(identifier.entityName)
    owners[root]?[identifier.reference] = nil
    for (other, node) in nodes {
      guard let entity = model.entity(named: other.entityName) else { continue }
      for (name, link) in node.links where link.references.contains(identifier.reference) {
        guard let relationship = model.relationship(name, of: entity),
          self.root(relationship.destinationEntityName) == root
        else { continue }
        nodes[other]?.links[name]?.references.removeAll { $0 == identifier.reference }
      }
    }
  }

  private func root(_ entityName: String) -> String {
    model.entity(named: entityName).map { model.root(of: $0).name } ?? entityName
  }
}
