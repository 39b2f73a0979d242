internal import PassageModels
internal import PassageStores
public import PassageValues

extension MigrationContext {
  /// The destination object that the mapping would make from a source object without a policy:
  /// mapped attributes are computed, all others have their default values. The object is not
  /// inserted.
  ///
  /// - Parameter source: the hook's source object, or any other of the mapping's source entity: one that
  ///   was read again, or that the policy has put together. Its cells are taken by name; those that it
  ///   lacks, such as key paths that the mapping reads, are read from the source at its key.
  /// - Throws: an error in a value expression, with the object's key. ``PolicyMistake`` for an object of
  ///   another entity, unless its objects are in the same table and have every cell that the mapping reads,
  ///   and for an object that lacks a cell and is not in the source.
  public func defaultDestination(for source: SourceObject) throws -> DestinationObject {
    try defaults.make(of: source, row)
  }

  /// A new object of any entity of the destination model, with default values. The object is not
  /// inserted.
  ///
  /// - Throws: ``PolicyMistake`` for an unknown or abstract entity.
  public func makeObject(ofEntity name: String) throws -> DestinationObject {
    guard let shape = step.shape(ofEntity: name) else {
      throw PolicyMistake("the destination model has no entity “\(name)”")
    }
    guard !shape.entity.isAbstract else {
      throw PolicyMistake("“\(name)” is abstract and can have no objects")
    }
    return DestinationObject(shape: shape, key: 0, values: shape.defaults)
  }

  /// Inserts an object and associates it with a source object, in both directions.
  ///
  /// The first object of the mapping's destination entity that is inserted for the hook's source
  /// object gets that object's key plus the mapping's key offset. Any other gets a new key, and
  /// needs ``Need/furtherObjects``.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - source: an object of the mapping's source entity. Associations tell source objects apart by their
  ///     keys, which are unique in a table only.
  /// - Returns: a reference to the object.
  /// - Throws: an error that names the need when the policy has not declared it, or an error of the pass's
  ///   store. ``PolicyMistake`` for a source object of an entity in another table, and for an object of
  ///   another step whose entity has other attributes there.
  @inlinable
  @discardableResult
  public func insert(
    _ object: consuming DestinationObject, for source: SourceObject
  ) throws -> ObjectReference {
    let inserted = try place(object, for: source)
    // Put together in the caller, where the compiler leaves it out unless it is used: counting a use of
    // the name costs as much as a tenth of a policy's row.
    return ObjectReference(
      entityName: inserted.entityName ?? destinationName ?? "", key: inserted.key)
  }

  /// Inserts an object, and associates it with a source object.
  ///
  /// - Returns: the object's key, and the name of its entity unless that is ``destinationName``.
  @usableFromInline
  func place(
    _ object: consuming DestinationObject, for source: SourceObject
  ) throws -> (key: Int64, entityName: String?) {
    try check(source)
    let isOfShape = object.shape === destinationShape
    let isOwn =
      source.key == currentSource && !outcome.hasPrimary
      && (isOfShape || object.entityName == destinationName)
    if isOwn, row != nil {
      if !isOfShape { try check(object.shape) }
      outcome.hasPrimary = true
      outcome.made += 1
      keep(object)
      return (source.key &+ mappingPlan.keyOffset, nil)
    }
    if !isOwn { try demand(.furtherObjects, "insert(_:for:) for a further object") }
    let reference = try add(object, of: source.key, isOwn: isOwn)
    return (reference.key, reference.entityName)
  }

  /// Throws unless an object can be a source object of the mapping.
  @inline(__always)
  private func check(_ source: SourceObject) throws {
    if ObjectIdentifier(source.shape) != ownShape { try checkEntity(of: source) }
  }

  @inline(never)
  private func checkEntity(of source: SourceObject) throws {
    try step.check(source, for: mappingPlan)
  }

  /// Throws unless objects of a shape can be objects of the mapping's destination entity.
  @inline(never)
  private func check(_ shape: DestinationShape) throws(PolicyMistake) {
    guard destinationShape?.isLike(shape) == true else {
      throw PolicyMistake.isOfOtherStep(shape.entity.name)
    }
  }

