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
  ///   - alias: what the names of the tables begin with; the related object's row has it as it is.
  /// - Returns: `nil` when a relationship is stored nowhere.
  package init?(
    _ related: RelatedObjects, model: Model, layout: StoreLayout, schema: String, alias: String
  ) {
    var walk = RelatedWalk(
      model: model, layout: layout, schema: schema.isEmpty ? "" : schema.quotedIdentifier + ".",
      alias: alias)
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
      from: walk.from, startKey: startKey, key: key, cells: cells,
      order: (related.isOrdered ? walk.order : []) + [key])
  }
}

/// The joins that lead along relationships from a key, and to the to-one relationships of the row
/// they end in.
private struct RelatedWalk {
  let model: Model
  let layout: StoreLayout
  let schema: String
  let alias: String
  var from = ""
  var startKey: String?
  var order: [String] = []
  private var row = ""
  private var joined: [[String]: String] = [:]

  init(model: Model, layout: StoreLayout, schema: String, alias: String) {
    self.model = model
    self.layout = layout
    self.schema = schema
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
    switch storage {
    case .foreignKey(let column, _, _):
      guard !isFirst else { return nil }
      from +=
        " JOIN \(table(destination.tableName, as: next))"
        + " ON \(next).\"Z_PK\" = \(row).\(column.quotedIdentifier)"
      order = []
    case .inverseForeignKey(let holder, let column, _, let place):
      add(table(holder, as: next), key: "\(next).\(column.quotedIdentifier)", isFirst)
      order = place.map { ["\(next).\($0.quotedIdentifier)"] } ?? []
    case .joinTable(let joinTable, let this, let other, let place):
      let pair = next + "j"
      add(table(joinTable.name, as: pair), key: "\(pair).\(this.quotedIdentifier)", isFirst)
      from +=
        " JOIN \(table(destination.tableName, as: next))"
        + " ON \(next).\"Z_PK\" = \(pair).\(other.quotedIdentifier)"
      order = place.map { ["\(pair).\($0.quotedIdentifier)"] } ?? []
    }
    row = next
    return destination
  }

  private mutating func add(_ table: String, key: String, _ isFirst: Bool) {
    if isFirst {
      from = table
      startKey = key
    } else {
      from += " JOIN \(table) ON \(key) = \(row).\"Z_PK\""
    }
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
        from +=
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
