internal import PassageDiagnostics
internal import PassageModels
internal import PassageSQLite
internal import PassageValues

/// Brings the rows of a plain database into a staged store, table by table in SQL.
///
/// A table whose rows are all good is one INSERT … SELECT. The rows that are not are looked for only
/// when fewer came than there are, and are set aside one by one with what is wrong.
struct TableReader {
  static let schema = "plain"

  let binding: TableBinding
  let path: String
  let store: StagedStore

  private var connection: Connection { store.connection }
  private var layout: StoreLayout { store.layout }

  func read() throws {
    try TableDate.register(on: connection)
    try store.writing {
      for table in binding.tables { try countRows(of: table) }
      for table in binding.tables {
        for entity in entities(of: table) { try readObjects(of: entity, in: table) }
        try refuseStrangers(in: table)
      }
      try takeAwayLooseObjects()
      try emptyLooseLinks()
      try writeMirrors()
      for join in binding.joins { try readPairs(join) }
    }
  }

  // MARK: Keys

  private func source(_ table: TableBinding.Table) -> String {
    "\(Self.schema).\(table.table.name.quotedIdentifier)"
  }

  private func countedKeys(_ table: TableBinding.Table) -> String {
    "temp.\("passage_keys_\(table.number)".quotedIdentifier)"
  }

  /// Numbers the rows of a table that SQLite gives none.
  private func countRows(of table: TableBinding.Table) throws {
    guard case .counted(let columns) = table.key else { return }
    let names = columns.indices.map { "c\($0)" }.joined(separator: ", ")
    let cells = columns.map(\.quotedIdentifier).joined(separator: ", ")
    try connection.execute(
      "CREATE TABLE \(countedKeys(table)) (key INTEGER PRIMARY KEY, \(names), UNIQUE (\(names)))")
    try connection.execute(
      "INSERT INTO \(countedKeys(table)) (\(names)) SELECT \(cells) FROM \(source(table)) "
        + "ORDER BY \(cells)")
  }

  /// The rows of a table as `t`, joined with their numbers where it has none of its own.
  private func from(_ table: TableBinding.Table, as alias: String = "t") -> String {
    guard case .counted(let columns) = table.key else {
      return "\(source(table)) AS \(alias) NOT INDEXED"
    }
    let isSame = columns.enumerated().map { index, column in
      "\(alias).\(column.quotedIdentifier) = \(alias)k.c\(index)"
    }.joined(separator: " AND ")
    return "\(countedKeys(table)) AS \(alias)k JOIN \(source(table)) AS \(alias) ON \(isSame)"
  }

  /// The key of a row of `t`.
  private func key(_ table: TableBinding.Table, as alias: String = "t") -> String {
    switch table.key {
    case .column(let column, _): "\(alias).\(column.quotedIdentifier)"
    case .rowIdentifier(let name): "\(alias).\(name)"
    case .counted: "\(alias)k.key"
    }
  }

  /// What a report calls a row of `t`.
  private func rowNumber(_ table: TableBinding.Table) -> String {
    if case .counted = table.key { return "tk.key" }
    return table.table.rowIdentifier.map { "t.\($0.quotedIdentifier)" } ?? "NULL"
  }

  // MARK: Objects

  private func entities(of table: TableBinding.Table) -> [EntityLayout] {
    layout.entities.filter { $0.tableName == table.planned.storedName && !$0.isAbstract }
  }

  private func isOf(_ entity: EntityLayout, _ table: TableBinding.Table) -> (String, [Value]) {
    guard let column = table.entityColumn else { return ("1", []) }
    return ("t.\(column.quotedIdentifier) = ?", [.text(entity.name)])
  }

