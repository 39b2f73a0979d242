internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// A ``ColumnProgram`` in SQL: the mapping's filter, and one expression for each column.
struct SQLProgram {
  /// The condition for the objects that are taken.
  let filter: SQLFragment?
  /// The condition for the objects that are filtered out.
  let negation: SQLFragment?
  let cells: [SQLFragment]

  /// - Parameters:
  ///   - query: receives the joins that the key paths need.
  ///   - now: the value of `now()`, in seconds since 2001.
  ///   - missing: records required attributes that become nil.
  ///   - nilled: counts values that become nil.
  /// - Returns: `nil` when a part has no translation.
  init?(
    _ program: ColumnProgram, query: inout SourceQuery, now: Double, missing: MissingValues,
    nilled: NilledValues
  ) {
    let bound = program.mapping.bound
    if let predicate = bound.filter {
      let tables = query
      guard
        case .sql(let fragment) = SQLTranslator.predicate(
          predicate, form: .filter, now: now, column: { query.column($0) },
          related: { tables.related($0, alias: $1) }),
        case .sql(let condition) = SQLTranslator.predicate(
          predicate, now: now, column: { query.column($0) },
          related: { tables.related($0, alias: $1) })
      else { return nil }
      filter = fragment
      negation = SQLFragment("NOT (\(condition.sql))", condition.bindings)
    } else {
      filter = nil
      negation = nil
    }
    var cells: [SQLFragment] = []
    for column in program.columns {
      guard
        var cell = Self.cell(column.cell, of: bound, &query, now, nilled)
      else { return nil }
      if column.isRequired, let attribute = column.attribute, !column.isConstant {
        let number = missing.number(
          entity: program.mapping.destination?.name ?? "", attribute: attribute.name)
        cell.sql = "coalesce(\(cell.sql), \(MissingValues.functionName)(\(number)))"
      }
      cells.append(cell)
    }
    self.cells = cells
  }

  private static func cell(
    _ cell: ColumnProgram.Cell, of bound: BoundEntityMapping, _ query: inout SourceQuery,
    _ now: Double, _ nilled: NilledValues
  ) -> SQLFragment? {
    switch cell {
    case .constant(let value): SQLFragment("?", [value])
    case .copy(let path): SQLFragment(query.column(path), [])
    case .compute(let position): value(bound.attributes[position], &query, now, nilled)
    case .key(let offset): SQLFragment(key(offset), [])
    case .link(let link): SQLFragment(link.sql, [])
    }
  }

  /// The source object's key plus an offset.
  static func key(_ offset: Int64) -> String {
    offset == 0 ? "s.\"Z_PK\"" : "s.\"Z_PK\" + \(offset)"
  }

  private static func value(
    _ attribute: BoundAttribute, _ query: inout SourceQuery, _ now: Double, _ nilled: NilledValues
  ) -> SQLFragment? {
    let tables = query
    guard
      case .sql(let plain) = SQLTranslator.expression(
        attribute.value, now: now, column: { query.column($0) },
        related: { tables.related($0, alias: $1) })
    else { return nil }
    var value = converted(plain, attribute.value, attribute.attribute)
    let cells = attribute.cellsThatMayBeNilled.map { query.column($0) }
    if !cells.isEmpty {
      let isThere = Junction.or.joined(cells.map { "\($0) IS NOT NULL" })
      let number = nilled.number(attribute: attribute.attribute.name)
      value.sql =
        "coalesce(\(value.sql), CASE WHEN \(isThere) THEN \(NilledValues.functionName)(\(number)) END)"
    }
    guard let fallback = attribute.fallback else { return value }
    guard
      case .sql(let plainOther) = SQLTranslator.expression(
        fallback, now: now, column: { query.column($0) },
        related: { tables.related($0, alias: $1) })
    else { return nil }
    let other = converted(plainOther, fallback, attribute.attribute)
    return SQLFragment("coalesce(\(value.sql), \(other.sql))", value.bindings + other.bindings)
  }

  /// Converts a value to the form of its column, if only one side allows external storage.
  private static func converted(
    _ value: SQLFragment, _ expression: BoundExpression, _ attribute: Attribute
  ) -> SQLFragment {
    guard let conversion = ExternalConversion(of: expression, to: attribute) else { return value }
    return SQLFragment(conversion.sql(value.sql), value.bindings)
  }
}

extension BoundAttribute {
  /// The source cells whose values are lost if ``value`` is nil; empty for a value that is copied
  /// unchanged.
  var cellsThatMayBeNilled: [ResolvedKeyPath] {
    // Missing values in files of their own are reported separately.
    value.copiedCell == nil ? value.valueCells : []
  }
}
