package import PassageExpressions
package import PassageModels
internal import PassageSQLite
package import PassageStores

extension RelatedRows {
  /// The rows of related objects in a store of a layout.
  ///
  /// The first table is the one with the key that the relationship starts from, so that its index
  /// of that key leads to the rows.
  ///
  /// - Parameters:
  ///   - schema: the schema the store is attached under; empty on a connection of its own.
  ///   - links: the tables that stand for indexes that the store has not.
  ///   - alias: what the names of the tables begin with; the related object's row has it as it is.
  /// - Returns: `nil` when a relationship is stored nowhere.
  package init?(
    _ related: RelatedObjects, model: Model, layout: StoreLayout, schema: String,
    links: LinkTables, alias: String
  ) {
    var walk = RelatedWalk(
      model: model, layout: layout, schema: schema.isEmpty ? "" : schema.quotedIdentifier + ".",
      links: links, alias: alias)
    guard var entity = layout.entity(named: related.startEntityName) else { return nil }
    for (position, relationship) in related.relationships.enumerated() {
      let isLast = position == related.relationships.count - 1
      guard
        let next = walk.follow(
          relationship, of: entity, as: isLast ? alias : "\(alias)p\(position + 1)")
      else { return nil }
      entity = next
    }
    guard let startKey = walk.startKey, let destination = model.entity(named: related.entityName)
    else { return nil }
    let key = "\(alias).\"Z_PK\""
    let cells = related.keyPaths.map { walk.cell($0, of: destination, alias) }
    self.init(
      from: walk.from + walk.cellJoins, startKey: startKey, key: key, cells: cells,
      order: (related.isOrdered ? walk.order : []) + [key], once: walk.once(key))
  }
}

/// The joins that lead along relationships from a key, and to the to-one relationships of the row
/// they end in.
private struct RelatedWalk {
  let model: Model
  let layout: StoreLayout
  let schema: String
  let links: LinkTables
  let alias: String
  var from = ""
  /// The joins of what the last row points to.
  var cellJoins = ""
  var startKey: String?
  var order: [String] = []
  /// A query for the keys that each relationship leads to from those before it, the first one up to the
  /// key of the start.
  private var levels: [String] = []
  private var row = ""
  private var rowTable = ""
  private var joined: [[String]: String] = [:]

  init(model: Model, layout: StoreLayout, schema: String, links: LinkTables, alias: String) {
    self.model = model
    self.layout = layout
    self.schema = schema
    self.links = links
    self.alias = alias
  }

  private func table(_ name: String, as row: String) -> String {
    "\(schema)\(name.quotedIdentifier) AS \(row)"
  }

  /// Adds one relationship; `nil` when it is stored nowhere.
  mutating func follow(
    _ relationship: Relationship, of entity: EntityLayout, as next: String
  ) -> EntityLayout? {
    guard let storage = entity.storage(ofRelationship: relationship.name),
      let destination = layout.entity(named: relationship.destinationEntityName)
    else { return nil }
    let isFirst = startKey == nil
    let key = "\(next).\"Z_PK\""
    let nextTable: String
    switch storage {
    case .foreignKey(let column, _, _):
      guard !isFirst else { return nil }
      nextTable = table(destination.tableName, as: next)
      let pointer = "\(row).\(column.quotedIdentifier)"
      from += " JOIN \(nextTable) ON \(key) = \(pointer)"
      addLevel(
        key, ["\(rowTable) ON \(row).\"Z_PK\" = \(level).k", "\(nextTable) ON \(key) = \(pointer)"])
      order = []
    case .inverseForeignKey(let holder, let column, _, let place):
      nextTable = table(holder, as: next)
      if let links = links.table(holder, column) {
        follow(
          nextTable, key, through: "\(links) AS \(next)l", "\(next)l.k", "\(next)l.key", isFirst)
      } else {
        let pointer = "\(next).\(column.quotedIdentifier)"
        add(nextTable, key: pointer, isFirst)
        if isFirst {
          levels = ["SELECT \(key) FROM \(nextTable) WHERE \(pointer) = "]
        } else {
          addLevel(key, ["\(nextTable) ON \(pointer) = \(level).k"])
        }
      }
      order = place.map { ["\(next).\($0.quotedIdentifier)"] } ?? []
    case .joinTable(let joinTable, let this, let other, let place):
      let pair = next + "j"
      nextTable = table(destination.tableName, as: next)
      if let links = links.table(joinTable.name, this) {
        follow(
          nextTable, key, through: "\(links) AS \(pair)", "\(pair).k", "\(pair).key", isFirst)
        order = place == nil ? [] : ["\(pair).place"]
      } else {
        follow(
          nextTable, key, through: table(joinTable.name, as: pair),
          "\(pair).\(this.quotedIdentifier)", "\(pair).\(other.quotedIdentifier)", isFirst)
        order = place.map { ["\(pair).\($0.quotedIdentifier)"] } ?? []
      }
    }
    row = next
    rowTable = nextTable
    return destination
  }

