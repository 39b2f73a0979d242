internal import PassageExpressions
internal import PassageModels
internal import PassagePlanning
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores

/// Counts the values that a step does not keep.
extension UnreadValues {
  /// Counts the values of the objects that are migrated, on a connection of the step's source.
  ///
  /// - Parameter pages: counts in the pages of the source; `nil` when SQLite counts.
  /// - Returns: the properties that have values.
  /// - Complexity: one scan of each table that has an unread property.
  func counted(
    _ connection: Connection, layout: StoreLayout, pages: PageCount?, lanes: LaneChoice, now: Double
  ) throws -> [Item] {
    if parts.contains(where: { !$0.filters.isEmpty }) {
      try connection.registerExpressionFunctions(policies.functions)
    }
    let counts = try parts.enumerated().compactMap { number, part in
      try PartCount(of: part, number: number, step.source, layout, connection, lanes, now: now)
    }
    let counted = pages.map { Self.countedInPages($0, counts, now: now) } ?? [:]
    var items: [Item] = []
    for (position, count) in counts.enumerated() {
      let part = count.part
      for relationship in part.relationships {
        guard let stored = LinkRows(ofRelationship: relationship.name, of: count.entity),
          stored.row != .owner
        else { continue }
        // The links of a join table are counted once, on the side that its first column belongs to.
        let isFirst = stored.row == .pair && isFirstSide(relationship, of: count.entity)
        guard isFirst || !isToldFromOtherSide(relationship) else { continue }
        let found = try connection.integer(
          "SELECT count(*) \(count.from) JOIN \(stored.table.quotedIdentifier) AS l "
            + "ON l.\(stored.owner.quotedIdentifier) = s.\"Z_PK\" WHERE \(count.condition)",
          count.bindings)
        if found > 0 { items.append(item(part, relationship.name, found)) }
      }
      for relationship in part.mirrored {
        let found = try unmirrored(relationship, count, layout, connection)
        if found > 0 { items.append(item(part, relationship.name, found)) }
      }
      let columns = count.columns
      let found = try counted[position] ?? count.bySQLite(on: connection)
      for (column, found) in zip(columns, found) where found > 0 {
        items.append(item(part, column.property, found, column.reason))
      }
    }
    return items
  }

  /// Counts in the columns of entities in pages: the parts of one table in one walk over them.
  ///
  /// - Returns: the counts by position of the part, and by position among its columns.
  private static func countedInPages(
    _ pages: PageCount, _ counts: [PartCount], now: Double
  ) -> [Int: [Int64]] {
    var tables: [String: [(position: Int, wanted: PageCount.Wanted)]] = [:]
    for (position, count) in counts.enumerated() where !count.columns.isEmpty {
      tables[count.entity.tableName, default: []].append((position, count.inPages))
    }
    var counted: [Int: [Int64]] = [:]
    for (table, parts) in tables {
      guard let found = try? pages.values(of: table, parts.map(\.wanted), now: now) else {
        continue
      }
      for (part, counts) in zip(parts, found) { counted[part.position] = counts }
    }
    return counted
  }

  /// Counts the links of a to-one relationship that the object they lead to does not have on its side.
  ///
  /// - Complexity: a look-up for each link.
  private func unmirrored(
    _ relationship: Relationship, _ count: PartCount, _ layout: StoreLayout,
    _ connection: Connection
  ) throws -> Int64 {
    guard let inverse = step.source.inverse(of: relationship),
      let related = layout.entity(named: relationship.destinationEntityName),
      case .foreignKey(let column, _, _)? = count.entity.storage(
        ofRelationship: relationship.name),
      case .foreignKey(let back, _, _)? = related.storage(ofRelationship: inverse.name)
    else { return 0 }
    let link = "s.\(column.quotedIdentifier)"
    return try connection.integer(
      "SELECT count(*) \(count.from) WHERE \(link) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
        + "\(related.tableName.quotedIdentifier) AS r WHERE r.\"Z_PK\" = \(link) "
        + "AND r.\(back.quotedIdentifier) = s.\"Z_PK\") AND \(count.condition)", count.bindings)
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
}
