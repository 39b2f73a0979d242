internal import PassageModels
internal import PassageStores
internal import PassageValues

/// The objects to write into a file, read one at a time.
protocol ObjectSource: AnyObject {
  /// The store's UUID as text; `nil` if it has none.
  var storeUUID: String? { get }
  /// The app's own entries of the store's metadata.
  var metadata: [PropertyList.Member] { get }
  /// Whether reference objects are known to be unique in each hierarchy.
  var hasUniqueReferences: Bool { get }
  /// The largest record; `nil` for objects that are in memory anyway.
  var limit: RecordLimit? { get }

  /// Passes the reference object of every object of an entity, without those of its subentities,
  /// and the value of one attribute, nil if no attribute is asked for.
  func identities(
    of facts: EntityFacts, attribute: String?, _ body: (AtomicStore.Reference, Value) throws -> Void
  ) throws

  /// Passes every object of an entity, without those of its subentities, by reference object.
  ///
  /// - Parameter links: the relationships whose links are needed.
  func objects(
    of facts: EntityFacts, links: Set<String>, _ body: (WrittenObject) throws -> Void
  ) throws
}

/// An object to write. It is valid only until the next one is passed.
struct WrittenObject {
  let identifier: AtomicStore.Identifier
  /// The values that are not nil.
  let values: [String: Value]
  /// Passes the related objects of a relationship; call it at most once for each relationship.
  let links: (_ relationship: String, _ body: (AtomicStore.Reference) throws -> Void) throws -> Void

  /// Passes the related objects of a relationship, in its order.
  func forEachLink(
    _ relationship: String, _ body: (AtomicStore.Reference) throws -> Void
  ) throws {
    try links(relationship, body)
  }
}

/// Objects that are in memory.
final class ContentsSource: ObjectSource {
  private let contents: AtomicStore.Contents
  private var byEntity: [String: [CacheNode]]

  init(_ contents: AtomicStore.Contents) {
    self.contents = contents
    byEntity = Dictionary(grouping: contents.nodes, by: \.identifier.entityName)
      .mapValues { $0.sorted { $0.identifier.reference < $1.identifier.reference } }
  }

  var storeUUID: String? { contents.storeUUID }
  var metadata: [PropertyList.Member] { contents.metadata }
  var hasUniqueReferences: Bool { false }
  var limit: RecordLimit? { nil }

  func identities(
    of facts: EntityFacts, attribute: String?, _ body: (AtomicStore.Reference, Value) throws -> Void
  ) throws {
    for node in byEntity[facts.entity.name] ?? [] {
      try body(node.identifier.reference, attribute.flatMap { node.values[$0] } ?? .null)
    }
  }

  func objects(
    of facts: EntityFacts, links: Set<String>, _ body: (WrittenObject) throws -> Void
  ) throws {
    for node in byEntity[facts.entity.name] ?? [] {
      try body(
        WrittenObject(identifier: node.identifier, values: node.values) { name, body in
          for reference in node.links[name]?.references ?? [] { try body(reference) }
        })
    }
  }
}
