internal import PassageDiagnostics
internal import PassageModels
internal import PassageSQLite
internal import PassageStores

/// The correspondence between a model and the tables of a database.
struct TableBinding {
  /// How integers identify the rows of a table.
  enum RowKey {
    /// A column that holds the keys. `isUnique` says whether SQLite enforces that they are unique.
    case column(String, isUnique: Bool)
    /// SQLite's row id.
    case rowIdentifier(String)
    /// A table without row ids, whose rows are numbered in the order of their primary key.
    case counted([String])
    /// A table whose row ids no name can reach. Rows are numbered in the order in which SQLite
    /// returns them; the value is the name of the column with the number.
    case placed(String)

    var isPlaced: Bool { if case .placed = self { true } else { false } }
  }

  struct Table {
    var planned: TablePlan.Table
    var table: TableSchema.Table
    var key: RowKey
    /// The columns with their names in the database, which are `nil` for a position that is not
    /// stored.
    var columns: [(planned: TablePlan.Column, name: String)]
    var entityColumn: String?
    /// The columns of the links that several columns form, by the columns of the links in Core Data's
    /// table.
    var listedColumns: [String: [String]] = [:]
    /// The foreign keys that only the model declares, by their columns.
    var namedKeys: [[SQLName]: TableSchema.ForeignKey] = [:]
    /// The number used in temporary names.
    var number: Int

    /// The foreign key that the model declares for a link, or the one that the database declares for
    /// its columns.
    ///
    /// - Parameter name: the name of the link's column, where it has only one.
    func foreignKey(of link: TablePlan.Column, _ name: String) -> TableSchema.ForeignKey? {
      let columns = keyColumns(of: link, name)
      return namedKeys[columns.map(SQLName.init)] ?? table.foreignKey(of: columns)
    }

    /// The columns that hold the key of a link.
    func keyColumns(of link: TablePlan.Column, _ name: String) -> [String] {
      listedColumns[link.storedName] ?? [name]
    }
  }

  struct Join {
    var planned: TablePlan.Join
    var table: TableSchema.Table
    var owner: String
    var other: String
    var ownerPosition: String?
    var otherPosition: String?
  }

  /// A table or a column that nothing of the model stands for.
  struct Unread {
    var table: String
    /// `nil` for the whole table.
    var column: String?
    /// Whether only the module of a virtual table knows its rows.
    var isVirtual = false
  }

  let plan: TablePlan
  /// What the database has beside what the model knows, in the order of the database.
  private(set) var unread: [Unread] = []
  private(set) var tables: [Table] = []
  private(set) var joins: [Join] = []

  /// The indexes of the tables, by the names of their root entities.
  private var numbers: [String: Int] = [:]
  private let path: String
  private var mistakes = Diagnostics()

  /// - Throws: every table and column that does not exist: `STO-131` to `STO-133`.
  init(model: Model, schema: TableSchema, path: String) throws(Diagnostics) {
    plan = TablePlan(model: model)
    self.path = path
    for planned in plan.tables { bind(planned, schema) }
    for (table, column, key) in namedKeys() {
      if let missing = missingColumn(of: key) {
        report(
          .columnMissing, "\(key.parentTable) has no column \(missing) for “\(column)”")
      }
      tables[table].namedKeys[key.columns.map(SQLName.init)] = key
    }
    for planned in plan.joins { bind(planned, schema) }
    try mistakes.throwIfErrors()
    let bound = Dictionary(grouping: tables) { SQLName($0.table.name) }
    let pairs = Dictionary(grouping: joins) { SQLName($0.table.name) }
    unread = schema.tables.filter { ["table", "virtual"].contains($0.kind) }.flatMap { table in
      let name = SQLName(table.name)
      return Self.unread(of: table, bound[name, default: []], pairs[name, default: []])
    }
  }

  /// - Parameters:
  ///   - bound: what the model has of the table as a table of objects.
  ///   - pairs: what it has of the table as one of pairs.
  private static func unread(
    of table: TableSchema.Table, _ bound: [Table], _ pairs: [Join]
  ) -> [Unread] {
    if bound.isEmpty, pairs.isEmpty {
      return [Unread(table: table.name, isVirtual: table.kind == "virtual")]
    }
    var known: Set<SQLName> = []
    for found in bound {
      let key: [String] =
        switch found.key {
        case .column(let name, _): [name]
        case .counted(let names): names
        case .rowIdentifier, .placed: []
        }
      let names = key + found.columns.map(\.name) + found.listedColumns.values.joined()
      known.formUnion((names + [found.entityColumn].compactMap(\.self)).map(SQLName.init))
    }
    for found in pairs {
      let places = [found.ownerPosition, found.otherPosition].compactMap(\.self)
      known.formUnion(([found.owner, found.other] + places).map(SQLName.init))
    }
    return table.columns.filter { !known.contains(SQLName($0.name)) }
      .map { Unread(table: table.name, column: $0.name) }
  }

  private mutating func report(_ kind: StoreError.Kind, _ detail: String) {
    mistakes.append(StoreError(kind, path: path, detail: detail).diagnostic)
  }

