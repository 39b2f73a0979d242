internal import PassageDiagnostics
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Reads the links between rows, once all rows are in the staged store.
extension TableReader {
  private var links:
    [(
      table: TableBinding.Table, column: TablePlan.Column, name: String, target: String,
      parent: TableBinding.Table?
    )]
  {
    binding.tables.flatMap { table in
      table.columns.compactMap { planned, name in
        guard case .toOne(_, _, let root, _) = planned.role,
          let target = binding.plan.table(ofRoot: root)
        else { return nil }
        return (table, planned, name, target.storedName, binding.table(ofRoot: root))
      }
    }
  }

  private func isLoose(_ column: TablePlan.Column, _ target: String) -> String {
    let cell = "s.\(column.storedName.quotedIdentifier)"
    return "\(cell) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main.\(target.quotedIdentifier) AS r "
      + "WHERE r.Z_PK = \(cell))"
  }

  /// SQL for a text that says what became of the row to which a link refers; NULL if it never
  /// existed.
  private func cause(_ column: TablePlan.Column, _ parent: TableBinding.Table?) -> String {
    guard let parent else { return "NULL" }
    let cell = "s.\(column.storedName.quotedIdentifier)"
    let key = moved[parent.number]?.original(cell) ?? cell
    let place = parent.table.name.quotedLiteral
    return "(SELECT 'row ' || a.key || ' of ' || \(place) || ' was quarantined: ' || a.reason "
      + "FROM main.\(QuarantinedRow.tableName) AS a WHERE a.place = \(place) AND a.key = \(key) LIMIT 1)"
  }

  /// Removes objects that require a missing object, until none is left.
  func takeAwayLooseObjects() throws {
    var isChanged = true
    while isChanged {
      isChanged = false
      for (table, column, name, target, parent) in links {
        guard case .toOne(let relationship, _, _, _) = column.role, !relationship.isOptional,
          !relationship.isToMany
        else { continue }
        let stored = table.planned.storedName.quotedIdentifier
        let row = moved[table.number]?.original("s.Z_PK") ?? "s.Z_PK"
        let rows = try connection.prepare(
          "SELECT s.Z_PK, s.Z_ENT, \(row), \(cause(column, parent)) FROM main.\(stored) AS s "
            + "WHERE \(isLoose(column, target))")
        var keys: [Int64] = []
        while try rows.step() {
          keys.append(rows.integer(at: 0))
          guard let entity = layout.entity(numbered: rows.integer(at: 1)) else { continue }
          try quarantine(
            .missingTarget, entity, table, .integer(rows.integer(at: 2)), name,
            detail: rows.value(at: 3).string)
        }
        // There are no more than may be quarantined; a larger number would have thrown.
        for key in keys {
          try connection.execute("DELETE FROM main.\(stored) WHERE Z_PK = ?", [.integer(key)])
        }
        if !keys.isEmpty { isChanged = true }
      }
    }
  }

  func emptyLooseLinks() throws {
    for (table, column, name, target, parent) in links {
      let stored = table.planned.storedName.quotedIdentifier
      try connection.execute(
        "UPDATE main.\(stored) AS s SET \(column.storedName.quotedIdentifier) = NULL "
          + "WHERE \(isLoose(column, target))")
      try warn(connection.changes, table.table.name, name)
      if let key = table.foreignKey(of: column, name), let parent,
        let lookup = try lookup(key, in: parent), !column.isRequired
      {
        let isFull = key.columns.map { "t.\($0.quotedIdentifier) IS NOT NULL" }
          .joined(separator: " AND ")
        try warn(
          connection.integer(
            "SELECT count(*) FROM \(from(table)) WHERE \(isFull) AND \(lookup) IS NULL"),
          table.table.name, name)
      }
    }
  }

  private func warn(_ count: Int64, _ table: String, _ column: String) throws {
    guard count > 0 else { return }
    try store.warn(
      Diagnostic(
        "ROW-101",
        "\(count) link\(count == 1 ? "" : "s") of \(column) in \(table) "
          + "refer\(count == 1 ? "s" : "") to missing rows", severity: .warning,
        reason: "the links have keys that no row has",
        remedy: "these links are left out of the new store"))
  }

  /// Writes the second column of one-to-one relationships: plain tables have one column, Core Data
  /// has two.
  func writeMirrors() throws {
    for table in binding.tables {
      for (column, _) in table.columns {
        guard let mirror = column.mirror else { continue }
        let other = mirror.storedTable.quotedIdentifier
        try connection.execute(
          "UPDATE main.\(other) SET \(mirror.storedColumn.quotedIdentifier) = c.Z_PK "
            + "FROM main.\(table.planned.storedName.quotedIdentifier) AS c "
            + "WHERE c.\(column.storedName.quotedIdentifier) = \(other).Z_PK")
      }
    }
  }

  // MARK: Pairs

  func readPairs(_ join: TableBinding.Join) throws {
    let stored = join.planned.stored
    guard let owner = binding.table(ofRoot: join.planned.owner.root),
      let other = binding.table(ofRoot: join.planned.other.root)
    else { return }
    func end(_ column: String, _ table: TableBinding.Table) throws -> String {
      if let key = join.table.foreignKey(of: [column]), let lookup = try lookup(key, in: table) {
        return lookup
      }
      return storedLink("t.\(column.quotedIdentifier)", to: table)
    }
    let (a, b) = (try end(join.owner, owner), try end(join.other, other))
    var columns = [stored.owner.column, stored.other.column]
    var values = ["a", "b"]
    var places: [String] = []
    for (planned, found) in [
      (join.planned.owner.position, join.ownerPosition),
      (join.planned.other.position, join.otherPosition),
    ] {
      guard let planned, let found else { continue }
      columns.append(planned.storedName)
      values.append("p\(places.count)")
      places.append(
        TableCell(position: found, storedColumn: planned.storedName).value + " AS p\(places.count)")
    }
    func exists(_ value: String, _ table: TableBinding.Table) -> String {
      "EXISTS (SELECT 1 FROM main.\(table.planned.storedName.quotedIdentifier) AS r "
        + "WHERE r.Z_PK = \(value))"
    }
    let rows = (["\(a) AS a", "\(b) AS b"] + places).joined(separator: ", ")
    let from = "FROM (SELECT \(rows) FROM \(Self.schema).\(join.table.name.quotedIdentifier) AS t)"
    let isGood = "\(exists("a", owner)) AND \(exists("b", other))"
    try connection.execute(
      "INSERT OR IGNORE INTO main.\(stored.name.quotedIdentifier) "
        + "(\(columns.map(\.quotedIdentifier).joined(separator: ", "))) "
        + "SELECT \(values.joined(separator: ", ")) \(from) WHERE \(isGood)")
    let taken = connection.changes
    let loose = try connection.integer("SELECT count(*) \(from) WHERE NOT (\(isGood))")
    try warn(loose, join.table.name, "\(join.owner) and \(join.other)")
    let all = try connection.integer("SELECT count(*) \(from)")
    guard all - loose > taken else { return }
    try store.warn(
      Diagnostic(
        "ROW-103", "\(join.table.name) has \(all - loose - taken) duplicate pairs",
        severity: .warning, reason: "an object is related to another object at most once",
        remedy: "to keep every row of the table, declare an entity for it"))
  }
}