  private func readObjects(of entity: EntityLayout, in table: TableBinding.Table) throws {
    let cells = self.cells(of: entity, in: table)
    let (isOwn, own) = isOf(entity, table)
    let good = cells.compactMap(\.isGood)
    let isGood = good.isEmpty ? "1" : good.joined(separator: " AND ")
    let columns = cells.filter { $0.storedColumn != "Z_PK" }
    let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.storedColumn)).map(\.quotedIdentifier)
    let values = [key(table), "\(entity.number)", "1"] + columns.map(\.value)
    // The tables' own order is kept: the first of two rows with one key is taken.
    try connection.execute(
      "INSERT OR IGNORE INTO main.\(entity.tableName.quotedIdentifier) "
        + "(\(names.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) "
        + "FROM \(from(table)) WHERE \(isOwn) AND \(isGood)", own)
    let taken = connection.changes
    // Without a condition SQLite counts cells and reads no rows.
    let condition = own.isEmpty ? "" : " WHERE \(isOwn)"
    let all = try connection.integer("SELECT count(*) FROM \(from(table))\(condition)", own)
    guard taken < all else { return }
    if !good.isEmpty {
      try setAsideBadRows(of: entity, table, cells, "\(isOwn) AND NOT (\(isGood))", own)
    }
    if case .column(_, isUnique: false) = table.key {
      try setAsideDuplicates(of: entity, table, "\(isOwn) AND \(isGood)", own)
    }
  }

  private func cells(
    of entity: EntityLayout, in table: TableBinding.Table
  ) -> [TableCell] {
    var cells: [TableCell] = []
    if case .column(let column, let isUnique) = table.key, !isUnique {
      cells.append(TableCell(key: column))
    }
    let family = Set(ancestry(of: entity.name))
    for (planned, column) in table.columns
    where family.contains(planned.entityName) || isBack(planned) {
      switch planned.role {
      case .attribute(let attribute):
        cells.append(
          TableCell(
            attribute, column: column, storedColumn: planned.storedName,
            isRequired: !attribute.isOptional,
            isDeclaredRequired: table.table.column(named: column)?.isRequired == true))
      case .toOne(let relationship, _, let root, _):
        cells.append(
          link(
            column, planned, to: root, in: table,
            isRequired: !relationship.isToMany && !relationship.isOptional))
      case .position:
        cells.append(TableCell(position: column, storedColumn: planned.storedName))
      }
    }
    return cells
  }

  /// A to-many relationship without inverse, whose keys are in the other table.
  private func isBack(_ column: TablePlan.Column) -> Bool {
    if case .toOne(let relationship, _, _, _) = column.role { relationship.isToMany } else { false }
  }

  private func ancestry(of entity: String) -> [String] {
    var names: [String] = []
    var next: String? = entity
    while let name = next, !names.contains(name) {
      names.append(name)
      next = binding.plan.model.entity(named: name)?.parentName
    }
    return names
  }

  private func link(
    _ column: String, _ planned: TablePlan.Column, to root: String, in table: TableBinding.Table,
    isRequired: Bool
  ) -> TableCell {
    guard let key = table.foreignKey(column), let parent = binding.table(ofRoot: root),
      let lookup = lookup(key, in: parent)
    else {
      return TableCell(
        keysIn: column, storedColumn: planned.storedName, isRequired: isRequired)
    }
    return TableCell(
      lookup: lookup, columns: key.columns, storedColumn: planned.storedName,
      isRequired: isRequired)
  }

  /// The query that finds the key of the row a foreign key of `t` leads to; `nil` when it holds the
  /// key itself.
  private func lookup(_ key: TableSchema.ForeignKey, in parent: TableBinding.Table) -> String? {
    guard parent.table.name.lowercased() == key.parentTable.lowercased(),
      let columns = TableModel.parentColumns(key, parent.table)
    else { return nil }
    if case .column(let column, _) = parent.key, columns.count == 1,
      columns[0].lowercased() == column.lowercased()
    {
      return nil
    }
    let isSame = zip(columns, key.columns).map {
      "p.\($0.quotedIdentifier) = t.\($1.quotedIdentifier)"
    }.joined(separator: " AND ")
    // Here the parent's own index is what makes it quick.
    let from = self.from(parent, as: "p").replacing(" NOT INDEXED", with: "")
    return "(SELECT \(self.key(parent, as: "p")) FROM \(from) WHERE \(isSame) LIMIT 1)"
  }

  // MARK: Rows that are not good

  private func setAsideBadRows(
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
        try setAside(.malformed, entity, table, row[0], nil)
        continue
      }
      try setAside(
        TableCell.problems[Int(number) - 1], entity, table, row[0], cells[wrong].column)
    }
  }

  private func setAsideDuplicates(
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
      try setAside(.duplicateKey, entity, table, statement.value(at: 0), column)
    }
  }

  private func setAside(
    _ reason: SetAsideRow.Reason, _ entity: EntityLayout, _ table: TableBinding.Table,
    _ number: Value, _ column: String?
  ) throws {
    try store.setAside(
      SetAsideRow(
        reason, path: path, entityName: entity.name, place: table.table.name,
        key: number.integer, column: column))
  }

  /// Rows whose entity is none of their table's.
  private func refuseStrangers(in table: TableBinding.Table) throws {
    guard let column = table.entityColumn, let root = layout.entity(named: table.planned.root.name)
    else { return }
    let names = entities(of: table).map { Value.text($0.name) }
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let statement = try connection.prepare(
      "SELECT \(rowNumber(table)) FROM \(from(table)) "
        + "WHERE coalesce(t.\(column.quotedIdentifier), '') NOT IN (\(marks))")
    try statement.bind(names)
    while try statement.step() {
      try setAside(.malformed, root, table, statement.value(at: 0), column)
    }
  }

  // MARK: Links that lead nowhere

  private var links:
    [(table: TableBinding.Table, column: TablePlan.Column, name: String, target: String)]
  {
    binding.tables.flatMap { table in
      table.columns.compactMap { planned, name in
        guard case .toOne(_, _, let root, _) = planned.role,
          let target = binding.plan.table(ofRoot: root)
        else { return nil }
        return (table, planned, name, target.storedName)
      }
    }
  }

  private func isLoose(_ column: TablePlan.Column, _ target: String) -> String {
    let cell = "s.\(column.storedName.quotedIdentifier)"
    return "\(cell) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main.\(target.quotedIdentifier) AS r "
      + "WHERE r.Z_PK = \(cell))"
  }

  /// Takes away what must be related to a row that is not there, until nothing more is.
  private func takeAwayLooseObjects() throws {
    var isChanged = true
    while isChanged {
      isChanged = false
      for (table, column, name, target) in links {
        guard case .toOne(let relationship, _, _, _) = column.role, !relationship.isOptional,
          !relationship.isToMany
        else { continue }
        let stored = table.planned.storedName.quotedIdentifier
        let rows = try connection.prepare(
          "SELECT s.Z_PK, s.Z_ENT FROM main.\(stored) AS s WHERE \(isLoose(column, target))")
        var keys: [Int64] = []
        while try rows.step() {
          let key = rows.integer(at: 0)
          keys.append(key)
          guard let entity = layout.entity(numbered: rows.integer(at: 1)) else { continue }
          try setAside(.missingTarget, entity, table, .integer(key), name)
        }
        // No more of them than may be set aside: the others have thrown.
        for key in keys {
          try connection.execute("DELETE FROM main.\(stored) WHERE Z_PK = ?", [.integer(key)])
        }
        if !keys.isEmpty { isChanged = true }
      }
    }
  }

  private func emptyLooseLinks() throws {
    for (table, column, name, target) in links {
      let stored = table.planned.storedName.quotedIdentifier
      try connection.execute(
        "UPDATE main.\(stored) AS s SET \(column.storedName.quotedIdentifier) = NULL "
          + "WHERE \(isLoose(column, target))")
      try warn(connection.changes, table.table.name, name)
      if let key = table.foreignKey(name),
        let parent = binding.tables.first(where: {
          $0.planned.storedName == target
        }), let lookup = lookup(key, in: parent), !column.isRequired
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
          + "lead\(count == 1 ? "s" : "") to no row", severity: .warning,
        reason: "the database refers to keys that no row has",
        remedy: "these links are left out of the new store"))
  }

  /// A relationship of one to one has a column on one side; Core Data keeps both.
  private func writeMirrors() throws {
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

  private func readPairs(_ join: TableBinding.Join) throws {
    let stored = join.planned.stored
    guard let owner = binding.table(ofRoot: join.planned.owner.root),
      let other = binding.table(ofRoot: join.planned.other.root)
    else { return }
    func end(_ column: String, _ table: TableBinding.Table) -> String {
      let key = join.table.foreignKeys.first {
        $0.columns.map { $0.lowercased() } == [column.lowercased()]
      }
      return key.flatMap { lookup($0, in: table) } ?? "t.\(column.quotedIdentifier)"
    }
    let (a, b) = (end(join.owner, owner), end(join.other, other))
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
    try warn(
      connection.integer("SELECT count(*) \(from) WHERE NOT (\(isGood))"), join.table.name,
      "\(join.owner) and \(join.other)")
  }
}
