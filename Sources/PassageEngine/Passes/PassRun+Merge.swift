internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// What becomes of the objects of an entity mapping with `mergeBy`: before objects are made, those
/// that become part of another are associated with it.
extension PassRun {
  /// The temporary table of the values that objects merge by and combine.
  private static let stage = "passage_merge"

  private func mergedName(_ mapping: MappingPlan) -> String { "merged:\(mapping.index)" }

  /// Finds the objects of equal value, if an interrupted run has not done so.
  ///
  /// SQLite sorts the values on disk, and the associations are written in the order of their keys.
  func findEqual(_ work: MappingRun, _ merge: BoundMerge) throws {
    guard try store.journal.state(mergedName(work.mappingPlan)) == nil else { return }
    try batch(work, cursor: nil) {
      let values = [merge.value] + work.mappingPlan.bound.combinations.map(\.value)
      var rows: SQLFragment?
      if work.mappingPlan.lane == .set {
        rows = try rowsInSQL(values, of: work.mappingPlan)
      }
      if let found = rows {
        do {
          // Several statements read what is staged.
          if values.count > 1 { rows = try stage(found, count: values.count) }
          try associateEqual(work.mappingPlan, merge, rows ?? found)
        } catch let error as SQLiteError where error.isStatementError {
          // A function failed, and SQL does not say for which object.
          rows = nil
          try store.journal.removeAssociations(
            work.mappingPlan.associationsOfRead ?? work.mappingPlan.index)
        }
      }
      if rows == nil {
        try associateEqual(work.mappingPlan, merge, try stageByRows(values, of: work))
      }
      for (place, combination) in work.mappingPlan.bound.combinations.enumerated() {
        try combine(combination, place, of: work.mappingPlan)
        try checkSum(combination, place, of: work.mappingPlan)
      }
      try store.connection.execute("DROP TABLE IF EXISTS temp.\(Self.stage)")
      try store.journal.setState(mergedName(work.mappingPlan), 1)
      return 0
    }
  }

  /// A query for the keys of the objects that are read, as `source`, and values of each, as `c0`, `c1`
  /// and so on; `nil` when one has no translation.
  private func rowsInSQL(
    _ values: [BoundExpression], of mappingPlan: MappingPlan
  ) throws -> SQLFragment? {
    guard let read = readInSQL(mappingPlan) else { return nil }
    try read.lookupTables().make(
      values.flatMap(\.lookups) + (mappingPlan.bound.filter?.lookups ?? []))
    var query = read.query(
      try LinkTables(
        for: values.flatMap(\.relatedObjects) + (mappingPlan.bound.filter?.relatedObjects ?? []),
        layout: read.layout, schema: read.schema, connection: read.connection))
    var cells: [SQLFragment] = [SQLFragment("s.\"Z_PK\" AS source", [])]
    let tables = query
    for (place, value) in values.enumerated() {
      guard
        case .sql(let cell) = SQLTranslator.expression(
          value, now: step.plan.now, column: { query.column($0) },
          related: { tables.related($0, alias: $1) })
      else { return nil }
      cells.append(SQLFragment("\(cell.sql) AS c\(place)", cell.bindings))
    }
    var conditions = [SQLFragment(query.entityCondition, [])]
    if let filter = mappingPlan.bound.filter {
      guard
        case .sql(let condition) = SQLTranslator.predicate(
          filter, form: .filter, now: step.plan.now, column: { query.column($0) },
          related: { tables.related($0, alias: $1) })
      else { return nil }
      conditions.append(SQLFragment("(\(condition.sql))", condition.bindings))
    }
    return SQLFragment(
      "SELECT \(cells.map(\.sql).joined(separator: ", ")) \(query.fromClause) WHERE "
        + conditions.map(\.sql).joined(separator: " AND "),
      cells.flatMap(\.bindings) + conditions.flatMap(\.bindings))
  }

  // MARK: Staging

  private func makeStage(count: Int) throws -> SQLFragment {
    let columns = (0..<count).map { "c\($0)" }.joined(separator: ", ")
    try store.connection.execute("DROP TABLE IF EXISTS temp.\(Self.stage)")
    try store.connection.execute(
      "CREATE TABLE temp.\(Self.stage) (source INTEGER PRIMARY KEY, \(columns))")
    return SQLFragment("SELECT source, \(columns) FROM temp.\(Self.stage)", [])
  }

  private func stage(_ rows: SQLFragment, count: Int) throws -> SQLFragment {
    let staged = try makeStage(count: count)
    try store.connection.execute("INSERT INTO temp.\(Self.stage) \(rows.sql)", rows.bindings)
    return staged
  }

  private func stageByRows(
    _ values: [BoundExpression], of work: MappingRun
  ) throws -> SQLFragment {
    let staged = try makeStage(count: values.count)
    guard let read = try readByRows(work.mappingPlan) else { return staged }
    let reader = try ListReader(
      of: work.mappingPlan.name, read, filter: work.mappingPlan.bound.filter, values: values,
      step: step, rowsOfRange: limits.rows)
    var rows = BlockInsert(
      into: "temp.\(Self.stage)", ["source"] + values.indices.map { "c\($0)" },
      on: store.connection)
    try reader.start(after: .min)
    defer { reader.stop() }
    while true {
      let batch = try reader.runBatch(
        rows: limits.rows, shouldStop: { control.shouldStop }
      ) { object in
        try rows.append(
          [.integer(object.key)] + values.indices.map { try reader.value($0, of: object) })
      }
      try rows.flush()
      if batch.isAtEnd { return staged }
      try control.checkCancellation()
    }
  }