  private mutating func bind(_ planned: TablePlan.Table, _ schema: TableSchema) {
    let name = planned.root.name
    guard
      let table = schema.table(named: planned.name) ?? schema.table(named: name)
        ?? schema.tables.first(where: { TableNames.entity(table: $0.name) == name })
    else {
      return report(.tableMissing, "“\(name)” needs the table \(planned.name)")
    }
    guard table.kind == "table" else {
      return report(.notATable, "“\(name)” needs the table \(table.name), which is a \(table.kind)")
    }
    var bound = Table(
      planned: planned, table: table, key: .counted(table.primaryKey), columns: [],
      number: tables.count)
    if let key = Self.key(planned, table) {
      bound.key = key
    } else {
      report(.columnMissing, "\(table.name) has no column \(planned.keyColumn) for the keys")
    }
    for column in planned.columns {
      if let several = Self.several(column, in: table) {
        bound.listedColumns[column.storedName] = several
        bound.columns.append((column, column.name))
      } else if let found = Self.find(column, in: table, schema) {
        bound.columns.append((column, found))
      } else {
        reportMissing(column, in: table)
      }
    }
    if let column = planned.entityColumn {
      bound.entityColumn = table.column(named: column)?.name
      if bound.entityColumn == nil {
        report(.columnMissing, "\(table.name) has no column \(column) for the entities' names")
      }
    }
    numbers[name] = tables.count
    tables.append(bound)
  }

  private mutating func reportMissing(_ column: TablePlan.Column, in table: TableSchema.Table) {
    // Without a column of positions, rows have no order.
    if case .position = column.role { return }
    let property = "\(column.entityName).\(column.property)"
    if let computed = table.computedColumn(named: column.name) {
      report(.computedColumn, "\(table.name).\(computed) for “\(property)”")
    } else {
      report(.columnMissing, "\(table.name) has no column \(column.name) for “\(property)”")
    }
  }

  private mutating func bind(_ planned: TablePlan.Join, _ schema: TableSchema) {
    guard let table = schema.table(named: planned.name), table.kind == "table" else {
      return report(
        .tableMissing, "“\(planned.stored.owner.relationshipName)” needs the table \(planned.name)")
    }
    guard let owner = table.column(named: planned.owner.column)?.name,
      let other = table.column(named: planned.other.column)?.name
    else {
      return report(
        .columnMissing,
        "\(table.name) has no columns \(planned.owner.column) and \(planned.other.column)")
    }
    joins.append(
      Join(
        planned: planned, table: table, owner: owner, other: other,
        ownerPosition: planned.owner.position.flatMap { table.column(named: $0.name)?.name },
        otherPosition: planned.other.position.flatMap { table.column(named: $0.name)?.name }))
  }

  /// - Complexity: O(1): it is asked for each link.
  func table(ofRoot name: String) -> Table? { numbers[name].map { tables[$0] } }

  /// The foreign keys that the model declares by `parentColumn`: the table's index in ``tables``,
  /// the property, the key.
  private func namedKeys() -> [(Int, String, TableSchema.ForeignKey)] {
    tables.indices.flatMap { index in
      tables[index].columns.compactMap { planned, name in
        guard case .toOne(let relationship, let owner, let root, _) = planned.role,
          let list = relationship.userInfo[TableModel.Key.parentColumn],
          let parent = table(ofRoot: root)
        else { return nil }
        let columns = tables[index].keyColumns(of: planned, name)
        let isOne = columns.count == 1 && parent.table.column(named: list) != nil
        let key = TableSchema.ForeignKey(
          columns: columns, parentTable: parent.table.name,
          parentColumns: isOne ? [list] : ColumnList.names(list), onDelete: "")
        return (index, "\(owner).\(relationship.name)", key)
      }
    }
  }

  /// The first column to which a foreign key refers and which the parent does not have.
  private func missingColumn(of key: TableSchema.ForeignKey) -> String? {
    guard let parent = tables.first(where: { SQLName.areSame($0.table.name, key.parentTable) }),
      let columns = key.parentColumns
    else { return nil }
    if columns.count != key.columns.count { return columns.joined(separator: ", ") }
    return columns.first { parent.table.column(named: $0) == nil }
  }

  private static func key(_ planned: TablePlan.Table, _ table: TableSchema.Table) -> RowKey? {
    var column = TableModel.keyColumn(of: table)
    if planned.isKeyNamed {
      guard let named = table.column(named: planned.keyColumn)?.name else { return nil }
      column = named
    }
    if let column {
      return .column(
        column,
        isUnique: table.rowIdentifierColumn.map { SQLName.areSame($0, column) } == true)
    }
    if let name = table.rowIdentifier { return .rowIdentifier(name) }
    if table.isWithoutRowID { return .counted(table.primaryKey) }
    var taken = Set(table.columns.map { $0.name.lowercased() })
    return .placed(TableNames.unique("passage_row", among: &taken))
  }

  /// The columns that form one link together, as the database declares them; `nil` if the link has
  /// only one. A column whose own name is the list is meant where no foreign key has those columns.
  private static func several(
    _ column: TablePlan.Column, in table: TableSchema.Table
  ) -> [String]? {
    guard case .toOne = column.role else { return nil }
    let listed = ColumnList.names(column.name)
    let names = listed.compactMap { table.column(named: $0)?.name }
    guard listed.count > 1, names.count == listed.count,
      table.column(named: column.name) == nil || table.foreignKey(of: names) != nil
    else { return nil }
    return names
  }

  private static func find(
    _ column: TablePlan.Column, in table: TableSchema.Table, _ schema: TableSchema
  ) -> String? {
    if let found = table.column(named: column.name) { return found.name }
    let names = ColumnList.names(column.name)
    if case .toOne = column.role, names.count == 1, let found = table.column(named: names[0]) {
      return found.name
    }
    let property = column.property
    return table.column(named: property)?.name
      ?? table.columns.first { found in
        if case .toOne = column.role {
          return TableNames.relationship(
            column: found.name, to: table.parentColumn(of: found.name, in: schema) ?? "id")
            == property
        }
        return TableNames.property(column: found.name) == property
      }?.name
  }
}

extension TablePlan.Column {
  /// The name of the column's property.
  var property: String {
    switch role {
    case .attribute(let attribute): attribute.name
    case .toOne(let relationship, _, _, _): relationship.name
    case .position: name
    }
  }
}
