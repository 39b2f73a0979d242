internal import PassageStores
public import PassageValues

extension MigrationContext {
  // MARK: Source

  /// A source object with its attributes and to-one relationships; `nil` when it does not exist.
  public func sourceObject(ofEntity name: String, key: Int64) throws -> SourceObject? {
    try sources.object(ofEntity: name, key: key)
  }

  /// The keys of the source objects that a relationship leads to, in ascending order or in the
  /// relationship's order.
  public func sourceKeys(
    of source: SourceObject, relationship name: String
  ) throws -> [Int64] {
    try sources.keys(of: source, relationship: name)
  }

  // MARK: Associations

  /// The destination objects that an entity mapping has made from a source object, in this pass or
  /// an earlier one, by key. It needs ``Need/destinationObjects``.
  ///
  /// - Parameters:
  ///   - name: the entity mapping's name.
  ///   - sourceKey: the source object's key.
  public func destinationInstances(
    forMappingNamed name: String, sourceKey: Int64
  ) throws -> [ObjectReference] {
    try demand(.destinationObjects, "destinationInstances(forMappingNamed:sourceKey:)")
    try flush()
    return try inPass().associations.destinationInstances(
      forMappingNamed: name, sourceKey: sourceKey)
  }

  /// The keys of the source objects from which an entity mapping made an object, in ascending
  /// order. It needs ``Need/destinationObjects``.
  public func sourceKeys(
    forMappingNamed name: String, destination: ObjectReference
  ) throws -> [Int64] {
    try demand(.destinationObjects, "sourceKeys(forMappingNamed:destination:)")
    try flush()
    return try inPass().associations.sourceKeys(forMappingNamed: name, destination: destination)
  }

  // MARK: Destination

  /// A destination object made in this pass, with its attributes; `nil` when it does not exist. It
  /// needs ``Need/destinationObjects``.
  public func destinationObject(_ reference: ObjectReference) throws -> DestinationObject? {
    try demand(.destinationObjects, "destinationObject(_:)")
    try flush()
    return try inPass().objects.read(reference)
  }

  /// Calls `body` for every object of an entity that this pass has made, in ascending order of
  /// keys. Objects that `body` makes with ``makeObject(ofEntity:)`` are not visited. The memory used does not
  /// depend on the number of objects. It needs ``Need/destinationObjects``.
  ///
  /// - Throws: ``PolicyMistake`` when the policy does not declare that need, and the errors of `body`.
  public func forEachDestinationObject(
    ofEntity name: String, _ body: (DestinationObject) throws -> Void
  ) throws {
    try demand(.destinationObjects, "forEachDestinationObject(ofEntity:_:)")
    try flush()
    try inPass().objects.writer(ofEntity: name).forEach(body)
  }

  /// Changes attributes of an object that was inserted earlier in this pass. For an object other
  /// than that of the hook it needs ``Need/destinationObjects``.
  ///
  /// - Throws: ``PolicyMistake`` for an object that was not made in this pass, and for one of another step
  ///   whose entity has other attributes there.
  public func update(_ object: DestinationObject) throws {
    if !isOfHook(object) { try demand(.destinationObjects, "update(_:) for another object") }
    try flush()
    try inPass().objects.writer(of: object.shape).update(object, missing: missing)
  }

  /// Whether it is the object at the key of the running hook's source object, or the one that is
  /// being related.
  private func isOfHook(_ object: DestinationObject) -> Bool {
    if let currentDestination { return object.reference == currentDestination }
    guard let currentSource, outcome.hasPrimary else { return false }
    return object.key == currentSource &+ mappingPlan.keyOffset
      && object.entityName == destinationName
  }
}
