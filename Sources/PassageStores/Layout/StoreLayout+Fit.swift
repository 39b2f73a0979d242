internal import PassageDiagnostics

extension StoreLayout {
  /// The layout with the names a store really has.
  ///
  /// Entity tables keep their names in every store seen, so each predicted column must be there;
  /// more columns, or another order, do not matter. A join table may be named after either end: it is
  /// then found by its two columns, and the end whose column comes first is its owner.
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

  /// Throws when the model asks for what cannot be written.
  ///
  /// - Throws: ``StoreError`` of kind `modelNotWritable`, naming everything.
  package func checkWritable(path: String) throws(StoreError) {
    guard unsupported.hasErrors else { return }
    throw StoreError(
      .modelNotWritable, path: path,
      detail: unsupported.errors.map(\.message).joined(separator: "; "))
  }

  /// The predicted table, or one with the same two columns under another name.
  private func find(_ predicted: JoinTable, in schema: StoreSchema) -> JoinTable? {
    func fits(_ table: String) -> Bool {
      predicted.columns.allSatisfy { schema.hasColumn($0, inTable: table) }
    }
    let found =
      fits(predicted.name)
      ? schema.table(named: predicted.name)
      : schema.tables.first { $0.name.hasPrefix("Z_") && fits($0.name) }
    guard let found else { return nil }
    var joinTable = predicted
    joinTable.name = found.name
    if found.columns.first?.uppercased() == predicted.other.column.uppercased() {
      swap(&joinTable.owner, &joinTable.other)
    }
    return joinTable
  }

  private func replacing(_ replaced: [JoinTable: JoinTable]) -> StoreLayout {
    guard !replaced.isEmpty else { return self }
    var layout = self
    layout.joinTables = joinTables.map { replaced[$0] ?? $0 }
    let indexes = Dictionary(
      replaced.map { ($0.key.index, $0.value.index) }, uniquingKeysWith: { first, _ in first })
    layout.indexes = self.indexes.map { indexes[$0] ?? $0 }
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
