internal import PassageDiagnostics
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Writes a finished store as ordinary tables: integer primary keys, declared foreign keys with
/// delete rules, tables of pairs, indexes.
///
/// A hierarchy of entities is one table, as in Core Data, with a column that names the entity of
/// each row. A key therefore identifies the same row in both, and a relationship to the root entity
/// is one foreign key.
struct TableWriter {
  private static let source = "finished"

  private let objects: StoredObjects
  private let path: String
  private let options: StoredObjects.WritingOptions
  private let plan: TablePlan
  /// Column names, by stored table and stored column.
  private var names: [String: [String: String]] = [:]

  init(objects: StoredObjects, path: String, options: StoredObjects.WritingOptions) {
    self.objects = objects
    self.path = path
    self.options = options
    plan = TablePlan(model: objects.model)
    for table in plan.tables { names[table.storedName] = Self.columnNames(of: table) }
  }

  /// Writes the database and closes it.
  ///
  /// - Throws: ``StoreError``; `Diagnostics` with `ATM-015` for values that do not fit their
  ///   attributes, `STO-134` for names that are one for SQLite.
  func write() throws {
    try checkNames()
    do {
      let connection = try Connection(path: path, mode: .create)
      // SQLite attaches only databases of one text encoding.
      let encoding = try objects.store.connection.value("PRAGMA encoding")?.string ?? "UTF-8"
      try connection.execute(
        "PRAGMA encoding = \(encoding.quotedLiteral); PRAGMA main.locking_mode = EXCLUSIVE;"
          + "PRAGMA main.synchronous = OFF; PRAGMA foreign_keys = OFF")
      try connection.turnOffJournal()
      try TableFunctions.register(on: connection)
      try TableFunctions.register(unpackingFrom: objects.externalFolder, on: connection)
      try connection.attach(objects.path, as: Self.source, mode: objects.store.mode)
      try UnreadableTableValues(
        connection: connection, source: Self.source, path: options.destinationPath ?? path,
        plan: plan
      ).check()
      try connection.execute("BEGIN")
      for table in plan.tables { try connection.execute(createStatement(table)) }
      for join in plan.joins { try connection.execute(createStatement(join)) }
      for table in plan.tables {
        try copy(table, connection)
        try fillLargeValues(table, connection)
      }
      for join in plan.joins { try copy(join, connection) }
      for statement in indexStatements() { try connection.execute(statement) }
      try connection.execute("COMMIT")
      try connection.detach(Self.source)
      try check(connection)
      try connection.execute("PRAGMA main.journal_mode = DELETE")
    } catch let error as SQLiteError {
      throw StoreError(error, path: path)
    }
  }

  private func check(_ connection: Connection) throws {
    let broken = try connection.rows("SELECT DISTINCT \"table\" FROM pragma_foreign_key_check")
    guard broken.isEmpty else {
      throw StoreError(
        .failed, path: path,
        detail: "foreign keys refer to missing rows in "
          + broken.compactMap { $0[0].string }.joined(separator: ", "))
    }
  }

  // MARK: Names

  /// Refuses tables, and columns of a table of pairs, that SQLite takes for one. Names by the rule avoid
  /// each other; those in the user info may not.
  private func checkNames() throws(Diagnostics) {
    var mistakes = Diagnostics()
    var owners: [SQLName: String] = [:]
    func check(_ table: String, of owner: String) {
      guard let other = owners.updateValue(owner, forKey: SQLName(table)) else { return }
      mistakes.append(
        sameName("“\(other)” and “\(owner)” have one table, \(table)", key: "table"))
    }
    for table in plan.tables { check(table.name, of: table.root.name) }
    for join in plan.joins {
      let owner = join.stored.owner
      check(join.name, of: "\(owner.entityName).\(owner.relationshipName)")
      let places = [join.owner.position, join.other.position].compactMap { $0?.name }
      let columns = [join.owner.column, join.other.column] + places
      guard Set(columns.map(SQLName.init)).count < columns.count else { continue }
      mistakes.append(
        sameName(
          "two columns of \(join.name) have one name: \(columns.joined(separator: ", "))",
          key: "column"))
    }
    try mistakes.throwIfErrors()
  }

  private func sameName(_ message: String, key: String) -> Diagnostic {
    Diagnostic(
      "STO-134", message, at: SourceLocation(file: options.destinationPath ?? path),
      reason: "SQLite does not tell names apart by capitals",
      remedy: "give each a \(key) of its own in the user info of the model")
  }

  /// A column whose planned name lists several columns, or is that of an attribute in the same
  /// table, gets another name.
  private static func columnNames(of table: TablePlan.Table) -> [String: String] {
    var taken: Set = [table.keyColumn.lowercased()]
    if let column = table.entityColumn { taken.insert(column.lowercased()) }
    var names = ["Z_PK": table.keyColumn]
    names["Z_ENT"] = table.entityColumn
    for column in table.columns {
      if case .attribute = column.role {
        names[column.storedName] = TableNames.unique(column.name, among: &taken, separator: "_")
      }
    }
    for column in table.columns {
      if case .attribute = column.role { continue }
      var name = column.name
      // In a database that was read, a key may also be a link; here each needs its own column.
      if name.contains(",") || taken.contains(name.lowercased()) {
        name = TableNames.column(property: column.property) + "_id"
      }
      names[column.storedName] = TableNames.unique(name, among: &taken, separator: "_")
    }
    return names
  }

