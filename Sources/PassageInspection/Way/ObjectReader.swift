internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Reads single objects of a store, and evaluates expressions over them in memory, as a migration
/// does.
struct ObjectReader {
  let store: OpenStore
  let model: Model
  let layout: StoreLayout
  let now: Double

  /// Whether the store has an object of exactly this entity at the key.
  func exists(_ entity: Entity, _ key: Int64) throws -> Bool {
    try object(entity, key, []) != nil
  }

  /// The object with some of its cells; `nil` when there is none of exactly this entity.
  func object(
    _ entity: Entity, _ key: Int64, _ paths: [ResolvedKeyPath]
  ) throws -> SourceObject? {
    guard let entityLayout = layout.entity(named: entity.name) else { return nil }
    var query = SourceQuery(
      model: model, layout: layout, entity: entity, entityLayout: entityLayout, schema: "")
    let cells = paths.map { path in
      let cell = query.column(path)
      return if case .relationship = path.leaf { LinkNumber.value(of: cell) } else { cell }
    }
    let columns = ["s.\"Z_PK\""] + cells
    let rows = try store.connection.rows(
      "SELECT \(columns.joined(separator: ", ")) \(query.fromClause) WHERE "
        + "\(query.entityCondition) AND s.\"Z_PK\" = ?", [.integer(key)])
    return rows.first.map { row in
      SourceObject(
        shape: ObjectShape(entityName: entity.name, names: paths.map(\.name)), key: key,
        values: Array(row.dropFirst()))
    }
  }

  /// Whether a predicate holds for an object.
  func holds(_ predicate: BoundPredicate, _ entity: Entity, _ key: Int64) throws -> Bool {
    guard let object = try object(entity, key, predicate.keyPaths) else { return false }
    let test = try CompiledPredicate(predicate, slot: Self.slots(object))
    return try withContext(predicate.relatedObjects, predicate.lookups) {
      try test.evaluate(object, in: $0)
    }
  }

  /// The value of an expression for an object.
  func value(_ expression: BoundExpression, _ entity: Entity, _ key: Int64) throws -> Value {
    guard let object = try object(entity, key, expression.keyPaths) else { return .null }
    let compiled = try CompiledExpression(expression, slot: Self.slots(object))
    return try withContext(expression.relatedObjects, expression.lookups) {
      try compiled.evaluate(object, in: $0)
    }
  }

  private static func slots(_ object: SourceObject) -> (ResolvedKeyPath) -> Int {
    let shape = object.shape
    return { shape.position(of: $0.name) ?? 0 }
  }

  private func withContext<Result>(
    _ related: [RelatedObjects], _ lookups: [ObjectLookup],
    _ body: (EvaluationContext) throws -> Result
  ) throws -> Result {
    let links = try LinkTables(
      for: related, layout: layout, schema: "", connection: store.connection)
    let cursors = try RelatedObjectCursors(
      related, model: model, layout: layout, links: links, connection: store.connection)
    defer { cursors.stop() }
    let tables = LookupTables(
      connection: try store.connection, model: model, layout: layout, schema: "")
    try tables.make(lookups)
    var context = EvaluationContext(now: now)
    context.relatedObjects = cursors
    context.lookUp = { try tables.result(of: $0, beside: $1) }
    return try body(context)
  }

  /// The keys at the end of a path of relationships, in the order of the last, without duplicates.
  func keys(along path: [Relationship], from entity: Entity, _ key: Int64) throws -> [Int64] {
    var keys = [key]
    var entity = entity
    for relationship in path {
      guard let entityLayout = layout.entity(named: entity.name),
        let rows = LinkRows(ofRelationship: relationship.name, of: entityLayout),
        let next = model.entity(named: relationship.destinationEntityName)
      else { return [] }
      let related = LinkNumber.value(of: rows.related.quotedIdentifier)
      let place = rows.place.map { LinkNumber.value(of: $0.quotedIdentifier) }
      let order = [place, related].compactMap(\.self).joined(separator: ", ")
      var seen: Set<Int64> = []
      keys = try keys.flatMap { key in
        try store.connection.rows(
          "SELECT \(related) FROM \(rows.table.quotedIdentifier) WHERE "
            + "\(rows.owner.quotedIdentifier) = \(LinkNumber.parameter) ORDER BY \(order)",
          [.integer(key)]
        ).compactMap { $0.first?.integer }
      }.filter { seen.insert($0).inserted }
      entity = next
    }
    return keys
  }
}
