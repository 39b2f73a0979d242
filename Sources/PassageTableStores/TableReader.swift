internal import PassageDiagnostics
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Copies the rows of a plain database into a staged store, table by table in SQL.
///
/// A table with only valid rows is one INSERT … SELECT. Invalid rows are looked for only if fewer
/// rows were copied than exist. They are quarantined one by one with the reason.
struct TableReader {
  static let schema = "plain"

  let binding: TableBinding
  let path: String
  let store: StagedStore
  /// The replaced keys, by the number of the table.
  private(set) var moved: [Int: MovedKeys] = [:]
  private let parents = ParentIndexes()

  var connection: Connection { store.connection }
  var layout: StoreLayout { store.layout }

  init(binding: TableBinding, path: String, store: StagedStore) {
    self.binding = binding
    self.path = path
    self.store = store
  }

  mutating func read() throws {
    try TableFunctions.register(on: connection)
    try TableBoolean.register(on: connection)
    let copied = try TablePages(reader: self).copy()
    let others = binding.tables.filter { !copied.contains($0.number) }
    try store.writing {
      for table in others { try countRows(of: table) }
      for table in others { try moveKeys(of: table) }
      for table in others {
        for entity in entities(of: table) { try readObjects(of: entity, in: table) }
        try refuseStrangers(in: table)
      }
      try takeAwayLooseObjects()
      try emptyLooseLinks()
      try writeMirrors()
      for join in binding.joins { try readPairs(join) }
      try tellUnread()
    }
  }

  /// Warns of values that are left behind, because nothing of the model stands for them.
  private func tellUnread() throws {
    let left = try binding.unread.filter { unread in
      if unread.isVirtual { return true }
      let table = "\(Self.schema).\(unread.table.quotedIdentifier)"
      let condition = unread.column.map { " WHERE \($0.quotedIdentifier) IS NOT NULL" } ?? ""
      return try connection.integer("SELECT EXISTS (SELECT 1 FROM \(table)\(condition))") > 0
    }
    guard !left.isEmpty else { return }
    let names = left.prefix(10).map { unread in
      if let column = unread.column { return "column \(column) of \(unread.table)" }
      return "\(unread.isVirtual ? "virtual table" : "table") \(unread.table)"
    }
    let more = left.count > names.count ? " and \(left.count - names.count) more" : ""
    let remedy =
      left.allSatisfy(\.isVirtual)
      ? "to keep their rows, copy them into ordinary tables first, in a copy of the database"
      : "declare in the model what is to be kept"
    try store.warn(
      Diagnostic(
        "ROW-104", "the model does not have everything that the database has", severity: .warning,
        reason: "left behind: \(names.joined(separator: ", "))\(more)", remedy: remedy))
  }

  // MARK: Keys

  func source(_ table: TableBinding.Table) -> String {
    "\(Self.schema).\(table.table.name.quotedIdentifier)"
  }

  func countedKeys(_ table: TableBinding.Table) -> String {
    "temp.\("passage_keys_\(table.number)".quotedIdentifier)"
  }

  /// Numbers the rows of a table without row ids.
  func countRows(of table: TableBinding.Table) throws {
    guard case .counted(let columns) = table.key else { return }
    let names = columns.indices.map { "c\($0)" }.joined(separator: ", ")
    let cells = columns.map(\.quotedIdentifier).joined(separator: ", ")
    try connection.execute(
      "CREATE TABLE \(countedKeys(table)) (key INTEGER PRIMARY KEY, \(names), UNIQUE (\(names)))")
    try connection.execute(
      "INSERT INTO \(countedKeys(table)) (\(names)) SELECT \(cells) FROM \(source(table)) "
        + "ORDER BY \(cells)")
  }

  /// Assigns other keys in place of keys that no object can have.
  private mutating func moveKeys(of table: TableBinding.Table) throws {
    switch table.key {
    case .counted, .placed: return
    case .column, .rowIdentifier: break
    }
    guard
      let keys = try MovedKeys.find(
        key(table), from: from(table), number: table.number, connection)
    else { return }
    moved[table.number] = keys
    let isOne = keys.count == 1
    try store.warn(
      Diagnostic(
        "ROW-102",
        "\(keys.count) \(isOne ? "row" : "rows") of \(table.table.name) "
          + "\(isOne ? "gets another key" : "get other keys")", severity: .warning,
        reason: "the keys of objects must be whole numbers greater than 0 and less than "
          + "\(Int64.max)",
        remedy: "links to them are kept; to keep the number, give the entity an attribute with "
          + "this column"))
  }

  /// The SQL of the key in the staged store for a row of `t`.
  func storedKey(_ table: TableBinding.Table, as alias: String = "t") -> String {
    let key = key(table, as: alias)
    return moved[table.number]?.key(key) ?? key
  }

  /// The SQL of the link in the staged store, for a column with keys of a table.
  func storedLink(_ cell: String, to table: TableBinding.Table?) -> String {
    table.flatMap { moved[$0.number] }?.link(cell) ?? cell
  }

  /// The SQL of a table's rows as `t`, joined with their numbers if the table has no keys of its
  /// own.
  func from(_ table: TableBinding.Table, as alias: String = "t") -> String {
    if case .placed(let column) = table.key {
      return "(SELECT row_number() OVER () AS \(column.quotedIdentifier), * "
        + "FROM \(source(table)) NOT INDEXED) AS \(alias)"
    }
    guard case .counted(let columns) = table.key else {
      return "\(source(table)) AS \(alias) NOT INDEXED"
    }
    let isSame = columns.enumerated().map { index, column in
      "\(alias).\(column.quotedIdentifier) = \(alias)k.c\(index)"
    }.joined(separator: " AND ")
    return "\(countedKeys(table)) AS \(alias)k JOIN \(source(table)) AS \(alias) ON \(isSame)"
  }

