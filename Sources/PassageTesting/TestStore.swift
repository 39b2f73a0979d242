public import Passage
internal import PassageSQLite

/// A store in Core Data's layout that a test fills object by object.
///
/// It writes plain rows by the model's layout and shares no code with the engine, so that a test of
/// a migration can compare the engine with it:
///
/// ```swift
/// let store = try TestStore(model: model, at: directory.path("School.sqlite"))
/// let course = try store.insert("Course", ["title": "Algebra"])
/// try store.insert("Class", ["room": "A1"], ["course": [course]])
/// try store.close()
/// ```
public final class TestStore {
  /// The path of the store.
  public let path: String
  /// The store's model.
  public let model: Model
  private let layout: StoreLayout
  /// `nil` once the store is closed.
  private var open: Connection?
  private var largestKeys: [String: Int64] = [:]

  /// Creates an empty store with a write-ahead log, as Core Data does, and keeps it open.
  ///
  /// - Parameters:
  ///   - model: the model of the store.
  ///   - path: the store's path; nothing may exist there.
  /// - Throws: an error that describes why the store cannot be created.
  public convenience init(model: Model, at path: String) throws {
    try self.init(model: model, at: path, journalMode: .wal)
  }

  /// Creates an empty store and keeps it open.
  ///
  /// - Parameters:
  ///   - model: the model of the store.
  ///   - path: the store's path; nothing may exist there.
  ///   - journalMode: the journal mode of the store.
  /// - Throws: `StoreError` if the store cannot be created.
  package init(
    model: Model, at path: String, journalMode: StoreBuilder.JournalMode
  ) throws {
    layout = try StoreCreator.create(model: model, at: path, journalMode: journalMode)
    self.model = model
    self.path = path
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0; BEGIN")
    // They call functions that only Core Data has. The finished store has them again.
    for trigger in layout.triggers {
      try connection.execute("DROP TRIGGER \(trigger.name.quotedIdentifier)")
    }
    open = connection
  }

  /// Whether everything is written, and nothing more can be.
  var isClosed: Bool { open == nil }

  private var connection: Connection {
    get throws {
      guard let open else { throw StoreContents.Mistake("the store is closed") }
      return open
    }
  }