  private func name(_ column: TablePlan.Column, in table: TablePlan.Table) -> String {
    names[table.storedName]?[column.storedName] ?? column.name
  }

  // MARK: Tables

  private func createStatement(_ table: TablePlan.Table) -> String {
    var lines = ["\(table.keyColumn.quotedIdentifier) INTEGER PRIMARY KEY"]
    if let column = table.entityColumn { lines.append("\(column.quotedIdentifier) TEXT NOT NULL") }
    var constraints: [String] = []
    for column in table.columns {
      let name = name(column, in: table).quotedIdentifier
      let required = column.isRequired ? " NOT NULL" : ""
      switch column.role {
      case .attribute(let attribute):
        let literal = TableDefault.literal(attribute.defaultValue, as: attribute.type)
        lines.append(
          "\(name) \(type(of: attribute))\(required)" + (literal.map { " DEFAULT \($0)" } ?? ""))
      case .toOne(let relationship, _, let root, _):
        lines.append("\(name) INTEGER\(required)")
        guard let target = plan.table(ofRoot: root) else { continue }
        constraints.append(
          "FOREIGN KEY (\(name)) REFERENCES \(target.name.quotedIdentifier) "
            + "(\(target.keyColumn.quotedIdentifier)) ON DELETE "
            + deleteRule(relationship, isRequired: column.isRequired))
      case .position:
        lines.append("\(name) INTEGER")
      }
    }
    return statement(table.name, lines + constraints)
  }

  private func createStatement(_ join: TablePlan.Join) -> String {
    var lines: [String] = []
    var constraints: [String] = []
    for end in [join.owner, join.other] {
      lines.append("\(end.column.quotedIdentifier) INTEGER NOT NULL")
      guard let target = plan.table(ofRoot: end.root) else { continue }
      constraints.append(
        "FOREIGN KEY (\(end.column.quotedIdentifier)) REFERENCES \(target.name.quotedIdentifier) "
          + "(\(target.keyColumn.quotedIdentifier)) ON DELETE CASCADE")
    }
    for place in [join.owner.position, join.other.position].compactMap(\.self) {
      lines.append("\(place.name.quotedIdentifier) INTEGER")
    }
    let key = [join.owner, join.other].map(\.column.quotedIdentifier).joined(separator: ", ")
    return statement(join.name, lines + ["PRIMARY KEY (\(key))"] + constraints)
  }

