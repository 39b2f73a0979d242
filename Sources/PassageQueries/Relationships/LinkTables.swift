package import PassageExpressions
internal import PassageModels
package import PassageSQLite
package import PassageStores
internal import PassageValues

/// Replacements for relationship indexes that a store does not have: temporary tables, on disk, of
/// the connection that runs the expressions. They are made once per connection from a source that
/// does not change.
///
/// Core Data creates an index for each end of a relationship. Without it, finding the related
/// objects of each row would require a scan of the other table.
package struct LinkTables: Sendable {
  private struct Link: Hashable {
    var table: String
    var column: String
  }

  private var made: Set<Link> = []

  /// No tables, for a store that has its indexes.
  package init() {}

  /// Makes the tables that do not exist yet.
  ///
  /// - Parameter schema: the schema under which the store is attached; empty on the store's own
  ///   connection.
  /// - Complexity: one pass over each table that lacks an index.
  package init(
    for related: [RelatedObjects], layout: StoreLayout, schema: String, connection: Connection
  ) throws {
    let prefix = schema.isEmpty ? "" : schema.quotedIdentifier + "."
    for related in related {
      var entity = layout.entity(named: related.startEntityName)
      for relationship in related.relationships {
        let stored = entity.flatMap { LinkRows(ofRelationship: relationship.name, of: $0) }
        entity = layout.entity(named: relationship.destinationEntityName)
        guard let stored, stored.row != .owner else { continue }
        let link = Link(table: stored.table, column: stored.owner)
        // A place that is stored in the related object's own row is read from there.
        let place = stored.row == .pair ? stored.place?.quotedIdentifier : nil
        let columns = "\(stored.related.quotedIdentifier), \(place ?? "NULL")"
        guard !made.contains(link),
          try !Self.isIndexed(link, schema: prefix, connection: connection)
        else { continue }
        try Self.make(link, columns, schema: prefix, connection: connection)
        made.insert(link)
      }
    }
  }

  /// The table that replaces the index of a column, with the columns `k` for its values, `key` for
  /// the other end's keys and `place` for the places; `nil` when the store has an index.
  func table(_ table: String, _ column: String) -> String? {
    let link = Link(table: table, column: column)
    return made.contains(link) ? "temp.\(Self.name(link).quotedIdentifier)" : nil
  }

  private static func name(_ link: Link) -> String {
    "passage_links \(link.table).\(link.column)"
  }

  /// Whether an index that covers all rows begins with the column, in the collation and with the
  /// affinity that comparisons with keys use.
  private static func isIndexed(
    _ link: Link, schema: String, connection: Connection
  ) throws -> Bool {
    let columns = try connection.prepare(
      "PRAGMA \(schema)table_xinfo(\(link.table.quotedIdentifier))")
    var isOfNumbers = true
    while try columns.step() {
      if let name = columns.value(at: 1).string, SQLName.areSame(name, link.column) {
        isOfNumbers = Column.DeclaredType.integer.isCompared(
          like: columns.value(at: 2).string ?? "")
      }
    }
    guard isOfNumbers else { return false }
    let list = try connection.prepare(
      "PRAGMA \(schema)index_list(\(link.table.quotedIdentifier))")
    var names: [String] = []
    while try list.step() {
      if list.integer(at: 4) == 0, let name = list.value(at: 1).string { names.append(name) }
    }
    for name in names {
      let parts = try connection.prepare("PRAGMA \(schema)index_xinfo(\(name.quotedIdentifier))")
      defer { parts.reset() }
      if try parts.step(), let first = parts.value(at: 2).string,
        SQLName.areSame(first, link.column), parts.value(at: 4).string == "BINARY"
      {
        return true
      }
    }
    return false
  }

  private static func make(
    _ link: Link, _ columns: String, schema: String, connection: Connection
  ) throws {
    let name = name(link)
    let exists = try connection.integer(
      "SELECT count(*) FROM temp.sqlite_master WHERE name = ?", [.text(name)])
    guard exists == 0 else { return }
    let column = link.column.quotedIdentifier
    // The columns have the type of the keys with which they are compared; otherwise SQLite could
    // not use the primary key.
    try connection.execute(
      "CREATE TABLE temp.\(name.quotedIdentifier) (k INTEGER, key INTEGER, place INTEGER, PRIMARY KEY (k, key)) WITHOUT ROWID"
    )
    try connection.execute(
      "INSERT OR IGNORE INTO temp.\(name.quotedIdentifier) SELECT \(column), \(columns) "
        + "FROM \(schema)\(link.table.quotedIdentifier) NOT INDEXED WHERE \(column) IS NOT NULL")
  }
}
