package import PassageModels
internal import PassageSQLite
internal import PassageValues

extension OpenStore {
  /// The tables of the store.
  ///
  /// - Complexity: O(n) in the tables and columns.
  package func schema() throws(StoreError) -> StoreSchema {
    if let knownSchema { return knownSchema }
    let schema = try readSchema()
    knownSchema = schema
    return schema
  }

  private func readSchema() throws(StoreError) -> StoreSchema {
    try reading { connection in
      // table_xinfo includes generated columns; rootpage is 0 for virtual tables.
      let statement = try connection.prepare(
        """
        SELECT m.name, x.name, x.pk, upper(x.type) = 'INTEGER' FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name) AS x
        WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.rowid, x.cid
        """)
      var tables: [StoreSchema.Table] = []
      // If a primary key has several columns, none of them is the row id.
      var keyCounts: [Int] = []
      while try statement.step() {
        guard let table = statement.value(at: 0).string, let column = statement.value(at: 1).string
        else { continue }
        if tables.last?.name == table {
          tables[tables.count - 1].columns.append(column)
        } else {
          tables.append(StoreSchema.Table(name: table, columns: [column]))
          keyCounts.append(0)
        }
        guard statement.integer(at: 2) > 0, let last = tables.indices.last else { continue }
        keyCounts[last] += 1
        tables[last].keyColumn =
          keyCounts[last] == 1 && statement.integer(at: 3) == 1 ? column : nil
      }
      return StoreSchema(tables: tables)
    }
  }

  /// The layout of the store for the model it was written with: predicted from the model, and
  /// adapted to the tables that the store has.
  ///
  /// - Parameter predicted: the layout of the model; `nil` to predict it.
  /// - Throws: ``StoreError`` of kind `layoutMismatch` if a table or column is missing,
  ///   `generatedColumn` if a column would be computed.
  package func layout(
    of model: Model, predicted: StoreLayout? = nil
  ) throws(StoreError) -> StoreLayout {
    if let known = knownLayouts.first(where: {
      $0.model.name == model.name && $0.model.versionHashes == model.versionHashes
    }) {
      return known.layout
    }
    let layout = try (predicted ?? StoreLayout(model: model)).fitted(
      to: schema(), path: unit.path)
    try code.refuseGeneratedColumns(
      ofTables: layout.tables.map(\.name) + layout.joinTables.map(\.name), path: unit.path)
    knownLayouts.append((model, layout))
    return layout
  }
}
