internal import PassageDiagnostics
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Looks for damage in the source after a migration failed in a way that is impossible with a sound
/// source: the accounts do not add up, or SQLite rejected a correct statement.
///
/// A query of the source uses whichever b-tree is fastest, a table or one of its indexes. In a
/// sound store they agree; in a damaged one, an object may be counted by one and not read by the
/// other. Comparing them costs as much as a migration, so it is done only if something does not add
/// up.
struct SourceDamage {
  let path: String
  let layout: StoreLayout

  /// What is wrong with the store; `nil` when it is sound and the failure has another cause.
  func diagnostic() throws -> Diagnostic? {
    let store = try StoreFile.open(path: path)
    for table in layout.tables {
      if let found = try strangers(of: table, in: store) ?? smallKeys(of: table, in: store) {
        return found
      }
    }
    let findings = try store.fullCheck(limit: 3)
    guard !findings.isEmpty else { return nil }
    return Diagnostic(
      "RUN-034", "the source's tables and indexes do not agree",
      at: SourceLocation(file: path), reason: findings.joined(separator: "; "),
      remedy: "repair a copy with “REINDEX” and check its contents, or migrate a backup")
  }

  /// Keys that Core Data gives to no object.
  private func smallKeys(of table: TableLayout, in store: OpenStore) throws -> Diagnostic? {
    let smallest = try store.connection.rows("SELECT min(Z_PK) FROM \(table.name.quotedIdentifier)")
    guard let key = smallest.first?.first?.integer, key < 1 else { return nil }
    return Diagnostic(
      "RUN-021", "the keys of \(table.name) are not those of objects",
      at: SourceLocation(file: path), reason: "the smallest one is \(key)",
      remedy: "keys are whole numbers from 1; look for a damaged Z_PK in the source")
  }

  /// The error about rows of a table that belong to no entity of the model.
  static func strangers(count: Int64, table: String, path: String) -> Diagnostic {
    Diagnostic(
      "RUN-022",
      "\(count) row\(count == 1 ? "" : "s") of \(table) belong\(count == 1 ? "s" : "") to no entity "
        + "of the source model",
      at: SourceLocation(file: path),
      reason: "Z_ENT is not the number of an entity of that table",
      remedy: "repair the store, or migrate a copy without these rows")
  }

  private func strangers(of table: TableLayout, in store: OpenStore) throws -> Diagnostic? {
    // In a table of one entity every number is accepted, as by Core Data.
    guard table.hasSubentities else { return nil }
    let own = layout.entities.filter { $0.tableName == table.name }.map { "\($0.number)" }
    let count = try store.connection.integer(
      "SELECT count(*) FROM \(table.name.quotedIdentifier) NOT INDEXED "
        + "WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(own.joined(separator: ", ")))")
    return count == 0 ? nil : Self.strangers(count: count, table: table.name, path: path)
  }
}
