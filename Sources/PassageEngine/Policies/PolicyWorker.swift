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

  let job: MappingPlan
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
  var mapper: RowMapper? {
    didSet { defaults = nil }
  }
  let missing: MissingValues
  let nilled: NilledValues
  /// While a policy begins, the objects it has inserted; `nil` at other times.
  var madeInBegin: [ObjectReference]?
  /// While a policy begins again, the objects it inserted the first time.
  var replayed: [ObjectReference] = []

  private var writers: [String: ObjectWriter] = [:]
  /// The writer used last: most policies make objects of one entity.
  private var lastWriter: ObjectWriter?
  private var statements: [String: Statement] = [:]
  private lazy var associations = AssociationWriter(mapping: job.index, store: store)
  private var shared = SharedObjects()
  private var findShared = PreparedOnce(
    "SELECT destination FROM \(Journal.Table.shared.name) WHERE entity = ? AND key = ?")
  private var markDefault = PreparedOnce(
    "INSERT OR IGNORE INTO \(Journal.Table.defaultRelationship.name) (mapping, destination) "
      + "VALUES (?, ?)")
  private let destinationName: String?
  private var numbers: [String: Int64] = [:]
  /// How a default object is made, resolved with the first.
  private var defaults: Defaults?
  /// The cells of the object inserted last, used again for the next default object.
  private var spareCells: [Value] = []

  init(
    job: MappingPlan, step: StepRun, store: PassStore, passes: PassLookup, account: MappingAccount,
    keys: KeyAllocator, missing: MissingValues, nilled: NilledValues
  ) {
    self.job = job
    self.step = step
    self.store = store
    self.passes = passes
    self.account = account
    self.keys = keys
    self.missing = missing
    self.nilled = nilled
    now = step.plan.now
    destinationName = job.destination?.name
  }

  /// The source object with this key is handed to the policy.
  func begin(_ sourceKey: Int64) {
    outcome = Outcome()
    currentSource = sourceKey
  }

  /// The policy is done with its source object.
  func end() { currentSource = nil }

  /// Gives the tables every object that was kept back, and counts what was made. Called before
  /// anything is read back and at the end of a batch.
  func flush() throws {
    try associations.flush()
    for (entity, writer) in writers {
      try writer.flush()
      let count = writer.takeCount()
      if count > 0 { account.count(made: entity, count) }
    }
  }

  // MARK: Making objects

  /// The destination entity's attributes, and the position of each mapped one.
  private struct Defaults {
    let shape: DestinationShape
    let positions: [Int?]
  }

  private func findDefaults() throws -> Defaults {
    if let defaults { return defaults }
    guard let entity = job.bound.destination, let shape = step.shape(ofEntity: entity.name) else {
      throw PolicyMistake("“\(job.name)” makes no objects here")
    }
    let found = Defaults(
      shape: shape,
      positions: job.bound.attributes.map { shape.position(of: $0.attribute.name) })
    defaults = found
    return found
  }

  func defaultDestination(for source: SourceObject) throws -> DestinationObject {
    guard let mapper else { throw PolicyMistake("“\(job.name)” makes no objects here") }
    let defaults = try findDefaults()
    let shape = defaults.shape
    var cells = spareCells
    spareCells = []
    if cells.count == shape.defaults.count {
      for index in cells.indices { cells[index] = shape.defaults[index] }
    } else {
      cells = shape.defaults
    }
    for (index, position) in defaults.positions.enumerated() {
      guard let position else { continue }
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
    let writer = try writer(of: object.shape)
    let isPrimary =
      source.map { $0.key == currentSource } == true && !outcome.hasPrimary
      && object.entityName == destinationName
    if isPrimary, let source {
      object.key = source.key &+ job.keyOffset
      outcome.hasPrimary = true
    } else {
      object.key = try keys.next(table: writer.tableName)
    }
    try writer.append(object, missing: missing)
    let reference = object.reference
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
    let number = try number(ofEntity: entity)
    let bytes = SharedKey.bytes(key)
    if let found = try find(number, bytes) {
      let object = ObjectReference(entityName: entity, key: found)
      try associate(source, with: object)
      return (object, false)
    }
    var object = try makeObject(ofEntity: entity)
    try make(&object)
    // A shared object belongs to no one source object, so it never takes a source object's key.
    let current = outcome.hasPrimary
    outcome.hasPrimary = true
    defer { outcome.hasPrimary = current }
    let reference = try insert(object, for: source)
    try run(
      "INSERT INTO \(Journal.Table.shared.name) (entity, key, destination, pass) "
        + "VALUES (?, ?, ?, ?)",
      [.integer(number), .blob(bytes), .integer(reference.key), .integer(Int64(job.passIndex))])
    shared.remember(number, bytes, reference.key)
    return (reference, true)
  }

  func find(_ entity: String, key: [Value]) throws -> ObjectReference? {
    try find(number(ofEntity: entity), SharedKey.bytes(key)).map {
      ObjectReference(entityName: entity, key: $0)
    }
  }

  private func find(_ number: Int64, _ bytes: [UInt8]) throws -> Int64? {
    if let known = shared.find(number, bytes) { return known }
    let statement = try findShared.statement(on: store.connection)
    try statement.bind([.integer(number), .blob(bytes)])
    defer { statement.reset() }
    let found = try statement.step() ? statement.integer(at: 0) : nil
    if let found { shared.remember(number, bytes, found) }
    return found
  }

  /// Forgets what a transaction that was taken back has found and made.
  func forgetShared() { shared = SharedObjects() }

  private func recordAssociation(_ source: Int64, _ destination: ObjectReference) throws {
    try associations.append(
      source: source, destination: destination.key,
      entity: number(ofEntity: destination.entityName))
  }

  // MARK: Relationships

  func createDefaultRelationships(for object: DestinationObject) throws {
    // The mark says that the mapping's relationships are wanted: without any it says nothing.
    guard !job.bound.relationships.isEmpty else { return }
    let statement = try markDefault.statement(on: store.connection)
    try statement.bind(Int64(job.index), at: 1)
    try statement.bind(object.key, at: 2)
    try statement.run()
  }

  func setRelationship(
    _ name: String, of object: ObjectReference, to targets: [ObjectReference]
  ) throws {
    guard let entity = step.plan.destination.entity(named: object.entityName),
      let relationship = step.plan.destination.relationship(name, of: entity),
      let expected = step.plan.destination.entity(named: relationship.destinationEntityName)
    else { throw PolicyMistake("“\(object.entityName)” has no relationship “\(name)”") }
    guard relationship.isToMany || targets.count <= 1 else {
      throw PolicyMistake("“\(name)” leads to one object, not to \(targets.count)")
    }
    for target in targets {
      guard let found = step.plan.destination.entity(named: target.entityName),
        step.plan.destination.isKind(found, of: expected)
      else {
        throw PolicyMistake("“\(name)” leads to “\(expected.name)”, not to “\(target.entityName)”")
      }
    }
    let number = try number(ofEntity: object.entityName)
    let head: [Value] = [
      .integer(number), .text(name), .integer(object.key), .integer(Int64(job.passIndex)),
    ]
    try run(
      "DELETE FROM \(Journal.Table.relationship.name) "
        + "WHERE entity = ? AND relationship = ? AND owner = ? AND pass = ?", head)
    // Position -1 says that the policy decided, even for an empty list.
    let insert = """
      INSERT INTO \(Journal.Table.relationship.name)
        (entity, relationship, owner, pass, position, target, target_entity)
        VALUES (?, ?, ?, ?, ?, ?, ?)
      """
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
    try store.journal.state("policy:\(job.index):\(name)")?.string
  }

  func setUserInfo(_ name: String, _ value: String) throws {
    try store.journal.setState("policy:\(job.index):\(name)", .text(value))
  }

  // MARK: Destination objects

  func destinationObject(_ reference: ObjectReference) throws -> DestinationObject? {
    try flush()
    return try writer(ofEntity: reference.entityName).read(key: reference.key)
  }

  func forEachDestinationObject(
    ofEntity name: String, _ body: (DestinationObject) throws -> Void
  ) throws {
    try flush()
    try writer(ofEntity: name).forEach(body)
  }

  func update(_ object: DestinationObject) throws {
    try flush()
    try writer(ofEntity: object.entityName).update(object, missing: missing)
  }

  private func writer(of shape: DestinationShape) throws -> ObjectWriter {
    if let lastWriter, lastWriter.shape === shape { return lastWriter }
    let writer = try writer(ofEntity: shape.entity.name)
    lastWriter = writer
    return writer
  }

  func writer(ofEntity name: String) throws -> ObjectWriter {
    if let writer = writers[name] { return writer }
    guard let shape = step.shape(ofEntity: name), !shape.entity.isAbstract,
      let layout = step.plan.destinationLayout.entity(named: name)
    else { throw PolicyMistake("the destination model has no concrete entity “\(name)”") }
    let writer = try ObjectWriter(shape: shape, layout: layout, connection: store.connection)
    writers[name] = writer
    return writer
  }

  // MARK: Statements

  func number(ofEntity name: String) throws -> Int64 {
    if let number = numbers[name] { return number }
    guard let number = step.plan.destinationLayout.entity(named: name)?.number else {
      throw PolicyMistake("the destination model has no entity “\(name)”")
    }
    numbers[name] = Int64(number)
    return Int64(number)
  }

  private func run(_ sql: String, _ values: [Value]) throws {
    let statement = try prepared(sql)
    try statement.bind(values)
    try statement.run()
  }

  private func prepared(_ sql: String) throws -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try store.connection.prepare(sql)
    statements[sql] = statement
    return statement
  }
}

/// A statement that is compiled when it is first needed.
struct PreparedOnce {
  private let sql: String
  private var compiled: Statement?

  init(_ sql: String) { self.sql = sql }

  mutating func statement(on connection: Connection) throws -> Statement {
    if let compiled { return compiled }
    let statement = try connection.prepare(sql)
    compiled = statement
    return statement
  }
}
