package import PassageModels
internal import PassageSQLite
package import PassageStores

/// The way along relationships through the tables of a store, as joins. Every query that follows a
/// relationship is made of it.
package struct RelationshipWalk {
  package let layout: StoreLayout
  /// What is before the name of each table: a schema and a dot, or nothing.
  private let prefix: String
  /// The tables that stand for indexes that the store has not.
  private let links: LinkTables
  /// The row that was reached, by its name in the query.
  package private(set) var row: String
  /// The entity that was reached.
  package private(set) var entity: EntityLayout
  /// The steps so far.
  package private(set) var steps: [Step] = []

  /// One relationship.
  package struct Step {
    /// A table and the condition that leads to its rows.
    package struct Join {
      package let table: String
      package let condition: String
    }

    /// The tables it leads through, the related objects' last.
    package let joins: [Join]
    /// The cell of the first table that holds the owner's key; `nil` for a to-one relationship, whose owner's
    /// own row holds the link.
    package let ownerKey: String?
    /// The related object's key.
    package let key: String
    /// The related object's place among those of its owner, where they are ordered.
    package let place: String?
    /// The owner's place among those of the related object, where they are ordered.
    package let ownerPlace: String?
  }

  /// Begins at a row.
  ///
  /// - Parameters:
  ///   - row: its name in the query.
  ///   - schema: the schema the store is attached under; empty on a connection of its own.
  package init(
    from entity: EntityLayout, row: String, layout: StoreLayout, schema: String,
    links: LinkTables = LinkTables()
  ) {
    self.layout = layout
    self.entity = entity
    self.row = row
    self.links = links
    prefix = schema.isEmpty ? "" : schema.quotedIdentifier + "."
  }

  /// The table of the entity that was reached, by the name of its row.
  package var table: String { named(entity.tableName, row) }

  private func named(_ table: String, _ row: String) -> String {
    "\(prefix)\(table.quotedIdentifier) AS \(row)"
  }

  /// Goes along a relationship.
  ///
  /// - Parameter next: the name of the related object's row.
  /// - Returns: `false` when it is stored nowhere.
  package mutating func follow(_ relationship: Relationship, as next: String) -> Bool {
    guard let stored = LinkRows(ofRelationship: relationship.name, of: entity),
      let destination = layout.entity(named: relationship.destinationEntityName)
    else { return false }
    let key = "\(next).\"Z_PK\""
    let own = "\(row).\"Z_PK\""
    let pair = next + "l"
    // The rows that hold a to-many relationship's links may be those of a table above its own.
    let target = named(stored.row == .related ? stored.table : destination.tableName, next)
    func cell(_ row: String, _ column: String?) -> String? {
      column.map { "\(row).\($0.quotedIdentifier)" }
    }
    let step: Step
    if stored.row == .owner {
      let pointer = "\(row).\(stored.related.quotedIdentifier)"
      step = Step(
        joins: [Step.Join(table: target, condition: "\(key) = \(pointer)")], ownerKey: nil,
        key: key, place: nil, ownerPlace: cell(row, stored.ownerPlace))
    } else if let substitute = links.table(stored.table, stored.owner) {
      step = Step(
        joins: [
          Step.Join(table: "\(substitute) AS \(pair)", condition: "\(pair).k = \(own)"),
          Step.Join(table: target, condition: "\(key) = \(pair).key"),
        ], ownerKey: "\(pair).k", key: key,
        place: stored.row == .pair
          ? stored.place.map { _ in "\(pair).place" } : cell(next, stored.place),
        ownerPlace: nil)
    } else if stored.row == .related {
      let pointer = "\(next).\(stored.owner.quotedIdentifier)"
      step = Step(
        joins: [Step.Join(table: target, condition: "\(pointer) = \(own)")], ownerKey: pointer,
        key: key, place: cell(next, stored.place), ownerPlace: nil)
    } else {
      let pointer = "\(pair).\(stored.owner.quotedIdentifier)"
      step = Step(
        joins: [
          Step.Join(table: named(stored.table, pair), condition: "\(pointer) = \(own)"),
          Step.Join(
            table: target, condition: "\(key) = \(pair).\(stored.related.quotedIdentifier)"),
        ], ownerKey: pointer, key: key, place: cell(pair, stored.place),
        ownerPlace: cell(pair, stored.ownerPlace))
    }
    steps.append(step)
    row = next
    entity = destination
    return true
  }

  /// Goes along several relationships.
  ///
  /// - Parameter prefix: what the names of the rows begin with; a number follows.
  package mutating func follow(_ path: [Relationship], rows prefix: String = "p") -> Bool {
    for (position, relationship) in path.enumerated() {
      guard follow(relationship, as: "\(prefix)\(position + 1)") else { return false }
    }
    return true
  }

  /// The joins of all steps, beginning with a space.
  ///
  /// - Parameter kind: `JOIN`, or `LEFT JOIN` where a row without related objects stays.
  package func joins(_ kind: String = "JOIN") -> String {
    steps.flatMap(\.joins).map { " \(kind) \($0.table) ON \($0.condition)" }.joined()
  }

  /// The reached object's place among those of its owner; its key where there is no order.
  package var place: String { steps.last.map { $0.place ?? $0.key } ?? "\(row).\"Z_PK\"" }

  /// The last owner's place among those of the reached object, `nil` where there is no order.
  package var ownerPlace: String? { steps.compactMap(\.ownerPlace).last }
}
