internal import PassagePlatform
internal import PassageSQLite

/// Decides what each entry of a store's schema belongs to.
struct SchemaClassifier {
  private let schema: StoreSchema
  private let modelled: Set<SQLName>

  init(layout: StoreLayout, schema: StoreSchema) {
    self.schema = schema
    modelled = Set(
      (layout.tables.map(\.name) + layout.joinTables.map(\.name)
        + BookkeepingTable.allCases.map(\.rawValue)).map(SQLName.init))
  }

  /// - Returns: `nil` for what belongs to the model, to Core Data's bookkeeping or to SQLite, and
  ///   for what is created again.
  func kind(of entry: SchemaFacts.Entry) -> UnmodelledContents.Kind? {
    let name = entry.name
    // A virtual table has no pages of its own.
    let isVirtual = entry.rootPage == 0
    let folded = name.uppercasedInASCII
    switch entry.type {
    case "view": return .view
    case "index":
      // All names that Core Data gives to indexes of its tables begin like those of the tables.
      let isOwn = folded.hasPrefix("Z") || folded.hasPrefix("SQLITE_")
      return isOwn || !modelled.contains(SQLName(entry.tableName)) ? nil : .index
    case "trigger":
      // Core Data's own triggers: of derived attributes and of R-tree indexes.
      return folded.hasPrefix("Z_DA_") || folded.hasPrefix("Z_RT_") ? nil : .trigger
    default: break
    }
    let isIndex =
      folded.hasPrefix("Z_RT_")
      && (isVirtual || ["_NODE", "_ROWID", "_PARENT"].contains { folded.hasSuffix($0) })
    if modelled.contains(SQLName(name)) || folded.hasPrefix("SQLITE_") || isIndex { return nil }
    if HistoryTables.names.contains(folded), !isVirtual { return .history }
    if folded.hasPrefix("ANSCK") { return .cloudKit }
    return !isVirtual && isFormer(name) ? .formerTable : .appTable
  }

  /// Whether Core Data created the table for an earlier model: it has the three columns of every
  /// entity's table, or the columns of a join table.
  private func isFormer(_ name: String) -> Bool {
    guard name.uppercasedInASCII.hasPrefix("Z"), let table = schema.table(named: name) else {
      return false
    }
    let columns = table.columns.map(\.uppercasedInASCII)
    if ["Z_PK", "Z_ENT", "Z_OPT"].allSatisfy(columns.contains) { return true }
    return columns.count >= 2 && columns.count <= 4 && name.uppercasedInASCII.hasPrefix("Z_")
      && columns.allSatisfy { Self.isNumberedColumn($0) || $0 == "REFLEXIVE" }
  }

  /// Whether a column is named after an entity's number: `Z5_OWNER`, `Z_5OWNERS`, `Z_FOK_OWNER`.
  /// Such a column belongs to another column and never holds a value of its own.
  static func isNumberedColumn(_ name: String) -> Bool {
    let folded = name.uppercasedInASCII
    return folded.hasPrefix("Z_") || NumberedName(folded).map { $0.rest.hasPrefix("_") } ?? false
  }
}
