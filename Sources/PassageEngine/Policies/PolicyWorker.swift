internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Does what a policy asks for, for one entity mapping of a running pass.
final class PolicyWorker {
  /// What became of the source object whose hook is running.
  struct Outcome {
    var made = 0
    var merged = 0
    var hasPrimary = false
  }

  let job: EntityJob
  let step: StepRun
  let store: PassStore
  let now: Double
  let passes: PassLookup

  var account: MappingAccount
  let keys: KeyAllocator
  var outcome = Outcome()
  /// The source object whose `createDestinationInstances` is running; `nil` in other hooks.
  var currentSource: Int64?
  /// Set for the create phase.
  var mapper: RowMapper?
  let missing: MissingValues
  /// While a policy begins, the objects it has inserted; `nil` at other times.
  var madeInBegin: [ObjectReference]?
  /// While a policy begins again, the objects it inserted the first time.
  var replayed: [ObjectReference] = []

  private var writers: [String: ObjectWriter] = [:]
  private var statements: [String: Statement] = [:]
  /// The cells of the object inserted last, used again for the next default object.
  private var spareCells: [Value] = []

  init(
    job: EntityJob, step: StepRun, store: PassStore, passes: PassLookup, account: MappingAccount,
    keys: KeyAllocator, missing: MissingValues
  ) {
    self.job = job
    self.step = step
    self.store = store
    self.passes = passes
    self.account = account
    self.keys = keys
    self.missing = missing
    now = step.now
  }

  // MARK: Making objects

  func defaultDestination(for source: SourceObject) throws -> DestinationObject {
    guard let mapper, let entity = job.bound.destination,
      let shape = step.shape(ofEntity: entity.name)
    else { throw PolicyMistake("“\(job.name)” makes no objects here") }
    var cells = spareCells
    spareCells = []
    if cells.count == shape.attributes.count {
      for index in cells.indices { cells[index] = shape.defaults[index] }
    } else {
      cells = shape.defaults
    }
    for (index, attribute) in job.bound.attributes.enumerated() {
      guard let position = shape.position(of: attribute.attribute.name) else { continue }
      cells[position] = try mapper.value(index, of: source)
    }
    return DestinationObject(shape: shape, key: 0, values: cells)
  }

  func makeObject(ofEntity name: String) throws -> DestinationObject {
    guard let shape = step.shape(ofEntity: name) else {
      throw PolicyMistake("the destination model has no entity “\(name)”")
    }
    guard !shape.entity.isAbstract else {
      throw PolicyMistake("“\(name)” is abstract and can have no objects")
    }
    return DestinationObject(shape: shape, key: 0, values: shape.defaults)
  }

  func insert(
    _ object: consuming DestinationObject, for source: SourceObject?
  ) throws -> ObjectReference {
    if let first = replayed.first, first.entityName == object.entityName {
      replayed.removeFirst()
      return first
    }
    let writer = try writer(ofEntity: object.entityName)
    let isPrimary =
      source.map { $0.key == currentSource } == true && !outcome.hasPrimary
      && object.entityName == job.destination?.name
    if isPrimary, let source {
      object.key = source.key &+ job.keyOffset
      outcome.hasPrimary = true
    } else {
      object.key = try keys.next(table: writer.layout.tableName)
    }
    try writer.append(object, missing: missing)
    let reference = object.reference
    account.count(made: object.entityName)
    if let source {
      if !isPrimary { try recordAssociation(source.key, reference) }
      if source.key == currentSource { outcome.made += 1 } else { account.split += 1 }
    } else {
      account.added += 1
    }
    madeInBegin?.append(reference)
    spareCells = object.values
    return reference
  }

  func associate(_ source: SourceObject, with destination: ObjectReference) throws {
    try recordAssociation(source.key, destination)
    if source.key == currentSource { outcome.merged += 1 }
  }

  func findOrInsert(
    _ entity: String, key: [Value], for source: SourceObject,
    make: (inout DestinationObject) throws -> Void
  ) throws -> (object: ObjectReference, isNew: Bool) {
    if let found = try find(entity, key: key) {
      try associate(source, with: found)
      return (found, false)
    }
    var object = try makeObject(ofEntity: entity)
    try make(&object)
    // A shared object belongs to no one source object, so it never takes a source object's key.
    let current = outcome.hasPrimary
    outcome.hasPrimary = true
    defer { outcome.hasPrimary = current }
    let reference = try insert(object, for: source)
    try run(
      "INSERT INTO passage_shared (entity, key, destination) VALUES (?, ?, ?)",
      [
        .integer(try number(ofEntity: entity)), .blob(SharedKey.bytes(key)),
        .integer(reference.key),
      ])
    return (reference, true)
  }

