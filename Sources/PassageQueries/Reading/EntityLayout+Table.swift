internal import PassageSQLite
package import PassageStores

extension EntityLayout {
  /// The entity's table in a statement.
  ///
  /// - Parameter schema: the schema under which the store is attached; empty on the store's own
  ///   connection. A table that is not in the store has its own.
  package func table(inSchema schema: String) -> String {
    let schema = schemaName ?? schema
    let prefix = schema.isEmpty ? "" : schema.quotedIdentifier + "."
    return prefix + tableName.quotedIdentifier
  }
}
