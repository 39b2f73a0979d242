package import PassageExpressions
package import PassageModels
package import PassageSQLite
package import PassageStores
package import PassageValues

/// The tables in which expressions look up values of objects: temporary tables, on disk, of the
/// connection that runs the expressions. They are made once per connection from a source that does
/// not change.
///
/// Making a table takes one pass over the entity's table. Each look-up is then a search by key,
/// whatever the number of objects, and whether or not the source has an index.
package final class LookupTables {
  let connection: Connection
  private let model: Model
  let layout: StoreLayout
  private let schema: String
  let schemaName: String
  private var statements: [ObjectLookup: Statement] = [:]

  /// - Parameter schema: the schema under which the source is attached; empty on the source's own
  ///   connection.
  package init(connection: Connection, model: Model, layout: StoreLayout, schema: String) {
    self.connection = connection
    self.model = model
    self.layout = layout
    schemaName = schema
    self.schema = schema.isEmpty ? "" : schema.quotedIdentifier + "."
  }

  /// Makes the tables that do not exist yet.
  package func make(_ lookups: [ObjectLookup]) throws {
    for lookup in lookups {
      let exists = try connection.integer(
        "SELECT count(*) FROM temp.sqlite_master WHERE name = ?", [.text(lookup.tableName)])
      guard exists == 0 else { continue }
      if try makeTree(lookup) { continue }
      guard let select = select(lookup) else { continue }
      let table = "temp." + lookup.tableName.quotedIdentifier
      // The columns have no types, so that keys are compared as they are stored.
      try connection.execute("CREATE TABLE \(table) (key PRIMARY KEY, result) WITHOUT ROWID")
      try connection.execute("INSERT OR IGNORE INTO \(table) \(select)")
    }
  }

  /// The result for a key; NULL when the key does not exist.
  package func result(of lookup: ObjectLookup, beside key: Value) throws -> Value {
    let statement: Statement
    if let known = statements[lookup] {
      statement = known
    } else {
      statement = try connection.prepare(
        "SELECT result FROM temp.\(lookup.tableName.quotedIdentifier) WHERE key = ?")
      statements[lookup] = statement
    }
    defer { statement.reset() }
    try statement.bind(key, at: 1)
    return try statement.step() ? statement.value(at: 0) : .null
  }

  /// Selects keys and results, ordered so that the first of several equal keys is kept; `nil` for
  /// an entity or attribute that the store does not contain.
  private func select(_ lookup: ObjectLookup) -> String? {
    if case .store = lookup.content { return "SELECT 0, Z_UUID FROM \(schema)Z_METADATA LIMIT 1" }
    guard let entity = layout.entity(named: lookup.entityName) else {
      return switch lookup.content {
      case .named(let key): "SELECT \(key), \(ObjectLookup.noKey)"
      case .members: "SELECT 0, 0 WHERE 0"
      default: nil
      }
    }
    let from = "FROM \(schema)\(entity.tableName.quotedIdentifier) AS o NOT INDEXED"
    switch lookup.content {
    case .value(let key, _), .object(let key):
      guard let keyColumn = entity.columnName(ofAttribute: key),
        let resultColumn = resultColumn(of: lookup, in: entity)
      else { return nil }
      let column = "o.\(keyColumn.quotedIdentifier)"
      return "SELECT \(column), o.\(resultColumn.quotedIdentifier) \(from) "
        + "WHERE \(entity.isKind("o")) AND \(column) IS NOT NULL ORDER BY o.\"Z_PK\""
    case .depth, .path: return nil
    case .place:
      return "SELECT o.\"Z_PK\", row_number() OVER (ORDER BY o.\"Z_PK\") \(from) "
        + "WHERE \(entity.isOwn("o"))"
    case .named(let key):
      return "SELECT \(key), coalesce((SELECT o.\"Z_PK\" \(from) "
        + "WHERE o.\"Z_PK\" = \(key) AND \(entity.isKind("o"))), \(ObjectLookup.noKey))"
    case .members: return "SELECT o.\"Z_PK\", o.\"Z_PK\" \(from) WHERE \(entity.isKind("o"))"
    case .store: return nil
    }
  }

  private func resultColumn(of lookup: ObjectLookup, in entity: EntityLayout) -> String? {
    if case .value(_, let result) = lookup.content {
      return entity.columnName(ofAttribute: result)
    }
    return "Z_PK"
  }
}
