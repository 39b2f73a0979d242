package import PassageExpressions
package import PassageModels
internal import PassageSQLite
package import PassageStores

extension RelatedRows {
  /// The rows of related objects in a store with the given layout.
  ///
  /// The first table is the one that contains the start key of the relationship, so that its index
  /// on that key leads to the rows.
  ///
  /// - Parameters:
  ///   - schema: the schema under which the store is attached; empty on the store's own connection.
  ///   - links: the tables that replace indexes that the store does not have.
  ///   - alias: the alias of the related object's row, and the prefix of all other aliases.
  /// - Returns: `nil` when a relationship is not stored.
  package init?(
    _ related: RelatedObjects, model: Model, layout: StoreLayout, schema: String,
    links: LinkTables, alias: String
  ) {
    guard let start = layout.entity(named: related.startEntityName),
      let destination = model.entity(named: related.entityName), !related.relationships.isEmpty
    else { return nil }
    var walk = RelationshipWalk(
      from: start, row: "", layout: layout, schema: schema, links: links)
    var levels = ReachedKeys(alias: alias)
    for (position, relationship) in related.relationships.enumerated() {
      let isLast = position == related.relationships.count - 1
      let before = walk
      guard
        walk.follow(relationship, as: isLast ? alias : "\(alias)p\(position + 1)"),
        let step = walk.steps.last
      else { return nil }
      levels.add(step, from: before)
    }
    // The walk begins at a key, so the query does not contain the first owner's row.
    guard let first = walk.steps.first, let startKey = first.ownerKey, let last = walk.steps.last
    else { return nil }
    var cells = RelatedCells(
      model: model, layout: layout, schema: schema, alias: alias, tableCount: walk.tableCount)
    let columns = related.keyPaths.map { cells.cell($0, of: destination) }
    let rest = first.joins.dropFirst() + walk.steps.dropFirst().flatMap(\.joins)
    self.init(
      from: first.joins[0].table + rest.map { " JOIN \($0.table) ON \($0.condition)" }.joined()
        + cells.joins,
      startKey: startKey, key: last.key, cells: columns,
      order: (related.isOrdered ? [last.place].compactMap(\.self) : []) + [last.key],
      once: levels.once(table: last.joins[last.joins.count - 1].table + cells.joins, key: last.key))
  }
}

/// The keys that relationships lead to from one key, each once, however many paths lead to it.
/// There is one query for each relationship, side by side, because SQLite limits how deeply queries
/// may be nested. The joins are executed in the order in which they are written
/// (https://www.sqlite.org/optoverview.html#crossjoin).
private struct ReachedKeys {
  let alias: String
  private var queries: [String] = []

  init(alias: String) { self.alias = alias }

  /// The name of the last query.
  private var level: String { "\(alias)l\(queries.count)" }

  /// Adds the keys that a step leads to from the previous ones. The first step begins at the start
  /// key, which is appended to its query.
  mutating func add(_ step: RelationshipWalk.Step, from walk: RelationshipWalk) {
    guard !queries.isEmpty else {
      let tables = Self.crossed(
        [step.joins[0].table] + step.joins.dropFirst().map { "\($0.table) ON \($0.condition)" })
      queries.append("SELECT \(step.key) FROM \(tables) WHERE \(step.ownerKey ?? step.key) = ")
      return
    }
    var tables = [level]
    if let ownerKey = step.ownerKey {
      tables.append("\(step.joins[0].table) ON \(ownerKey) = \(level).k")
      tables += step.joins.dropFirst().map { "\($0.table) ON \($0.condition)" }
    } else {
      tables.append("\(walk.table) ON \(walk.row).\"Z_PK\" = \(level).k")
      tables += step.joins.map { "\($0.table) ON \($0.condition)" }
    }
    queries.append("SELECT DISTINCT \(step.key) FROM \(Self.crossed(tables))")
  }

  private static func crossed(_ tables: [String]) -> String {
    tables.joined(separator: " CROSS JOIN ")
  }

  /// The last row alone, with the condition that it is reached; `nil` when there is only one
  /// relationship.
  func once(table: String, key: String) -> RelatedRows.Once? {
    guard queries.count > 1 else { return nil }
    let named = queries.enumerated().map { "\(alias)l\($0 + 1)(k) AS (\($1)" }
    return RelatedRows.Once(
      from: table, before: "\(key) IN (WITH \(named[0])",
      after: ")" + named.dropFirst().map { ", \($0))" }.joined() + " SELECT k FROM \(level))")
  }
}

/// The cells of a related object and of the objects that its to-one relationships lead to. They are
/// left joins, so that an object without a related object stays in the result. When SQLite takes no
/// more joins, a cell is a query of its own.
private struct RelatedCells {
  let model: Model
  let layout: StoreLayout
  let schema: String
  let alias: String
  private(set) var joins = ""
  private var joined: [[String]: String] = [:]
  /// The number of tables that the query has.
  private var tableCount: Int

  init(model: Model, layout: StoreLayout, schema: String, alias: String, tableCount: Int) {
    self.tableCount = tableCount
    self.model = model
    self.layout = layout
    self.schema = schema
    self.alias = alias
  }

  mutating func cell(_ path: ResolvedKeyPath, of start: Entity) -> String {
    var entity = start
    var row = alias
    var walked: [String] = []
    for (position, relationship) in path.relationships.enumerated() {
      walked.append(relationship.name)
      let known = joined[walked]
      let name = known ?? "\(alias)t\(joined.count + 1)"
      guard !relationship.isToMany, let from = layout.entity(named: entity.name),
        let next = model.entity(named: relationship.destinationEntityName)
      else { return "NULL" }
      var walk = RelationshipWalk(from: from, row: row, layout: layout, schema: schema)
      guard walk.follow(relationship, as: name) else { return "NULL" }
      if known == nil {
        guard tableCount + walk.tableCount <= RelationshipWalk.maximumTables else {
          return RelationshipWalk.query(
            of: path.leaf, at: path.relationships[position...], from: from, row: row,
            layout: layout, schema: schema)
        }
        tableCount += walk.tableCount
        joined[walked] = name
        joins += walk.joins("LEFT JOIN")
      }
      (row, entity) = (name, next)
    }
    return layout.entity(named: entity.name)?.column(of: path.leaf, in: row) ?? "NULL"
  }
}

extension EntityLayout {
  /// The SQL of a cell in a row of the entity's table; `nil` for what is not stored in the table.
  func column(of leaf: ResolvedKeyPath.Leaf, in row: String) -> String? {
    switch leaf {
    case .object: return "\(row).\"Z_PK\""
    case .attribute(let attribute):
      return columnName(ofAttribute: attribute.name).map { "\(row).\($0.quotedIdentifier)" }
    case .relationship(let relationship):
      guard case .foreignKey(let column, _, _)? = storage(ofRelationship: relationship.name) else {
        return nil
      }
      return "\(row).\(column.quotedIdentifier)"
    }
  }
}
