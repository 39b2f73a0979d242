internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Quarantines rows that cannot become objects, each with the reason.
extension TableReader {
  func quarantineBadRows(
    of entity: EntityLayout, _ table: TableBinding.Table, _ cells: [TableCell],
    _ condition: String, _ values: [Value]
  ) throws {
    let cells = cells.filter { $0.isGood != nil }
    let list = ([rowNumber(table)] + cells.map(\.problem)).joined(separator: ", ")
    let statement = try connection.prepare("SELECT \(list) FROM \(from(table)) WHERE \(condition)")
    try statement.bind(values)
    while try statement.step() {
      let row = statement.values()
      guard
        let wrong = cells.indices.first(where: { row[$0 + 1] != .integer(0) }),
        let number = row[wrong + 1].integer,
        TableCell.problems.indices.contains(Int(number) - 1)
      else {
        try quarantine(
          .malformed, entity, table, row[0], nil,
          detail: "its values together are not those of an object, and no one value can be named")
        continue
      }
      try quarantine(
        TableCell.problems[Int(number) - 1], entity, table, row[0], cells[wrong].column)
    }
  }

  func quarantineDuplicates(
    of entity: EntityLayout, _ table: TableBinding.Table, _ condition: String, _ values: [Value]
  ) throws {
    guard case .column(let column, _) = table.key else { return }
    let order = rowNumber(table) == "NULL" ? "1" : rowNumber(table)
    let statement = try connection.prepare(
      "SELECT number FROM (SELECT \(rowNumber(table)) AS number, row_number() OVER "
        + "(PARTITION BY t.\(column.quotedIdentifier) ORDER BY \(order)) AS place "
        + "FROM \(from(table)) WHERE \(condition)) WHERE place > 1 ORDER BY number")
    try statement.bind(values)
    while try statement.step() {
      try quarantine(.duplicateKey, entity, table, statement.value(at: 0), column)
    }
  }

  func quarantine(
    _ reason: QuarantinedRow.Reason, _ entity: EntityLayout, _ table: TableBinding.Table,
    _ number: Value, _ column: String?, detail: String? = nil
  ) throws {
    try store.quarantine(
      QuarantinedRow(
        reason, path: path, entityName: entity.name, place: table.table.name,
        key: number.integer, column: column, detail: detail))
  }

  /// Refuses rows whose entity does not belong to their table.
  func refuseStrangers(in table: TableBinding.Table) throws {
    guard let column = table.entityColumn, let root = layout.entity(named: table.planned.root.name)
    else { return }
    let known = entities(of: table).map(\.name)
    let names = known.map { Value.text($0) }
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let rest = known.count > 20 ? " and \(known.count - 20) more" : ""
    let detail =
      "the column must name an entity of this table: “"
      + known.prefix(20).joined(separator: "”, “") + "”" + rest
    let statement = try connection.prepare(
      "SELECT \(rowNumber(table)) FROM \(from(table)) "
        + "WHERE coalesce(t.\(column.quotedIdentifier), '') NOT IN (\(marks))")
    try statement.bind(names)
    while try statement.step() {
      try quarantine(.malformed, root, table, statement.value(at: 0), column, detail: detail)
    }
  }
}
