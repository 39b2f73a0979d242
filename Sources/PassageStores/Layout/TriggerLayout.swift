/// One trigger of a store.
package struct TriggerLayout: Sendable, Hashable {
  /// What fires the trigger.
  package enum Event: Sendable, Hashable {
    case insert
    /// An update of one of these columns.
    case update([String])
    case delete
  }

  /// The name in the store.
  package var name: String
  /// The table whose changes fire the trigger.
  package var tableName: String
  package var event: Event
  /// The SQL of what must hold for the row; `nil` if the trigger is for every row.
  package var condition: String?
  /// The statements that the trigger runs, without semicolons.
  package var statements: [String]

  /// The statement that creates the trigger, as Core Data writes it.
  package var createStatement: String { statement(ifMissing: false) }

  /// The same statement, which does nothing if a trigger with this name exists. SQLite stores the
  /// same text for both.
  package var createIfMissingStatement: String { statement(ifMissing: true) }

  private func statement(ifMissing: Bool) -> String {
    let event =
      switch event {
      case .insert: "INSERT"
      case .update(let columns):
        "UPDATE OF \(columns.map(\.layoutIdentifier).joined(separator: ", "))"
      case .delete: "DELETE"
      }
    let body = statements.map { "\($0); " }.joined()
    let when = condition.map { "WHEN (\($0)) " } ?? ""
    return "CREATE TRIGGER \(ifMissing ? "IF NOT EXISTS " : "")\(name.layoutIdentifier) "
      + "AFTER \(event) ON \(tableName.layoutIdentifier) FOR EACH ROW \(when)BEGIN \(body)END"
  }
}
