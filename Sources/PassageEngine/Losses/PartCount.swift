internal import PassageExpressions
internal import PassageModels
internal import PassagePages
internal import PassagePlanning
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Counts the values of an entity that a step does not keep, in the objects that are migrated.
///
/// If a filter has no form in SQL and reads more than the object and those that it refers to, the values of
/// all the entity's objects are counted.
struct PartCount {
  /// What is counted in the rows of an entity's own table.
  struct Column {
    let property: String
    let column: String
    let test: ValueTest
    let reason: ValueLoss.Reason
    /// The SQL that counts it.
    let sql: String
  }

  let part: UnreadValues.Part
  let entity: EntityLayout
  /// The entity's rows as `s`.
  let from: String
  /// The condition for the objects that are migrated.
  let condition: String
  let bindings: [Value]
  let columns: [Column]
  private let filters: [BoundPredicate]

  /// - Parameters:
  ///   - number: no other part that is counted on the connection has it.
  ///   - connection: of the step's source, with the functions of expressions.
  /// - Returns: `nil` when the store has no such entity.
  init?(
    of part: UnreadValues.Part, number: Int, _ model: Model, _ layout: StoreLayout,
    _ connection: Connection, _ lanes: LaneChoice, now: Double
  ) throws {
    guard let entity = layout.entity(named: part.entity.name) else { return nil }
    var query = SourceQuery(
      model: model, layout: layout, entity: part.entity, entityLayout: entity, schema: "")
    query.links = try LinkTables(
      for: part.filters.flatMap(\.relatedObjects), layout: layout, schema: "",
      connection: connection)
    let filter = try Self.filter(
      part, &query, lanes, functions: "PASSAGE_TAKES_\(number)", connection, now: now)
    self.part = part
    self.entity = entity
    from = query.fromClause
    condition = query.entityCondition + (filter.map { " AND (\($0.sql))" } ?? "")
    bindings = filter?.bindings ?? []
    filters = filter == nil ? [] : part.filters
    columns = Self.columns(of: part, entity)
  }

  /// The same for pages.
  var inPages: PageCount.Wanted {
    PageCount.Wanted(
      entity: entity, columns: columns.map { ($0.column, $0.test) }, filters: filters)
  }

  /// The counts by position of the column.
  func bySQLite(on connection: Connection) throws -> [Int64] {
    // SQLite gives a row at most 2,000 columns.
    try stride(from: 0, to: columns.count, by: 500).flatMap { start in
      let some = columns[start..<min(start + 500, columns.count)]
      // A filter takes longer than to see that there is nothing to count.
      let hasValue = some.map { "typeof(s.\($0.column.quotedIdentifier)) <> 'null'" }
      let rows = filters.isEmpty ? "" : "(\(Junction.or.joined(hasValue))) AND "
      let row = try connection.rows(
        "SELECT \(some.map(\.sql).joined(separator: ", ")) \(from) WHERE \(rows)\(condition)",
        bindings
      ).first
      return some.indices.map { row?[$0 - start].integer ?? 0 }
    }
  }

  private static func columns(of part: UnreadValues.Part, _ entity: EntityLayout) -> [Column] {
    let attributes = part.attributes.compactMap { attribute in
      entity.columnName(ofAttribute: attribute.name).map {
        Column(
          property: attribute.name, column: $0, test: .isPresent, reason: .unread,
          sql: count("s.\($0.quotedIdentifier)", attribute.type))
      }
    }
    let narrowed = part.narrowed.compactMap { number in
      entity.columnName(ofAttribute: number.source).map {
        Column(
          property: number.destination, column: $0, test: number.limits.test, reason: .narrowed,
          sql: number.limits.count(of: "s.\($0.quotedIdentifier)"))
      }
    }
    let relationships = part.relationships.compactMap { relationship in
      LinkRows(ofRelationship: relationship.name, of: entity).flatMap {
        $0.row != .owner
          ? nil
          : Column(
            property: relationship.name, column: $0.related, test: .isPresent, reason: .unread,
            sql: "count(s.\($0.related.quotedIdentifier))")
      }
    }
    return attributes + narrowed + relationships
  }

  /// `typeof` does not read a long value, which is stored on overflow pages.
  private static func count(_ column: String, _ type: AttributeType) -> String {
    switch type {
    case .string, .binary, .transformable, .composite: "sum(typeof(\(column)) <> 'null')"
    default: "count(\(column))"
    }
  }

  /// The condition for the objects that are migrated; `nil` for all.
  private static func filter(
    _ part: UnreadValues.Part, _ query: inout SourceQuery, _ lanes: LaneChoice,
    functions: String, _ connection: Connection, now: Double
  ) throws -> SQLFragment? {
    guard !part.filters.isEmpty else { return nil }
    var fragments: [SQLFragment] = []
    for (number, filter) in part.filters.enumerated() {
      guard
        let fragment = try translation(of: filter, &query, lanes, now: now)
          ?? FilterTest(filter, of: part.entity.name, now: now)?.register(
            as: "\(functions)_\(number)", over: &query, on: connection)
      else { return nil }
      fragments.append(fragment)
    }
    return SQLFragment(
      Junction.or.joined(fragments.map { "(\($0.sql))" }), fragments.flatMap(\.bindings))
  }

  /// A filter in SQL; `nil` when it has no such form, can fail, or SQLite compares the store's values
  /// otherwise than the engine.
  private static func translation(
    of filter: BoundPredicate, _ query: inout SourceQuery, _ lanes: LaneChoice, now: Double
  ) -> SQLFragment? {
    guard lanes.comparisonObstacle == nil, !filter.canFail, filter.lookups.isEmpty else {
      return nil
    }
    let tables = query
    var joined = query
    guard
      case .sql(let fragment) = SQLTranslator.predicate(
        filter, form: .filter, now: now, column: { joined.column($0) },
        related: { tables.related($0, alias: $1) })
    else { return nil }
    query = joined
    return fragment
  }
}
