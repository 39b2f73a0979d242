internal import PassageDiagnostics
internal import PassagePlatform
internal import PassageSQLite

extension StoreLayout {
  /// Adapts the layout to the names that a store really has.
  ///
  /// Entity tables keep their names in every store seen, so each predicted column must exist and
  /// `Z_PK` must be the table's key. Additional columns, or another order, do not matter. A column
  /// that is named after an entity's number may have an old number, and is then found by the rest
  /// of its name. A join table may be named after either end, or after old numbers. It is then
  /// found by its two columns, and the end whose column comes first is its owner. Where two tables
  /// or columns fit, neither is chosen.
  ///
  /// - Parameters:
  ///   - schema: the store's tables.
  ///   - path: the store's path, for the error.
  /// - Throws: ``StoreError`` of kind `layoutMismatch`, with every missing table, column and key.
  package func fitted(to schema: StoreSchema, path: String) throws(StoreError) -> StoreLayout {
    var missing: [String] = []
    var renamed: [String: [String: String]] = [:]
    for table in tables {
      guard let present = schema.table(named: table.name) else {
        missing.append("table \(table.name)")
        continue
      }
      let predicted = Set(table.columns.map { SQLName($0.name) })
      // Two columns of the model never match one column of the store.
      var free = present.columns.filter { !predicted.contains(SQLName($0)) }
      for column in table.columns
      where !schema.hasColumn(column.name, inTable: table.name) {
        if column.role.isNumbered, let found = NumberedName.match(column.name, among: free) {
          renamed[table.name, default: [:]][column.name] = found
          free.removeAll { SQLName.areSame($0, found) }
        } else {
          missing.append("column \(table.name).\(column.name)")
        }
      }
      // Objects are read in the order of SQLite's row id, and every link refers to it.
      if let key = table.columns.first(where: { $0.role == .key })?.name,
        present.columns.contains(where: { SQLName.areSame($0, key) }),
        present.keyColumn.map({ SQLName.areSame($0, key) }) != true
      {
        missing.append("integer primary key \(table.name).\(key)")
      }
    }
    var replaced: [JoinTable: JoinTable] = [:]
    let exact = Set(joinTables.map { SQLName($0.name) })
    for joinTable in joinTables {
      if let found = find(joinTable, in: schema)
        ?? findRenumbered(joinTable, in: schema, others: exact)
      {
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
    return renamingColumns(renamed).replacing(replaced)
  }

  /// Throws if the model needs something that Passage cannot write.
  ///
  /// - Throws: ``StoreError`` of kind `modelNotWritable`, with everything that cannot be written.
  package func checkWritable(path: String) throws(StoreError) {
    guard unsupported.hasErrors else { return }
    throw StoreError(
      .modelNotWritable, path: path,
      detail: unsupported.errors.map(\.message).joined(separator: "; "))
  }

  /// Finds the predicted table, or one with the same two columns and another name.
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
    if found.columns.first.map({ SQLName.areSame($0, predicted.other.column) }) == true {
      swap(&joinTable.owner, &joinTable.other)
    }
    return joinTable
  }

  /// Finds the only table whose name and columns differ from the predicted ones just in their
  /// numbers: that of the entity, and the one that tells equal names apart.
  private func findRenumbered(
    _ predicted: JoinTable, in schema: StoreSchema, others: Set<SQLName>
  ) -> JoinTable? {
    func columns(of table: StoreSchema.Table) -> [String: String]? {
      var free = table.columns
      var found: [String: String] = [:]
      for (end, far) in [
        (predicted.owner, predicted.other), (predicted.other, predicted.owner),
      ] {
        let match =
          free.first { SQLName.areSame($0, end.column) }
          ?? NumberedName.match(end.column, among: free)
          ?? NumberedName.match(
            end.column, telling: far.relationshipName.uppercased(), among: free)
        guard let match else { return nil }
        found[end.column] = match
        free.removeAll { SQLName.areSame($0, match) }
      }
      for column in [predicted.owner, predicted.other].compactMap(\.orderColumn) {
        let key = found.first { "Z_FOK_\($0.key.dropFirst(2))" == column }?.value ?? column
        let match =
          free.first { SQLName.areSame($0, "Z_FOK_\(key.dropFirst(2))") }
          ?? NumberedName.match(column, among: free)
        guard let match else { return nil }
        found[column] = match
        free.removeAll { SQLName.areSame($0, match) }
      }
      return found
    }
    let names = [predicted.owner, predicted.other].map { end in
      NumberedName("Z_1\(end.relationshipName.uppercased())")
    }
    let candidates = schema.tables.compactMap { table in
      let isNamedAlike = NumberedName(table.name.uppercasedInASCII).map(names.contains) ?? false
      // A table with the name of another relationship is that one's.
      let name = SQLName(table.name)
      let isFree = name == SQLName(predicted.name) || !others.contains(name)
      return isNamedAlike && isFree ? columns(of: table).map { (table, $0) } : nil
    }
    guard candidates.count == 1, let (table, found) = candidates.first else { return nil }
    var joinTable = predicted
    joinTable.name = table.name
    for end in [\JoinTable.owner, \JoinTable.other] as [WritableKeyPath<JoinTable, JoinTable.End>] {
      joinTable[keyPath: end].column =
        found[predicted[keyPath: end].column] ?? predicted[keyPath: end].column
      joinTable[keyPath: end].orderColumn = predicted[keyPath: end].orderColumn.map {
        found[$0] ?? $0
      }
    }
    if table.columns.first.map({ SQLName.areSame($0, joinTable.other.column) }) == true {
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
        guard case .joinTable(let table, let this, _, let order) = storage,
          let found = replaced[table]
        else { return storage }
        let isOwner = this == table.owner.column
        // The two ends of a relationship that is its own inverse differ only in their columns.
        let wasSwapped =
          table.isSelfInverse
          ? (table.owner.column == "REFLEXIVE") != (found.owner.column == "REFLEXIVE")
          : table.owner.relationshipName != found.owner.relationshipName
            || table.owner.entityName != found.owner.entityName
        let end = isOwner != wasSwapped ? found.owner : found.other
        let far = isOwner != wasSwapped ? found.other : found.owner
        return .joinTable(
          found, thisColumn: end.column, otherColumn: far.column,
          orderColumn: order == nil ? nil : end.orderColumn)
      }
    }
    return layout
  }
}
