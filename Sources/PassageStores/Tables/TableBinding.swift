internal import PassageDiagnostics
internal import PassageModels

/// A model found in the tables of a database.
struct TableBinding {
  /// How the rows of a table are addressed by integers.
  enum RowKey {
    /// A column that holds the keys; `isUnique` when SQLite itself sees to it.
    case column(String, isUnique: Bool)
    /// The number SQLite gives each row.
    case rowIdentifier(String)
    /// Rows of a table without such numbers are counted in the order of their primary key.
    case counted([String])
  }

  struct Table {
    var planned: TablePlan.Table
    var table: TableSchema.Table
    var key: RowKey
    /// Column by column, as they are called in the database; `nil` for a place that is not kept.
    var columns: [(planned: TablePlan.Column, name: String)]
    var entityColumn: String?
    /// The number in temporary names.
    var number: Int

    /// The foreign key the database declares for a column, or for several that its name lists.
    func foreignKey(_ column: String) -> TableSchema.ForeignKey? {
      table.foreignKeys.first {
        $0.columns.joined(separator: ",").lowercased() == column.lowercased()
      }
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

  let plan: TablePlan
  private(set) var tables: [Table] = []
  private(set) var joins: [Join] = []

  /// - Throws: every table and column that is not there: `STO-131` to `STO-133`.
  init(model: Model, schema: TableSchema, path: String) throws(Diagnostics) {
    plan = TablePlan(model: model)
    var mistakes = Diagnostics()
    func report(_ kind: StoreError.Kind, _ detail: String) {
      mistakes.append(StoreError(kind, path: path, detail: detail).diagnostic)
    }
    for planned in plan.tables {
      let name = planned.root.name
      guard
        let table = schema.table(named: planned.name) ?? schema.table(named: name)
          ?? schema.tables.first(where: { TableNames.entity(table: $0.name) == name })
      else {
        report(.tableMissing, "“\(name)” would be the table \(planned.name)")
        continue
      }
      guard table.kind == "table" else {
        report(.notATable, "“\(name)” would be \(table.name), which is a \(table.kind)")
        continue
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
        if let found = Self.find(column, in: table) {
          bound.columns.append((column, found))
        } else if case .position = column.role {
          // Rows without places come in no order.
        } else {
          report(
            .columnMissing,
            "\(table.name) has no column \(column.name) for “\(column.entityName).\(column.property)”"
          )
        }
      }
      if let column = planned.entityColumn {
        bound.entityColumn = table.column(named: column)?.name
        if bound.entityColumn == nil {
          report(.columnMissing, "\(table.name) has no column \(column) for the entities' names")
        }
      }
      tables.append(bound)
    }
    for planned in plan.joins {
      guard let table = schema.table(named: planned.name), table.kind == "table" else {
        report(.tableMissing, "“\(planned.stored.owner.relationshipName)” would be \(planned.name)")
        continue
      }
      guard let owner = table.column(named: planned.owner.column)?.name,
        let other = table.column(named: planned.other.column)?.name
      else {
        report(
          .columnMissing,
          "\(table.name) has no columns \(planned.owner.column) and \(planned.other.column)")
        continue
      }
      joins.append(
        Join(
          planned: planned, table: table, owner: owner, other: other,
          ownerPosition: planned.owner.position.flatMap { table.column(named: $0.name)?.name },
          otherPosition: planned.other.position.flatMap { table.column(named: $0.name)?.name }))
    }
    try mistakes.throwIfErrors()
  }

  func table(ofRoot name: String) -> Table? { tables.first { $0.planned.root.name == name } }

  private static func key(_ planned: TablePlan.Table, _ table: TableSchema.Table) -> RowKey? {
    var column = TableModel.keyColumn(of: table)
    if planned.isKeyNamed {
      guard let named = table.column(named: planned.keyColumn)?.name else { return nil }
      column = named
    }
    if let column {
      return .column(
        column, isUnique: column.lowercased() == table.rowIdentifierColumn?.lowercased())
    }
    return table.rowIdentifier.map { .rowIdentifier($0) } ?? .counted(table.primaryKey)
  }

  private static func find(_ column: TablePlan.Column, in table: TableSchema.Table) -> String? {
    if let found = table.column(named: column.name) { return found.name }
    // Several columns that are one foreign key.
    if table.foreignKeys.contains(where: {
      $0.columns.joined(separator: ",").lowercased() == column.name.lowercased()
    }) {
      return column.name
    }
    let property = column.property
    return table.column(named: property)?.name
      ?? table.columns.first { found in
        if case .toOne = column.role {
          return TableNames.relationship(column: found.name) == property
        }
        return TableNames.property(column: found.name) == property
      }?.name
  }
}

extension TablePlan.Column {
  /// The property the column is.
  var property: String {
    switch role {
    case .attribute(let attribute): attribute.name
    case .toOne(let relationship, _, _, _): relationship.name
    case .position: name
    }
  }
}
