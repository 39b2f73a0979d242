package import PassageExpressions
package import PassageModels
internal import PassageSQLite
package import PassageStores

/// The FROM clause over a source entity and its to-one key paths, and the SQL of every cell in it.
///
/// The entity's table is `s`. Each to-one relationship that a key path follows is joined once, with
/// a left join, so that an object without a related object stays in the result. When SQLite takes no
/// more joins, a cell is a query of its own.
package struct SourceQuery {
  package let model: Model
  package let layout: StoreLayout
  package let entity: Entity
  package let entityLayout: EntityLayout
  /// The schema under which the source is attached; empty on the source's own connection.
  private let schemaName: String
  /// The tables that replace indexes that the store does not have.
  package var links = LinkTables()
  private var joins: [(path: [String], alias: String, entity: Entity, clause: String)] = []
  /// The number of tables of the clause.
  private var tableCount = 1

  package init(
    model: Model, layout: StoreLayout, entity: Entity, entityLayout: EntityLayout, schema: String
  ) {
    self.model = model
    self.layout = layout
    self.entity = entity
    self.entityLayout = entityLayout
    schemaName = schema
  }

  /// The FROM clause with all joins so far. It uses only the table's own key order, because an
  /// index of a damaged store may be stale.
  package var fromClause: String { clause(" NOT INDEXED") }

  /// The FROM clause for a query on whose result no migration is based: indexes may be used.
  package var indexedFromClause: String { clause("") }

  private func clause(_ indexing: String) -> String {
    "FROM \(entityLayout.table(inSchema: schemaName)) AS s\(indexing)"
      + joins.map(\.clause).joined()
  }

  /// The condition that selects the entity's own objects, without those of its subentities.
  package var entityCondition: String { entityLayout.isOwn("s") }

  /// The SQL of a cell.
  package mutating func column(_ keyPath: ResolvedKeyPath) -> String {
    let (alias, entity, rest) = alias(of: keyPath.relationships)
    guard let from = layout.entity(named: entity.name) else { return "NULL" }
    if rest.isEmpty { return from.column(of: keyPath.leaf, in: alias) ?? "NULL" }
    return RelationshipWalk.query(
      of: keyPath.leaf, at: rest, from: from, row: alias, layout: layout, schema: schemaName)
  }

  /// The rows of the objects that a to-many relationship leads to.
  package func related(_ related: RelatedObjects, alias: String) -> RelatedRows? {
    RelatedRows(
      related, model: model, layout: layout, schema: schemaName, links: links, alias: alias)
  }

  /// The row to which relationships lead, and those that are not joined because there is no room.
  private mutating func alias(
    of path: [Relationship]
  ) -> (alias: String, entity: Entity, rest: ArraySlice<Relationship>) {
    var alias = "s"
    var entity = entity
    var walked: [String] = []
    for (position, step) in path.enumerated() {
      walked.append(step.name)
      if let known = joins.first(where: { $0.path == walked }) {
        (alias, entity) = (known.alias, known.entity)
        continue
      }
      let joined = "j\(joins.count + 1)"
      guard let next = model.entity(named: step.destinationEntityName),
        let from = layout.entity(named: entity.name)
      else { return (alias, entity, []) }
      var walk = RelationshipWalk(from: from, row: alias, layout: layout, schema: schemaName)
      guard !step.isToMany, walk.follow(step, as: joined) else { return (alias, entity, []) }
      guard tableCount + walk.tableCount <= RelationshipWalk.maximumTables else {
        return (alias, entity, path[position...])
      }
      tableCount += walk.tableCount
      joins.append(
        (path: walked, alias: joined, entity: next, clause: walk.joins("LEFT JOIN")))
      (alias, entity) = (joined, next)
    }
    return (alias, entity, [])
  }
}