  /// Inserts an object that has no source object. It needs ``Need/furtherObjects``.
  ///
  /// - Throws: ``PolicyMistake`` for an object of another step whose entity has other attributes there.
  @discardableResult
  public func insert(_ object: consuming DestinationObject) throws -> ObjectReference {
    try demand(.furtherObjects, "insert(_:)")
    return try add(object, of: nil, isOwn: false)
  }

  /// - Parameter isOwn: whether the object gets the key of its source object plus the offset.
  private func add(
    _ object: consuming DestinationObject, of source: Int64?, isOwn: Bool
  ) throws -> ObjectReference {
    if let first = replayed.first, first.entityName == object.entityName {
      replayed.removeFirst()
      return first
    }
    let pass = try inPass()
    let writer = try pass.objects.writer(of: object.shape)
    if isOwn, let source {
      object.key = source &+ mappingPlan.keyOffset
      outcome.hasPrimary = true
    }
    if !isOwn { object.key = try pass.keys.next(table: writer.tableName) }
    try writer.append(object, missing: missing)
    let reference = object.reference
    if let source {
      if !isOwn { try pass.associations.record(source, reference) }
      if source == currentSource { outcome.made += 1 } else { account.split += 1 }
    } else {
      account.added += 1
    }
    madeInBegin?.append(reference)
    defaults.reuse(object.storage)
    return reference
  }

  /// Associates a source object with an object that was made earlier and so stands for both. It
  /// needs ``Need/order``.
  ///
  /// The migration fails if no such object exists when the step is assembled (`VAL-007`).
  ///
  /// - Throws: ``PolicyMistake`` for a source object of an entity in another table than that of the mapping's
  ///   source entity.
  public func associate(_ source: SourceObject, with destination: ObjectReference) throws {
    try demand(.order, "associate(_:with:)")
    try check(source)
    let pass = try inPass()
    try pass.associations.noteNamed()
    try merge(source.key, into: destination, pass)
  }

  private func merge(
    _ source: Int64, into destination: ObjectReference, _ pass: PolicyPass
  ) throws {
    try pass.associations.record(source, destination)
    if source == currentSource { outcome.merged += 1 }
  }

  /// Finds the object that was made earlier under a key chosen by the policy, or inserts a new one.
  ///
  /// This is how several source objects become one: the first makes the object, the others are
  /// merged into it. Keys are stored on disk, so an interrupted pass finds them when it continues,
  /// and so does a later pass of the step. It needs ``Need/destinationObjects``,
  /// ``Need/furtherObjects`` and ``Need/order``.
  ///
  /// - Parameters:
  ///   - entity: the destination entity.
  ///   - key: what the source objects have in common; compared cell by cell.
  ///   - source: the source object that becomes part of the object.
  ///   - make: changes the new object before it is inserted; called only for the first source
  ///     object. It may find or insert others, but not this one.
  /// - Returns: the object, and whether it is new.
  /// - Throws: ``PolicyMistake`` for an unknown or abstract entity, for a source object of an entity in
  ///   another table than that of the mapping's source entity, and when `make` asks for the object that it
  ///   is to make, or puts one of another entity in its place.
  @discardableResult
  public func findOrInsert(
    _ entity: String, key: [Value], for source: SourceObject,
    make: (inout DestinationObject) throws -> Void
  ) throws -> (object: ObjectReference, isNew: Bool) {
    if !needsEverything {
      for need in Need.allCases { try demand(need, "findOrInsert(_:key:for:make:)") }
    }
    try check(source)
    let pass = try inPass()
    if let found = try pass.shared.find(entity, key) {
      try merge(source.key, into: found, pass)
      return (found, false)
    }
    var object = try makeObject(ofEntity: entity)
    try pass.shared.whileMaking(entity, key) { try make(&object) }
    guard object.entityName == entity else {
      throw PolicyMistake(
        "the “make” of findOrInsert(_:key:for:make:) puts an object of “\(object.entityName)” in the place "
          + "of the “\(entity)” that it is to make")
    }
    // A shared object belongs to no single source object, so it never gets the key of one.
    let reference = try add(object, of: source.key, isOwn: false)
    try pass.shared.insert(reference, key)
    return (reference, true)
  }

  /// The object that was made earlier under a key; `nil` when there is none. It needs
  /// ``Need/destinationObjects``.
  public func find(_ entity: String, key: [Value]) throws -> ObjectReference? {
    try demand(.destinationObjects, "find(_:key:)")
    return try inPass().shared.find(entity, key)
  }
}
