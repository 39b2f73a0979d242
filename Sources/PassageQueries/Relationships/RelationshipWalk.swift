package import PassageModels
internal import PassageSQLite
package import PassageStores

/// A path along relationships through the tables of a store, as joins. Every query that follows a
/// relationship uses it.
package struct RelationshipWalk {
  package let layout: StoreLayout
  /// The prefix of each table's name: a schema and a dot, or nothing.
  private let prefix: String
  /// The tables that replace indexes that the store does not have.
  private let links: LinkTables
  /// The alias of the row that was reached.
  package private(set) var row: String
  /// The entity that was reached.
  package private(set) var entity: EntityLayout
  /// The steps so far.
  package private(set) var steps: [Step] = []

  /// One relationship of the path.
  package struct Step {
    /// A table and the condition that leads to its rows.
    package struct Join {
      package let table: String
      package let condition: String
    }

    /// The tables of the step; the related objects' table is the last.
    package let joins: [Join]
    /// The cell of the first table that contains the owner's key; `nil` for a to-one relationship,
    /// whose link is in the owner's own row.
    package let ownerKey: String?
    /// The related object's key.
    package let key: String
    /// The related object's place among those of its owner; `nil` without an order.
    package let place: String?
    /// The owner's place among those of the related object; `nil` without an order.
    package let ownerPlace: String?
  }

  /// Begins at a row.
  ///
  /// - Parameters:
  ///   - row: the row's alias in the query.
  ///   - schema: the schema under which the store is attached; empty on the store's own connection.
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

  /// The table of the entity that was reached, with the alias of its row.
  package var table: String { named(entity.tableName, row) }

  private func named(_ table: String, _ row: String) -> String {
    "\(prefix)\(table.quotedIdentifier) AS \(row)"
  }

  /// Follows a relationship.
  ///
  /// - Parameter next: the alias of the related object's row.
  /// - Returns: `false` when the relationship is not stored.
  package mutating func follow(_ relationship: Relationship, as next: String) -> Bool {
    guard let stored = LinkRows(ofRelationship: relationship.name, of: entity),
      let destination = layout.entity(named: relationship.destinationEntityName)
    else { return false }
    let key = "\(next).\"Z_PK\""
    let own = "\(row).\"Z_PK\""
    let pair = next + "l"
    // The rows that hold the links of a to-many relationship may be in a table above the
    // destination entity's.
    let target = named(stored.row == .related ? stored.table : destination.tableName, next)
    func place(_ row: String, _ column: String?) -> String? {
      column.map { LinkNumber.value(of: "\(row).\($0.quotedIdentifier)") }
    }
    let step: Step
    if stored.row == .owner {
      let pointer = "\(row).\(stored.related.quotedIdentifier)"
      step = Step(
        joins: [Step.Join(table: target, condition: "\(key) = \(pointer)")], ownerKey: nil,
        key: key, place: nil, ownerPlace: place(row, stored.ownerPlace))
    } else if let substitute = links.table(stored.table, stored.owner) {
      step = Step(
        joins: [
          Step.Join(table: "\(substitute) AS \(pair)", condition: "\(pair).k = \(own)"),
          Step.Join(table: target, condition: "\(key) = \(pair).key"),
        ], ownerKey: "\(pair).k", key: key,
        place: stored.row == .pair
          ? stored.place.map { _ in "\(pair).place" } : place(next, stored.place),
        ownerPlace: nil)
    } else if stored.row == .related {
      let pointer = "\(next).\(stored.owner.quotedIdentifier)"
      step = Step(
        joins: [Step.Join(table: target, condition: "\(pointer) = \(own)")], ownerKey: pointer,
        key: key, place: place(next, stored.place), ownerPlace: nil)
    } else {
      let pointer = "\(pair).\(stored.owner.quotedIdentifier)"
      step = Step(
        joins: [
          Step.Join(table: named(stored.table, pair), condition: "\(pointer) = \(own)"),
          Step.Join(
            table: target, condition: "\(key) = \(pair).\(stored.related.quotedIdentifier)"),
        ], ownerKey: pointer, key: key, place: place(pair, stored.place),
        ownerPlace: place(pair, stored.ownerPlace))
    }
    steps.append(step)
    row = next
    entity = destination
    return true
  }

  /// Follows several relationships.
  ///
  /// - Parameter prefix: the prefix of the rows' aliases; a number follows.
  package mutating func follow(_ path: [Relationship], rows prefix: String = "p") -> Bool {
    for (position, relationship) in path.enumerated() {
      guard follow(relationship, as: "\(prefix)\(position + 1)") else { return false }
    }
    return true
  }

  /// The joins of all steps, with a leading space.
  ///
  /// - Parameter kind: `JOIN`, or `LEFT JOIN` to keep rows without related objects.
  package func joins(_ kind: String = "JOIN") -> String {
    steps.flatMap(\.joins).map { " \(kind) \($0.table) ON \($0.condition)" }.joined()
  }

  /// The inner joins of all steps, with a leading space, for a query over all links of a relationship.
  ///
  /// Where related objects hold the links of a path of one relationship, their rows are read, and not an index:
  /// with that of a damaged store, SQLite would look up some links and not find others. What a query begins with
  /// must be read in the same way. Pairs of a join table are read by its key, in whose order they are given.
  package var joinsByTable: String {
    guard steps.count == 1, let join = steps[0].joins.first, steps[0].joins.count == 1,
      steps[0].ownerKey != nil
    else { return joins() }
    return " JOIN \(join.table) NOT INDEXED ON \(join.condition)"
  }

  /// The reached object's place among those of its owner; its key when there is no order.
  package var place: String { steps.last.map { $0.place ?? $0.key } ?? "\(row).\"Z_PK\"" }

  /// The last owner's place among those of the reached object; `nil` when there is no order.
  package var ownerPlace: String? { steps.compactMap(\.ownerPlace).last }
}
