extension StoreLayout {
  /// The layout with the names a store really has.
  ///
  /// Entity tables keep their names in every store seen, so each predicted column must be there;
  /// more columns, or another order, do not matter. A join table may have the name of either end:
  /// it is then found by its two columns.
  ///
  /// - Parameters:
  ///   - schema: the store's tables.
  ///   - path: the store's path, for the error.
  /// - Throws: ``StoreError`` of kind `layoutMismatch`, with every missing table and column.
  public func fitted(to schema: StoreSchema, path: String) throws(StoreError) -> StoreLayout {
    var missing: [String] = []
    for table in tables {
      guard schema.table(named: table.name) != nil else {
        missing.append("table \(table.name)")
        continue
      }
      for column in table.columns
      where !schema.hasColumn(column.name, inTable: table.name) {
        missing.append("column \(table.name).\(column.name)")
      }
    }
    var replaced: [JoinTable: JoinTable] = [:]
    for joinTable in joinTables {
      if let found = find(joinTable, in: schema) {
        if found != joinTable { replaced[joinTable] = found }
      } else {
        missing.append("table \(joinTable.name)")
      }
    }
    guard missing.isEmpty else {
      let shown = missing.prefix(20).joined(separator: ", ")
      let rest = missing.count > 20 ? " and \(missing.count - 20) more" : ""
      throw StoreError(.layoutMismatch, path: path, detail: "it has no \(shown)\(rest)")
    }
    return replacing(replaced)
  }

  /// The predicted table, or one with the same two columns under another name.
  private func find(_ predicted: JoinTable, in schema: StoreSchema) -> JoinTable? {
    func fits(_ table: String) -> Bool {
      predicted.columns.allSatisfy { schema.hasColumn($0, inTable: table) }
    }
    if fits(predicted.name) { return predicted }
    let found = schema.tables.first { $0.name.hasPrefix("Z_") && fits($0.name) }
    return found.map { table in
      var joinTable = predicted
      joinTable.name = table.name
      return joinTable
    }
  }

  private func replacing(_ replaced: [JoinTable: JoinTable]) -> StoreLayout {
    guard !replaced.isEmpty else { return self }
    var layout = self
    layout.joinTables = joinTables.map { replaced[$0] ?? $0 }
    for index in layout.entities.indices {
      layout.entities[index].storages = layout.entities[index].storages.mapValues { storage in
        guard case .joinTable(let table, let this, let other, let order) = storage,
          let found = replaced[table]
        else { return storage }
        return .joinTable(found, thisColumn: this, otherColumn: other, orderColumn: order)
      }
    }
    return layout
  }
}