  /// Goes to the next row through a table of pairs of keys.
  private mutating func follow(
    _ next: String, _ key: String, through pairs: String, _ this: String, _ other: String,
    _ isFirst: Bool
  ) {
    add(pairs, key: this, isFirst)
    from += " JOIN \(next) ON \(key) = \(other)"
    let join = "\(next) ON \(key) = \(other)"
    if isFirst {
      levels = ["SELECT \(key) FROM \(pairs) CROSS JOIN \(join) WHERE \(this) = "]
    } else {
      addLevel(key, ["\(pairs) ON \(this) = \(level).k", join])
    }
  }

  private mutating func add(_ table: String, key: String, _ isFirst: Bool) {
    if isFirst {
      from = table
      startKey = key
    } else {
      from += " JOIN \(table) ON \(key) = \(row).\"Z_PK\""
    }
  }

  // MARK: Each object once

  /// The name of the last level.
  private var level: String { "\(alias)l\(levels.count)" }

  /// The keys that are reached from those of the last level, each of them once. The joins are made in
  /// the order in which they stand (https://www.sqlite.org/optoverview.html#crossjoin).
  private mutating func addLevel(_ key: String, _ joins: [String]) {
    levels.append(
      "SELECT DISTINCT \(key) FROM \(level)" + joins.map { " CROSS JOIN \($0)" }.joined())
  }

  /// The last row by itself, and the condition that it is reached: one query for each relationship, side
  /// by side, because SQLite reads only so many that stand in each other.
  func once(_ key: String) -> RelatedRows.Once? {
    guard levels.count > 1 else { return nil }
    let queries = levels.enumerated().map { "\(alias)l\($0 + 1)(k) AS (\($1)" }
    return RelatedRows.Once(
      from: rowTable + cellJoins, before: "\(key) IN (WITH \(queries[0])",
      after: ")" + queries.dropFirst().map { ", \($0))" }.joined() + " SELECT k FROM \(level))")
  }

  /// The column of a cell, with the joins it needs: on the left, so that an object without the
  /// relationship stays.
  mutating func cell(_ path: ResolvedKeyPath, of start: Entity, _ first: String) -> String {
    var entity = start
    var row = first
    var walked: [String] = []
    for relationship in path.relationships {
      walked.append(relationship.name)
      guard
        case .foreignKey(let column, _, _)? = layout.entity(named: entity.name)?
          .storage(ofRelationship: relationship.name),
        let next = model.entity(named: relationship.destinationEntityName),
        let table = layout.entity(named: next.name)?.tableName
      else { return "NULL" }
      let known = joined[walked]
      let name = known ?? "\(alias)t\(joined.count + 1)"
      if known == nil {
        joined[walked] = name
        cellJoins +=
          " LEFT JOIN \(self.table(table, as: name))"
          + " ON \(name).\"Z_PK\" = \(row).\(column.quotedIdentifier)"
      }
      (row, entity) = (name, next)
    }
    return layout.entity(named: entity.name)?.column(of: path.leaf, in: row) ?? "NULL"
  }
}

extension EntityLayout {
  /// The SQL of a cell in a row of the entity's table; `nil` for what the table does not hold.
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