  /// The SQL of the key of a row of `t`.
  func key(_ table: TableBinding.Table, as alias: String = "t") -> String {
    switch table.key {
    case .column(let column, _), .placed(let column): "\(alias).\(column.quotedIdentifier)"
    case .rowIdentifier(let name): "\(alias).\(name)"
    case .counted: "\(alias)k.key"
    }
  }

  /// The SQL of the number by which a report refers to a row of `t`.
  func rowNumber(_ table: TableBinding.Table) -> String {
    switch table.key {
    case .counted: return "tk.key"
    case .placed(let column): return "t.\(column.quotedIdentifier)"
    case .column, .rowIdentifier: break
    }
    return table.table.rowIdentifier.map { "t.\($0.quotedIdentifier)" } ?? "NULL"
  }

  // MARK: Objects

  func entities(of table: TableBinding.Table) -> [EntityLayout] {
    layout.entities.filter { $0.tableName == table.planned.storedName && !$0.isAbstract }
  }

  func isOf(_ entity: EntityLayout, _ table: TableBinding.Table) -> (String, [Value]) {
    guard let column = table.entityColumn else { return ("1", []) }
    return ("t.\(column.quotedIdentifier) = ?", [.text(entity.name)])
  }

  func readObjects(of entity: EntityLayout, in table: TableBinding.Table) throws {
    let cells = try self.cells(of: entity, in: table)
    let (isOwn, own) = isOf(entity, table)
    let good = cells.compactMap(\.isGood)
    let isGood = good.isEmpty ? "1" : Junction.and.joined(good)
    let columns = cells.filter { $0.storedColumn != "Z_PK" }
    let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.storedColumn)).map(\.quotedIdentifier)
    let values = [storedKey(table), "\(entity.number)", "1"] + columns.map(\.value)
    // Rows are copied in the table's own order: the first of two rows with one key is used.
    try connection.execute(
      "INSERT OR IGNORE INTO main.\(entity.tableName.quotedIdentifier) "
        + "(\(names.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) "
        + "FROM \(from(table)) WHERE \(isOwn) AND \(isGood)", own)
    let taken = connection.changes
    // Without a condition, SQLite counts rows without reading them.
    let condition = own.isEmpty ? "" : " WHERE \(isOwn)"
    let all = try connection.integer("SELECT count(*) FROM \(from(table))\(condition)", own)
    guard taken < all else { return }
    if !good.isEmpty {
      try quarantineBadRows(of: entity, table, cells, "\(isOwn) AND NOT (\(isGood))", own)
    }
    if case .column(_, isUnique: false) = table.key {
      try quarantineDuplicates(of: entity, table, "\(isOwn) AND \(isGood)", own)
    }
  }

  func cells(
    of entity: EntityLayout, in table: TableBinding.Table
  ) throws -> [TableCell] {
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
          try link(
            column, planned, to: root, in: table,
            isRequired: !relationship.isToMany && !relationship.isOptional))
      case .position:
        cells.append(TableCell(position: column, storedColumn: planned.storedName))
      }
    }
    return cells
  }

  /// Whether the column is a to-many relationship without inverse, whose keys are in the other
  /// table.
  func isBack(_ column: TablePlan.Column) -> Bool {
    if case .toOne(let relationship, _, _, _) = column.role { relationship.isToMany } else { false }
  }

  func ancestry(of entity: String) -> [String] {
    var names: [String] = []
    var next: String? = entity
    while let name = next, !names.contains(name) {
      names.append(name)
      next = binding.plan.model.entity(named: name)?.parentName
    }
    return names
  }

  func link(
    _ column: String, _ planned: TablePlan.Column, to root: String, in table: TableBinding.Table,
    isRequired: Bool
  ) throws -> TableCell {
    let parent = binding.table(ofRoot: root)
    guard let key = table.foreignKey(of: planned, column), let parent,
      let lookup = try lookup(key, in: parent)
    else {
      return TableCell(keysIn: column, storedColumn: planned.storedName, isRequired: isRequired) {
        storedLink($0, to: parent)
      }
    }
    return TableCell(
      lookup: lookup, columns: key.columns, storedColumn: planned.storedName,
      isRequired: isRequired)
  }

  /// The columns of a parent's row that a foreign key holds; `nil` if it holds the row's key itself.
  func lookedUpColumns(
    _ key: TableSchema.ForeignKey, in parent: TableBinding.Table
  ) -> [String]? {
    guard SQLName.areSame(parent.table.name, key.parentTable),
      let columns = TableModel.parentColumns(key, parent.table)
    else { return nil }
    if case .column(let column, _) = parent.key, columns.count == 1,
      SQLName.areSame(columns[0], column)
    {
      return nil
    }
    return columns
  }

  /// A query for the key of the row to which a foreign key of `t` refers; `nil` if the column holds
  /// the key itself.
  func lookup(
    _ key: TableSchema.ForeignKey, in parent: TableBinding.Table
  ) throws -> String? {
    guard let columns = lookedUpColumns(key, in: parent) else { return nil }
    guard parent.table.isIndexed(by: columns), !parent.key.isPlaced else {
      return try parents.lookup(
        columns, key: storedKey(parent), from: from(parent), number: parent.number,
        for: key.columns,
        connection)
    }
    let isSame = zip(columns, key.columns).map {
      "p.\($0.quotedIdentifier) = t.\($1.quotedIdentifier)"
    }.joined(separator: " AND ")
    // The parent's own index makes this query fast.
    let from = self.from(parent, as: "p").replacing(" NOT INDEXED", with: "")
    return "(SELECT \(storedKey(parent, as: "p")) FROM \(from) WHERE \(isSame) LIMIT 1)"
  }
}
