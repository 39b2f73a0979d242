internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

extension RecordGraph {
  /// Writes the objects and their links into the staged store, in the order of their keys.
  ///
  /// - Complexity: O(n log n) in the records and links; memory does not grow with them.
  func write() throws {
    try store.writing {
      try connection.execute(
        "CREATE INDEX \(RecordSchema.name).record_key ON record (entity, rejected, key)")
      for facts in schema.entities where hasCells(facts.entity.name) { try writeObjects(facts) }
      try writeLinks()
    }
  }

  private func writeObjects(_ facts: EntityFacts) throws {
    let name = RecordSchema.name
    let entity = facts.entity.name
    guard let stored = store.layout.entity(named: entity),
      let number = schema.number(ofEntity: entity)
    else { return }
    var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    var cells = ["r.key", "\(stored.number)", "1"]
    for (index, attribute) in attributes(of: facts).enumerated() {
      guard let column = stored.columnName(ofAttribute: attribute) else { continue }
      columns.append(column)
      cells.append("c.c\(index)")
    }
    for relationship in facts.relationships.keys.sorted() {
      guard case .foreignKey(let column, _, _)? = stored.storage(ofRelationship: relationship),
        let link = schema.number(of: relationship, entity)
      else { continue }
      columns.append(column)
      cells.append(
        "(SELECT t.key FROM \(name).link AS l JOIN \(name).record AS t ON t.number = l.target "
          + "WHERE l.number = r.number AND l.relation = \(link) LIMIT 1)")
    }
    try connection.execute(
      "INSERT INTO main.\(stored.tableName.quotedIdentifier) "
        + "(\(columns.map(\.quotedIdentifier).joined(separator: ", "))) "
        + "SELECT \(cells.joined(separator: ", ")) FROM \(name).record AS r "
        + "INDEXED BY record_key CROSS JOIN \(name).\(cellTable(entity)) AS c "
        + "WHERE r.entity = \(number) AND r.rejected = 0 AND c.number = r.number ORDER BY r.key")
  }

  /// Writes the links that are not columns of their owner, by relationship and owner, then in their
  /// order.
  private func writeLinks() throws {
    let name = RecordSchema.name
    let written = schema.links.filter(\.hasRows)
    if written.isEmpty { return }
    var (last, position): (key: [Int64], position: Int64) = ([], 0)
    try forEach(
      """
      SELECT l.relation, o.key, t.key FROM \(name).link AS l
      JOIN \(name).record AS o ON o.number = l.number AND o.rejected = 0
      JOIN \(name).record AS t ON t.number = l.target
      WHERE l.relation IN (\(written.map { "\($0.number)" }.joined(separator: ", ")))
      ORDER BY l.relation, o.key, l.derived, CASE WHEN l.derived THEN t.key ELSE l.id END, l.target
      """
    ) { row in
      let (relation, owner, target) = (row.integer(at: 0), row.integer(at: 1), row.integer(at: 2))
      position = last == [relation, owner] ? position + 1 : 0
      last = [relation, owner]
      let link = schema.links[Int(relation)]
      try store.link(
        link.relationship.name, of: link.entity.entity.name, from: owner, to: target,
        position: link.relationship.isOrdered ? position : nil)
    }
  }
}
