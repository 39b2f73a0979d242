internal import PassageExpressions
internal import PassageModels
internal import PassagePages
internal import PassagePlanning
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Counts the values that a step does not keep.
extension UnreadValues {
  /// Counts the values of the objects that are migrated, on a connection of the step's source.
  ///
  /// If a filter does not translate to SQL, or can fail, or if SQLite compares the store's values otherwise
  /// than the engine, the values of all the entity's objects are counted.
  ///
  /// - Parameter pages: counts in the pages of the source; `nil` when SQLite counts.
  /// - Returns: the properties that have values.
  /// - Complexity: one scan of each table that has an unread property.
  func counted(
    _ connection: Connection, layout: StoreLayout, pages: PageCount?, lanes: LaneChoice, now: Double
  ) throws -> [Item] {
    var items: [Item] = []
    let counted = pages.map { countedInPages($0, layout) } ?? [:]
    if parts.contains(where: { !$0.filters.isEmpty }) {
      try connection.registerExpressionFunctions(policies.functions)
    }
    for (number, part) in parts.enumerated() {
      guard let entityLayout = layout.entity(named: part.entity.name) else { continue }
      var query = SourceQuery(
        model: step.source, layout: layout, entity: part.entity, entityLayout: entityLayout,
        schema: "")
      query.links = try LinkTables(
        for: part.filters.flatMap(\.relatedObjects), layout: layout, schema: "",
        connection: connection)
      let filter = filter(part, &query, lanes, now)
      let condition = query.entityCondition + (filter.map { " AND (\($0.sql))" } ?? "")
      let from = query.fromClause
      for relationship in part.relationships {
        guard let stored = LinkRows(ofRelationship: relationship.name, of: entityLayout),
          stored.row != .owner
        else { continue }
        // The links of a join table are counted once, on the side that its first column belongs to.
        let isFirst = stored.row == .pair && isFirstSide(relationship, of: entityLayout)
        guard isFirst || !isToldFromOtherSide(relationship) else { continue }
        let count = try connection.integer(
          "SELECT count(*) \(from) JOIN \(stored.table.quotedIdentifier) AS l "
            + "ON l.\(stored.owner.quotedIdentifier) = s.\"Z_PK\" WHERE \(condition)",
          filter?.bindings ?? [])
        if count > 0 { items.append(item(part, relationship.name, count)) }
      }
      let columns = ownColumns(of: part, entityLayout)
      let counts =
        try counted[number]
        ?? Self.count(
          columns, "\(from) WHERE \(condition)", filter?.bindings ?? [], on: connection)
      for (column, count) in zip(columns, counts) where count > 0 {
        items.append(item(part, column.property, count, column.reason))
      }
    }
    return items
  }

  private static func count(
    _ columns: [OwnColumn], _ source: String, _ bindings: [Value], on connection: Connection
  ) throws -> [Int64] {
    // SQLite gives a row at most 2,000 columns.
    try stride(from: 0, to: columns.count, by: 500).flatMap { start in
      let some = columns[start..<min(start + 500, columns.count)]
      let row = try connection.rows(
        "SELECT \(some.map(\.sql).joined(separator: ", ")) \(source)", bindings
      ).first
      return some.indices.map { row?[$0 - start].integer ?? 0 }
    }
  }

  /// What is counted in the rows of an entity's own table.
  private struct OwnColumn {
    let property: String
    let column: String
    let test: ValueTest
    let reason: ValueLoss.Reason
    /// The SQL that counts it.
    let sql: String
  }

  private func ownColumns(of part: Part, _ entity: EntityLayout) -> [OwnColumn] {
    let attributes = part.attributes.compactMap { attribute in
      entity.columnName(ofAttribute: attribute.name).map {
        OwnColumn(
          property: attribute.name, column: $0, test: .isPresent, reason: .unread,
          sql: Self.count("s.\($0.quotedIdentifier)", attribute.type))
      }
    }
    let narrowed = part.narrowed.compactMap { number in
      entity.columnName(ofAttribute: number.source).map {
        OwnColumn(
          property: number.destination, column: $0, test: number.test, reason: .narrowed,
          sql: number.count(of: "s.\($0.quotedIdentifier)"))
      }
    }
    let relationships = part.relationships.compactMap { relationship in
      LinkRows(ofRelationship: relationship.name, of: entity).flatMap {
        $0.row != .owner
          ? nil
          : OwnColumn(
            property: relationship.name, column: $0.related, test: .isPresent, reason: .unread,
            sql: "count(s.\($0.related.quotedIdentifier))")
      }
    }
    return attributes + narrowed + relationships
  }

  /// Counts in the columns of entities of which all objects are migrated. The parts of one table are
  /// counted in one walk over its pages.
  ///
  /// - Returns: the counts of ``ownColumns(of:_:)``, by position of the part.
  private func countedInPages(_ pages: PageCount, _ layout: StoreLayout) -> [Int: [Int64]] {
    var tables: [String: [(part: Int, wanted: PageCount.Wanted)]] = [:]
    for (number, part) in parts.enumerated() where part.filters.isEmpty {
      guard let entity = layout.entity(named: part.entity.name) else { continue }
      let columns = ownColumns(of: part, entity).map { (name: $0.column, test: $0.test) }
      guard !columns.isEmpty else { continue }
      tables[entity.tableName, default: []].append(
        (number, (entity.isAlone ? nil : Int64(entity.number), columns)))
    }
    var counted: [Int: [Int64]] = [:]
    for (table, parts) in tables {
      guard let found = try? pages.values(of: table, parts.map(\.wanted)) else { continue }
      for (part, counts) in zip(parts, found) { counted[part.part] = counts }
    }
    return counted
  }

  private func isFirstSide(_ relationship: Relationship, of entity: EntityLayout) -> Bool {
    guard
      case .joinTable(let table, let this, _, _)? =
        entity.storage(ofRelationship: relationship.name)
    else { return false }
    return table.owner.column == this
  }

  /// Whether the links are also those of an inverse that is not read either, and are counted there.
  private func isToldFromOtherSide(_ relationship: Relationship) -> Bool {
    guard let inverse = step.source.inverse(of: relationship) else { return false }
    return parts.contains { part in
      part.relationships.contains { $0.name == inverse.name }
        && step.source.entity(named: relationship.destinationEntityName).map {
          step.source.isKind(part.entity, of: $0)
        } == true
    }
  }

  /// `typeof` does not read a long value, which is stored on overflow pages.
  private static func count(_ column: String, _ type: AttributeType) -> String {
    switch type {
    case .string, .binary, .transformable, .composite: "sum(typeof(\(column)) <> 'null')"
    default: "count(\(column))"
    }
  }

  /// The condition for the objects that are migrated; `nil` for all.
  private func filter(
    _ part: Part, _ query: inout SourceQuery, _ lanes: LaneChoice, _ now: Double
  ) -> SQLFragment? {
    guard !part.filters.isEmpty, lanes.comparisonObstacle == nil else { return nil }
    var fragments: [SQLFragment] = []
    for filter in part.filters {
      let tables = query
      guard !filter.canFail, filter.lookups.isEmpty,
        case .sql(let fragment) = SQLTranslator.predicate(
          filter, form: .filter, now: now, column: { query.column($0) },
          related: { tables.related($0, alias: $1) })
      else { return nil }
      fragments.append(fragment)
    }
    return SQLFragment(
      fragments.map { "(\($0.sql))" }.joined(separator: " OR "), fragments.flatMap(\.bindings))
  }
}