  /// Inserts an object.
  ///
  /// - Parameters:
  ///   - entity: the object's entity.
  ///   - attributes: values by attribute; missing ones get the model's default.
  ///   - related: objects by relationship, in order.
  ///   - key: the object's key; `nil` for the next one of its table.
  /// - Returns: a reference to the object, for relationships.
  /// - Throws: ``StoreContents/Mistake`` for a name that the model does not have.
  @discardableResult
  public func insert(
    _ entity: String, _ attributes: [String: Value] = [:],
    _ related: [String: [ObjectReference]] = [:], key: Int64? = nil
  ) throws -> ObjectReference {
    guard let described = model.entity(named: entity), let place = layout.entity(named: entity)
    else { throw StoreContents.Mistake("the model has no entity \(entity)") }
    let key = key ?? (largestKeys[place.tableName] ?? 0) + 1
    largestKeys[place.tableName] = max(largestKeys[place.tableName] ?? 0, key)
    var cells: [(column: String, value: Value)] = [
      ("Z_PK", .integer(key)), ("Z_ENT", .integer(Int64(place.number))), ("Z_OPT", 1),
    ]
    var unknown = Set(attributes.keys)
    for attribute in model.attributes(of: described) {
      guard let column = place.columnName(ofAttribute: attribute.name) else { continue }
      unknown.remove(attribute.name)
      cells.append((column, attributes[attribute.name] ?? attribute.defaultValue))
    }
    if let name = unknown.min() {
      throw StoreContents.Mistake("\(entity) has no stored attribute \(name)")
    }
    let columns = cells.map { $0.column.quotedIdentifier }.joined(separator: ", ")
    let marks = cells.map { _ in "?" }.joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(place.tableName.quotedIdentifier) (\(columns)) VALUES (\(marks))",
      cells.map(\.value))
    let object = ObjectReference(entityName: entity, key: key)
    for (name, targets) in related.sorted(by: { $0.key < $1.key }) {
      try relate(object, name, to: targets)
    }
    return object
  }

  /// Adds objects to a relationship, in order. Its inverse changes with it.
  ///
  /// - Throws: ``StoreContents/Mistake`` for a name that the model does not have.
  public func relate(
    _ owner: ObjectReference, _ relationship: String, to targets: [ObjectReference]
  ) throws {
    guard let place = layout.entity(named: owner.entityName),
      let storage = place.storage(ofRelationship: relationship)
    else {
      throw StoreContents.Mistake("\(owner.entityName) has no stored relationship \(relationship)")
    }
    for target in targets {
      switch storage {
      case .foreignKey(let column, let entityColumn, let orderColumn):
        try point(place.tableName, owner, column, entityColumn, orderColumn, to: target)
        try pointBack(from: target, to: owner, relationship)
      case .inverseForeignKey(let table, let column, let entityColumn, let orderColumn):
        try point(table, target, column, entityColumn, orderColumn, to: owner)
      case .joinTable(let table, let this, let other, let order):
        try join(table, this, other, order, owner, target)
      }
    }
  }

  /// Runs any statement, for instance to damage a store or to write something outside the model.
  public func execute(_ sql: String) throws { try connection.execute(sql) }

  /// Writes the largest keys and closes the store.
  ///
  /// - Parameter isLogKept: whether the changes stay in the log (`-wal`), as in a store of a killed
  ///   program, instead of being moved into the main file.
  public func close(isLogKept: Bool = false) throws {
    let connection = try connection
    defer { open = nil }
    for table in layout.tables {
      guard let root = layout.entity(named: table.rootEntityName) else { continue }
      try connection.execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?) WHERE Z_ENT = ?",
        [.integer(largestKeys[table.name] ?? 0), .integer(Int64(root.number))])
    }
    for trigger in layout.triggers { try connection.execute(trigger.createIfMissingStatement) }
    try connection.execute("COMMIT")
    if isLogKept {
      try LogKeeper(path: path).keep(closing: connection)
    } else {
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  // MARK: Links

  private func point(
    _ table: String, _ holder: ObjectReference, _ column: String, _ entityColumn: String?,
    _ orderColumn: String?, to target: ObjectReference
  ) throws {
    var sets = ["\(column.quotedIdentifier) = ?1"]
    if let entityColumn { sets.append("\(entityColumn.quotedIdentifier) = ?2") }
    if let orderColumn {
      let order = orderColumn.quotedIdentifier
      sets.append(
        "\(order) = (SELECT coalesce(max(\(order)), 0) + 1024 FROM \(table.quotedIdentifier) "
          + "WHERE \(column.quotedIdentifier) = ?1)")
    }
    try connection.execute(
      "UPDATE \(table.quotedIdentifier) SET \(sets.joined(separator: ", ")) "
        + "WHERE Z_PK = ?3 AND ?2 IS NOT NULL",
      [.integer(target.key), .integer(number(of: target)), .integer(holder.key)])
  }

  /// A one-to-one relationship is stored on both sides.
  private func pointBack(
    from target: ObjectReference, to owner: ObjectReference, _ name: String
  ) throws {
    guard let entity = model.entity(named: owner.entityName),
      let inverse = model.relationship(name, of: entity).flatMap({ model.inverse(of: $0) }),
      let place = layout.entity(named: target.entityName),
      case .foreignKey(let column, let entityColumn, let orderColumn)? =
        place.storage(ofRelationship: inverse.name)
    else { return }
    try point(place.tableName, target, column, entityColumn, orderColumn, to: owner)
  }

  private func join(
    _ table: JoinTable, _ this: String, _ other: String, _ order: String?,
    _ owner: ObjectReference, _ target: ObjectReference
  ) throws {
    var columns = [this, other]
    var values: [Value] = [.integer(owner.key), .integer(target.key)]
    let name = table.name.quotedIdentifier
    func nextPlace(_ order: String, _ column: String, _ key: Int64) throws -> Value {
      .integer(
        try connection.integer(
          "SELECT coalesce(max(\(order.quotedIdentifier)), 0) + 1024 FROM \(name) "
            + "WHERE \(column.quotedIdentifier) = ?", [.integer(key)]))
    }
    if let order {
      columns.append(order)
      values.append(try nextPlace(order, this, owner.key))
    }
    let inverseOrder =
      table.owner.column == this ? table.other.orderColumn : table.owner.orderColumn
    if let inverseOrder, !table.isSelfInverse {
      columns.append(inverseOrder)
      values.append(try nextPlace(inverseOrder, other, target.key))
    }
    try connection.execute(
      "INSERT OR IGNORE INTO \(name) (\(columns.map(\.quotedIdentifier).joined(separator: ", "))) "
        + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))", values)
  }

  private func number(of object: ObjectReference) -> Int64 {
    Int64(layout.entity(named: object.entityName)?.number ?? 0)
  }
}