  // MARK: Equal values

  /// Associates each object with the one of equal value that is kept: in memory where there are few
  /// values, otherwise by sorting them.
  private func associateEqual(
    _ mappingPlan: MappingPlan, _ merge: BoundMerge, _ rows: SQLFragment
  ) throws {
    let associations = mappingPlan.associationsOfRead ?? mappingPlan.index
    let number = mappingPlan.destination?.number ?? 0
    if merge.kept == .first {
      var known = KnownValues(offset: mappingPlan.keyOffset)
      if try known.associate(
        store.connection.prepare("SELECT source, c0 FROM (\(rows.sql)) ORDER BY source"),
        rows.bindings, AssociationWriter(mapping: associations, store: store), entity: number,
        pause: control.checkCancellation)
      {
        return
      }
      try store.journal.removeAssociations(associations)
    }
    try store.journal.associateEqual(
      associations, rows, keepsFirst: merge.kept == .first,
      destination: (mappingPlan.keyOffset, number))
  }

  /// Combines the values of objects that become one.
  private func combine(
    _ combination: BoundCombination, _ place: Int, of mappingPlan: MappingPlan
  ) throws {
    let cell = "t.c\(place + 1)"
    let conversion = ExternalConversion(of: combination.value, to: combination.attribute)
    // A value whose file is missing may become nil, and then the first or last of the others is taken.
    let found = conversion == .unmark ? ExternalConversion.unmark.sql(cell) : cell
    let isThere = "CASE WHEN \(found) IS NOT NULL THEN t.source END"
    // With a single min or max, SQLite takes other columns from the row that has it
    // (https://www.sqlite.org/quirks.html#aggregate_queries_can_contain_non_aggregate_result_columns_that_are_not_in_the_group_by_clause).
    let value: String
    var other = "NULL"
    switch combination.function {
    case .first: (value, other) = (cell, "min(\(isThere))")
    case .last: (value, other) = (cell, "max(\(isThere))")
    case .min: value = "min(\(cell)\(step.source.textOrder))"
    case .max: value = "max(\(cell)\(step.source.textOrder))"
    // SQLite's own depend on the order of the values, and its sum fails beyond 64 bits.
    case .sum: value = "CASE WHEN count(\(cell)) > 0 THEN \(ExpressionFunctions.sum)(\(cell)) END"
    case .average:
      value = "\(ExpressionFunctions.average)(\(cell)) FILTER (WHERE \(cell) IS NOT NULL)"
    case .count: value = "count(*)"
    }
    let associations = Journal.Table.association.name
    try store.journal.setCombined(
      mappingPlan.index, position: place,
      "SELECT coalesce(a.destination, t.source + \(mappingPlan.keyOffset)) AS object, "
        + "\(value) AS value, \(other) AS other FROM temp.\(Self.stage) AS t "
        + "LEFT JOIN \(associations) AS a "
        + "ON a.mapping = \(mappingPlan.associationsOfRead ?? mappingPlan.index) "
        + "AND a.source = t.source GROUP BY 1 HAVING count(*) > 1")
  }

  /// Refuses a sum that the type of its attribute cannot hold.
  private func checkSum(
    _ combination: BoundCombination, _ place: Int, of mappingPlan: MappingPlan
  ) throws {
    let attribute = combination.attribute
    guard let range = attribute.type.wholeNumbers else { return }
    guard combination.function == .sum,
      let row = try store.connection.rows(
        "SELECT destination FROM \(Journal.Table.combined.name) WHERE mapping = ? AND position = ? "
          + "AND typeof(value) IN ('integer', 'real') AND value NOT BETWEEN ? AND ? "
          + "ORDER BY destination LIMIT 1",
        [
          .integer(Int64(mappingPlan.index)), .integer(Int64(place)), .integer(range.lowerBound),
          .integer(range.upperBound),
        ]
      ).first
    else { return }
    let entity = mappingPlan.destination?.name ?? ""
    throw MigrationError(
      .policyFailed,
      Diagnostic(
        "RUN-042", "a sum does not fit into “\(entity).\(attribute.name)”",
        reason: "the first is that of the object with the key \(row[0].integer ?? 0), and the "
          + "attribute takes numbers from \(range.lowerBound) to \(range.upperBound)",
        remedy: "make the attribute a larger integer or a floating-point number"))
  }

  /// Writes the combined values into the objects that were kept. They are in the form of the source
  /// until then, so that the journal does not hold what is in files.
  func writeCombined(_ mappingPlan: MappingPlan) throws {
    guard let destination = mappingPlan.destination else { return }
    for (place, combination) in mappingPlan.bound.combinations.enumerated() {
      guard let column = destination.columnName(ofAttribute: combination.attribute.name) else {
        continue
      }
      let conversion = ExternalConversion(of: combination.value, to: combination.attribute)
      try RowPatch(connection: store.connection).set(
        [(column: column, sql: conversion?.sql("c.value") ?? "c.value")], in: destination.tableName,
        from: "\(Journal.Table.combined.name) AS c",
        where: "c.mapping = \(mappingPlan.index) AND c.position = \(place) "
          + "AND main.\(destination.tableName.quotedIdentifier).\"Z_PK\" = c.destination")
    }
  }
}
