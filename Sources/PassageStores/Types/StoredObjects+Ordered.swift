package import PassageModels
internal import PassageSQLite
package import PassageValues

extension StoredObjects {
  /// Keys from 1 are numbers in a text file; other keys are texts there. Files are ordered by
  /// numbers first, then by the code units of texts.
  package enum Keys: CaseIterable, Sendable {
    case numbers
    case texts

    /// The SQL condition for such keys in a column.
    func condition(_ column: String) -> String {
      self == .numbers ? "\(column) >= 1" : "\(column) < 1"
    }

    /// The SQL order of such keys in a column.
    func order(_ column: String) -> String {
      self == .numbers ? column : "CAST(\(column) AS TEXT)"
    }
  }

  /// An SQL condition that an entity's hierarchy has a row with the key, since Core Data's foreign
  /// keys need not lead to a row.
  private func isThere(_ key: String, root: String) -> String? {
    let family = model.entities.filter { !$0.isAbstract && model.root(of: $0).name == root }
    let stored = family.compactMap { layout.entity(named: $0.name) }
    guard let table = stored.first?.tableName else { return nil }
    let numbers = stored.map { "\($0.number)" }.joined(separator: ", ")
    return "EXISTS (SELECT 1 FROM \(table.quotedIdentifier) AS e WHERE e.Z_PK = \(key) "
      + "AND e.Z_ENT IN (\(numbers)))"
  }

  private func root(of relationship: Relationship) -> String {
    model.entity(named: relationship.destinationEntityName).map { model.root(of: $0).name } ?? ""
  }

  /// Reads objects of one entity, without those of its subentities: some attributes, then the keys
  /// of some to-one relationships, nil if they lead to no object.
  ///
  /// - Throws: ``StoreError``, and the errors of `body`.
  package func read(
    _ entity: Entity, _ keys: Keys, attributes: [String], relationships: [Relationship],
    body: (_ key: Int64, _ values: [Value]) throws -> Void
  ) throws {
    guard let stored = layout.entity(named: entity.name) else { return }
    var columns = ["o.Z_PK"]
    for name in attributes {
      columns.append(
        stored.columnName(ofAttribute: name).map { "o.\($0.quotedIdentifier)" } ?? "NULL")
    }
    for relationship in relationships {
      guard case .foreignKey(let column, _, _)? = stored.storage(ofRelationship: relationship.name),
        let condition = isThere("o.\(column.quotedIdentifier)", root: root(of: relationship))
      else {
        columns.append("NULL")
        continue
      }
      columns.append("CASE WHEN \(condition) THEN o.\(column.quotedIdentifier) END")
    }
    let statement = try prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM \(stored.tableName.quotedIdentifier) AS o "
        + "WHERE o.Z_ENT = \(stored.number) AND \(keys.condition("o.Z_PK")) "
        + "ORDER BY \(keys.order("o.Z_PK"))")
    var values = [Value](repeating: .null, count: columns.count - 1)
    while try step(statement) {
      _ = statement.read(into: &values, from: 1)
      try body(statement.integer(at: 0), values)
    }
  }

  /// A cursor over the links of a to-many relationship to existing objects, in the order in which
  /// ``read(_:_:attributes:relationships:body:)`` reads their owners, then in the relationship's
  /// own order.
  ///
  /// - Returns: `nil` for a relationship whose links are not stored.
  package func links(
    _ relationship: Relationship, of entity: Entity, _ keys: Keys
  ) throws -> LinkCursor? {
    guard let stored = layout.entity(named: entity.name),
      let storage = stored.storage(ofRelationship: relationship.name)
    else { return nil }
    let (table, owner, target, order): (String, String, String, String?)
    switch storage {
    case .foreignKey: return nil
    case .inverseForeignKey(let name, let column, _, let place):
      (table, owner, target, order) = (name, column, "Z_PK", place)
    case .joinTable(let join, let this, let other, let place):
      (table, owner, target, order) = (join.name, this, other, place)
    }
    let key = "l.\(owner.quotedIdentifier)"
    let other = "l.\(target.quotedIdentifier)"
    guard let condition = isThere(other, root: root(of: relationship)) else { return nil }
    let places = order.map { "l.\($0.quotedIdentifier), " } ?? ""
    let statement = try prepare(
      "SELECT \(key), \(other) FROM \(table.quotedIdentifier) AS l "
        + "JOIN \(stored.tableName.quotedIdentifier) AS o ON o.Z_PK = \(key) "
        + "WHERE o.Z_ENT = \(stored.number) AND \(keys.condition(key)) AND \(condition) "
        + "ORDER BY \(keys.order(key)), \(places)\(other)")
    return LinkCursor(objects: self, statement)
  }
}

/// A cursor over the links of one relationship, by owner. Not shared between threads.
package final class LinkCursor {
  private let objects: StoredObjects
  private let statement: Statement
  private var isAtRow = false
  private var isAtEnd = false

  init(objects: StoredObjects, _ statement: Statement) {
    self.objects = objects
    self.statement = statement
  }

  /// Calls `body` with each target of an owner. Does nothing if the next owner of the cursor is
  /// another.
  ///
  /// Owners must be passed in the order of the cursor, each once.
  package func forEach(of owner: Int64, _ body: (Int64) throws -> Void) throws {
    while try isAtRow || advance(), statement.integer(at: 0) == owner {
      try body(statement.integer(at: 1))
      isAtRow = false
    }
  }

  /// Skips the targets of an owner.
  package func skip(_ owner: Int64) throws { try forEach(of: owner) { _ in } }

  private func advance() throws -> Bool {
    if isAtEnd { return false }
    isAtRow = try objects.step(statement)
    isAtEnd = !isAtRow
    return isAtRow
  }
}