  private func statement(_ name: String, _ lines: [String]) -> String {
    "CREATE TABLE \(name.quotedIdentifier) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  /// The usual declared type for an attribute, with an affinity that does not change values.
  private func type(of attribute: Attribute) -> String {
    switch attribute.type {
    case .integer16: "SMALLINT"
    case .integer32, .integer64: "INTEGER"
    case .boolean: "BOOLEAN"
    case .double, .float: "REAL"
    case .decimal: "DECIMAL"
    case .string, .uri, .objectID: "TEXT"
    case .date: options.dateStyle == .iso ? "DATETIME" : "REAL"
    case .uuid: "UUID TEXT"
    case .binary, .transformable, .composite, .undefined: "BLOB"
    }
  }

  /// The action for a row when the row it refers to is deleted: the delete rule of the other side,
  /// whose object is deleted.
  private func deleteRule(_ relationship: Relationship, isRequired: Bool) -> String {
    let side = relationship.isToMany ? relationship : plan.inverse(of: relationship)
    switch side?.deleteRule {
    case .cascade: return "CASCADE"
    case .deny: return "RESTRICT"
    case .noAction: return "NO ACTION"
    case .nullify, nil: return isRequired ? "RESTRICT" : "SET NULL"
    }
  }

  // MARK: Rows

  private func copy(_ table: TablePlan.Table, _ connection: Connection) throws {
    var columns = [table.keyColumn]
    var values = ["s.Z_PK"]
    if let column = table.entityColumn {
      columns.append(column)
      let cases = plan.layout.entities.filter { $0.tableName == table.storedName }.map {
        "WHEN \($0.number) THEN \($0.name.quotedLiteral)"
      }
      values.append("CASE s.Z_ENT \(cases.joined(separator: " ")) END")
    }
    for column in table.columns {
      columns.append(name(column, in: table))
      let cell = "s.\(column.storedName.quotedIdentifier)"
      switch column.role {
      case .attribute(let attribute): values.append(value(cell, attribute))
      case .toOne(_, _, let root, _):
        guard let target = plan.table(ofRoot: root) else {
          values.append("NULL")
          continue
        }
        // A foreign key refers to a row or is NULL; Core Data's columns may refer to missing rows.
        values.append(
          "(SELECT r.Z_PK FROM \(Self.source).\(target.storedName.quotedIdentifier) AS r "
            + "WHERE r.Z_PK = \(cell))")
      case .position(let key):
        let owner = "s.\(key.quotedIdentifier)"
        values.append(
          "CASE WHEN \(owner) IS NOT NULL THEN row_number() OVER "
            + "(PARTITION BY \(owner) ORDER BY \(cell), s.Z_PK) - 1 END")
      }
    }
    try connection.execute(
      "INSERT INTO main.\(table.name.quotedIdentifier) "
        + "(\(columns.map(\.quotedIdentifier).joined(separator: ", "))) "
        + "SELECT \(values.joined(separator: ", ")) "
        + "FROM \(Self.source).\(table.storedName.quotedIdentifier) AS s ORDER BY s.Z_PK")
  }

  private func value(_ cell: String, _ attribute: Attribute) -> String {
    switch attribute.type {
    case .date where options.dateStyle == .iso: "\(TableFunctions.writeDate)(\(cell))"
    case .date: "\(cell) + \(DateText.reference)"
    case .uuid: "\(TableFunctions.writeUUID)(\(cell))"
    case .binary, .transformable:
      attribute.allowsExternalBinaryDataStorage ? LargeTableValues.value(cell) : cell
    default: cell
    }
  }

  /// Writes external values, and large values stored in a column, into the zeros reserved for them.
  private func fillLargeValues(_ table: TablePlan.Table, _ connection: Connection) throws {
    let values = LargeTableValues(
      connection: connection, source: Self.source, folder: objects.externalFolder)
    for column in table.columns {
      guard case .attribute(let attribute) = column.role,
        attribute.allowsExternalBinaryDataStorage,
        attribute.type == .binary || attribute.type == .transformable
      else { continue }
      try values.fill(
        table.name, name(column, in: table), key: table.keyColumn, from: table.storedName,
        column.storedName)
    }
  }

  private func copy(_ join: TablePlan.Join, _ connection: Connection) throws {
    let (a, b) = (
      join.owner.storedColumn.quotedIdentifier, join.other.storedColumn.quotedIdentifier
    )
    var columns = [join.owner.column, join.other.column]
    var values = ["s.\(a)", "s.\(b)"]
    for (place, owner, other) in [(join.owner.position, a, b), (join.other.position, b, a)] {
      guard let place else { continue }
      columns.append(place.name)
      values.append(
        "row_number() OVER (PARTITION BY s.\(owner) ORDER BY "
          + "s.\(place.storedName.quotedIdentifier), s.\(other)) - 1")
    }
    func exists(_ end: TablePlan.Join.End, _ column: String) -> String {
      guard let table = plan.table(ofRoot: end.root) else { return "0" }
      return "EXISTS (SELECT 1 FROM \(Self.source).\(table.storedName.quotedIdentifier) AS r "
        + "WHERE r.Z_PK = s.\(column))"
    }
    try connection.execute(
      "INSERT INTO main.\(join.name.quotedIdentifier) "
        + "(\(columns.map(\.quotedIdentifier).joined(separator: ", "))) "
        + "SELECT \(values.joined(separator: ", ")) "
        + "FROM \(Self.source).\(join.stored.name.quotedIdentifier) AS s "
        + "WHERE \(exists(join.owner, a)) AND \(exists(join.other, b)) ORDER BY 1, 2")
  }

  // MARK: Indexes

  private func indexStatements() -> [String] {
    var taken = Set(
      plan.tables.map { $0.name.lowercased() } + plan.joins.map { $0.name.lowercased() })
    var statements: [String] = []
    var unique: Set<[String]> = []
    func add(_ table: String, _ columns: [(name: String, isAscending: Bool)], isUnique: Bool) {
      let parts = columns.map(\.name)
      // A unique index on the same columns makes a second index unnecessary.
      guard unique.insert([table] + parts).inserted else { return }
      let name = TableNames.unique(
        ([table] + parts + [isUnique ? "unique" : "index"]).joined(separator: "_"), among: &taken,
        separator: "_")
      let list = columns.map { $0.name.quotedIdentifier + ($0.isAscending ? "" : " DESC") }
      statements.append(
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name.quotedIdentifier) ON "
          + "\(table.quotedIdentifier) (\(list.joined(separator: ", ")))")
    }
    for table in plan.tables {
      for column in table.columns where column.mirror != nil {
        add(table.name, [(name(column, in: table), true)], isUnique: true)
      }
    }
    let indexes =
      plan.layout.indexes.filter(\.isUnique) + plan.layout.indexes.filter { !$0.isUnique }
    for index in indexes {
      guard let table = plan.tables.first(where: { $0.storedName == index.tableName }) else {
        continue
      }
      let columns = index.elements.compactMap { element in
        names[table.storedName]?[element.column].map {
          (name: $0, isAscending: element.isAscending ?? true)
        }
      }
      if columns.count == index.elements.count {
        add(table.name, columns, isUnique: index.isUnique)
      }
    }
    for join in plan.joins { add(join.name, [(join.other.column, true)], isUnique: false) }
    return statements
  }
}
