/// One trigger of a store.
package struct TriggerLayout: Sendable, Hashable {
  /// What sets it off.
  package enum Event: Sendable, Hashable {
    case insert
    /// A change of one of these columns.
    case update([String])
    case delete
  }

  /// The name as it is in the store.
  package var name: String
  /// The table it watches.
  package var tableName: String
  package var event: Event
  /// What it does, each statement without its semicolon.
  package var statements: [String]

  /// The statement that makes the trigger, in the words Core Data writes.
  package var createStatement: String { statement(condition: "") }

  /// The same statement, doing nothing when a trigger of this name exists; SQLite keeps the same text.
  package var createIfMissingStatement: String { statement(condition: "IF NOT EXISTS ") }

  private func statement(condition: String) -> String {
    let event =
      switch event {
      case .insert: "INSERT"
      case .update(let columns):
        "UPDATE OF \(columns.map(\.layoutIdentifier).joined(separator: ", "))"
      case .delete: "DELETE"
      }
    let body = statements.map { "\($0); " }.joined()
    return "CREATE TRIGGER \(condition)\(name.layoutIdentifier) AFTER \(event) "
      + "ON \(tableName.layoutIdentifier) FOR EACH ROW BEGIN \(body)END"
  }
}
