internal import PassageExpressions
internal import PassageModels
public import PassageValues

/// What a policy's hooks can do: make objects, find objects made before, relate them. It stands in
/// for Core Data's `NSMigrationManager` in a policy. Not shared between threads, and of no use after
/// the hook that received it.
public final class MigrationContext {
  /// The entity mapping the hook is called for.
  public let mapping: PolicyMapping

  private let worker: PolicyWorker

  init(mapping: PolicyMapping, worker: PolicyWorker) {
    self.mapping = mapping
    self.worker = worker
  }

  // MARK: Making objects

  /// The destination object that the mapping alone would make of a source object: every mapped
  /// attribute computed, every other at its default. It is not inserted yet.
  ///
  /// - Throws: a mistake in a value expression, with the object's key.
  public func defaultDestination(for source: SourceObject) throws -> DestinationObject {
    try worker.defaultDestination(for: source)
  }

  /// A new object of any entity of the destination model, every attribute at its default. It is not
  /// inserted yet.
  ///
  /// - Throws: ``PolicyMistake`` for an unknown or abstract entity.
  public func makeObject(ofEntity name: String) throws -> DestinationObject {
    try worker.makeObject(ofEntity: name)
  }

  /// Inserts an object and associates it with a source object, both ways.
  ///
  /// The first object of the mapping's destination entity that is inserted for a source object gets
  /// its key; any other gets a new one.
  ///
  /// - Returns: the object as others refer to it.
  @discardableResult
  public func insert(
    _ object: consuming DestinationObject, for source: SourceObject
  ) throws -> ObjectReference {
    try worker.insert(object, for: source)
  }

  /// Inserts an object that stands for no source object.
  @discardableResult
  public func insert(_ object: consuming DestinationObject) throws -> ObjectReference {
    try worker.insert(object, for: nil)
  }

  /// Associates a source object with an object made before, which then stands for both.
  public func associate(_ source: SourceObject, with destination: ObjectReference) throws {
    try worker.associate(source, with: destination)
  }

  /// The object that was made before under a key of the policy's own, or a new one.
  ///
  /// This is how several source objects become one: the first makes it, the others are merged into
  /// it. Keys are kept on disk, so an interrupted pass knows them when it continues, and a later
  /// pass of the step finds them.
  ///
  /// - Parameters:
  ///   - entity: the destination entity.
  ///   - key: what the objects have in common; compared cell by cell.
  ///   - source: the source object that becomes part of the object.
  ///   - make: changes the new object before it is inserted; called only for the first.
  /// - Returns: the object, and whether it is new.
  @discardableResult
  public func findOrInsert(
    _ entity: String, key: [Value], for source: SourceObject,
    make: (inout DestinationObject) throws -> Void
  ) throws -> (object: ObjectReference, isNew: Bool) {
    try worker.findOrInsert(entity, key: key, for: source, make: make)
  }

  /// The object made before under a key; `nil` when there is none.
  public func find(_ entity: String, key: [Value]) throws -> ObjectReference? {
    try worker.find(entity, key: key)
  }

  // MARK: Associations

  /// The destination objects that an entity mapping made of a source object, in this pass so far or
  /// in an earlier one, by key.
  ///
  /// - Parameters:
  ///   - name: the entity mapping's name.
  ///   - sourceKey: the source object's key.
  public func destinationInstances(
    forMappingNamed name: String, sourceKey: Int64
  ) throws -> [ObjectReference] {
    try worker.destinationInstances(forMappingNamed: name, sourceKey: sourceKey)
  }

  /// The keys of the source objects that an entity mapping made an object of, ascending.
  public func sourceKeys(
    forMappingNamed name: String, destination: ObjectReference
  ) throws -> [Int64] {
    try worker.sourceKeys(forMappingNamed: name, destination: destination)
  }

  // MARK: Reading

  /// A source object with its attributes and to-one relationships; `nil` when there is none.
  public func sourceObject(ofEntity name: String, key: Int64) throws -> SourceObject? {
    try worker.sourceObject(ofEntity: name, key: key)
  }

  /// The keys of the source objects a relationship leads to, ascending or in the relationship's
  /// order.
  public func sourceKeys(
    of source: SourceObject, relationship name: String
  ) throws -> [Int64] {
    try worker.sourceKeys(of: source, relationship: name)
  }

  /// A destination object made in this pass, with its attributes; `nil` when there is none.
  public func destinationObject(_ reference: ObjectReference) throws -> DestinationObject? {
    try worker.destinationObject(reference)
  }

  /// Calls `body` for every object of an entity that this pass has made, in ascending key order;
  /// memory does not grow with their number.
  public func forEachDestinationObject(
    ofEntity name: String, _ body: (DestinationObject) throws -> Void
  ) throws {
    try worker.forEachDestinationObject(ofEntity: name, body)
  }

  /// Changes attributes of an object of this pass that was inserted before.
  public func update(_ object: DestinationObject) throws {
    try worker.update(object)
  }

  // MARK: Relationships

  /// Relates an object as the mapping says, when the step is assembled.
  public func createDefaultRelationships(for object: DestinationObject) throws {
    try worker.createDefaultRelationships(for: object)
  }

  /// Relates an object to others, in order, instead of what the mapping says. An empty list empties
  /// the relationship.
  ///
  /// - Throws: ``PolicyMistake`` for an unknown relationship, an object of another entity, or more
  ///   than one object for a to-one relationship.
  public func setRelationship(
    _ name: String, of object: ObjectReference, to targets: [ObjectReference]
  ) throws {
    try worker.setRelationship(name, of: object, to: targets)
  }

  // MARK: Memory of the policy

  /// Text a policy keeps on disk with its pass: it survives an interruption, together with the batch
  /// it was written in.
  public var userInfo: UserInfo { UserInfo(worker: worker) }

  /// Text by name, kept in the pass store.
  public struct UserInfo {
    fileprivate let worker: PolicyWorker

    /// The text kept under a name; `nil` when there is none.
    public func value(_ name: String) throws -> String? { try worker.userInfo(name) }

    /// Keeps a text under a name.
    public func set(_ name: String, to value: String) throws {
      try worker.setUserInfo(name, value)
    }
  }

  /// What `now()` gives: seconds since 2001-01-01 UTC, frozen for the whole migration.
  public var now: Double { worker.now }

  var currentWorker: PolicyWorker { worker }
}