  func find(_ entity: String, key: [Value]) throws -> ObjectReference? {
    let number = try number(ofEntity: entity)
    let values: [Value] = [.integer(number), .blob(SharedKey.bytes(key))]
    let sql = "SELECT destination FROM passage_shared WHERE entity = ? AND key = ?"
    if let found = try first(sql, values, on: store.connection)?.integer {
      return ObjectReference(entityName: entity, key: found)
    }
    for pass in 0..<job.passIndex {
      if let found = try passes.connection(ofPass: pass).value(sql, values)?.integer {
        return ObjectReference(entityName: entity, key: found)
      }
    }
    return nil
  }

  private func recordAssociation(_ source: Int64, _ destination: ObjectReference) throws {
    try run(
      """
      INSERT OR IGNORE INTO passage_association (mapping, source, destination, entity)
      VALUES (?, ?, ?, ?)
      """,
      [
        .integer(Int64(job.index)), .integer(source), .integer(destination.key),
        .integer(try number(ofEntity: destination.entityName)),
      ])
  }

  // MARK: Relationships

  func createDefaultRelationships(for object: DestinationObject) throws {
    try run(
      """
      INSERT OR IGNORE INTO passage_default_relationships (mapping, destination) VALUES (?, ?)
      """, [.integer(Int64(job.index)), .integer(object.key)])
  }

  func setRelationship(
    _ name: String, of object: ObjectReference, to targets: [ObjectReference]
  ) throws {
    guard let entity = step.destination.entity(named: object.entityName),
      let relationship = step.destination.relationship(name, of: entity),
      let expected = step.destination.entity(named: relationship.destinationEntityName)
    else { throw PolicyMistake("“\(object.entityName)” has no relationship “\(name)”") }
    guard relationship.isToMany || targets.count <= 1 else {
      throw PolicyMistake("“\(name)” leads to one object, not to \(targets.count)")
    }
    for target in targets {
      guard let found = step.destination.entity(named: target.entityName),
        step.destination.isKind(found, of: expected)
      else {
        throw PolicyMistake("“\(name)” leads to “\(expected.name)”, not to “\(target.entityName)”")
      }
    }
    let number = try number(ofEntity: object.entityName)
    try run(
      "DELETE FROM passage_relationship WHERE entity = ? AND relationship = ? AND owner = ?",
      [.integer(number), .text(name), .integer(object.key)])
    // Position -1 says that the policy decided, even for an empty list.
    let insert = """
      INSERT INTO passage_relationship
        (entity, relationship, owner, position, target, target_entity) VALUES (?, ?, ?, ?, ?, ?)
      """
    let head: [Value] = [.integer(number), .text(name), .integer(object.key)]
    try run(insert, head + [.integer(-1), .null, .null])
    for (position, target) in targets.enumerated() {
      try run(
        insert,
        head + [
          .integer(Int64(position)), .integer(target.key),
          .integer(try self.number(ofEntity: target.entityName)),
        ])
    }
  }

  // MARK: Memory

  func userInfo(_ name: String) throws -> String? {
    try store.state("policy:\(job.index):\(name)")?.string
  }

  func setUserInfo(_ name: String, _ value: String) throws {
    try store.setState("policy:\(job.index):\(name)", .text(value))
  }

  // MARK: Destination objects

  func destinationObject(_ reference: ObjectReference) throws -> DestinationObject? {
    try writer(ofEntity: reference.entityName).read(key: reference.key)
  }

  func forEachDestinationObject(
    ofEntity name: String, _ body: (DestinationObject) throws -> Void
  ) throws {
    try writer(ofEntity: name).forEach(body)
  }

  func update(_ object: DestinationObject) throws {
    try writer(ofEntity: object.entityName).update(object, missing: missing)
  }

  func writer(ofEntity name: String) throws -> ObjectWriter {
    if let writer = writers[name] { return writer }
    guard let shape = step.shape(ofEntity: name), !shape.entity.isAbstract,
      let layout = step.destinationLayout.entity(named: name)
    else { throw PolicyMistake("the destination model has no concrete entity “\(name)”") }
    let writer = try ObjectWriter(shape: shape, layout: layout, connection: store.connection)
    writers[name] = writer
    return writer
  }

  // MARK: Statements

  func number(ofEntity name: String) throws -> Int64 {
    guard let number = step.destinationLayout.entity(named: name)?.number else {
      throw PolicyMistake("the destination model has no entity “\(name)”")
    }
    return Int64(number)
  }

  private func run(_ sql: String, _ values: [Value]) throws {
    let statement = try prepared(sql)
    try statement.bind(values)
    try statement.run()
  }

  private func first(_ sql: String, _ values: [Value], on connection: Connection) throws -> Value? {
    let statement = try prepared(sql)
    try statement.bind(values)
    defer { statement.reset() }
    return try statement.step() ? statement.value(at: 0) : nil
  }

  private func prepared(_ sql: String) throws -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try store.connection.prepare(sql)
    statements[sql] = statement
    return statement
  }
}
