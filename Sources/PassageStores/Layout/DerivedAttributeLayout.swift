package import PassageModels

/// A derived attribute of a store: its column, the SQL that computes it, and the triggers with
/// which Core Data keeps it up to date.
package struct DerivedAttributeLayout: Sendable, Hashable {
  /// The entity that declares it.
  package var entityName: String
  package var attributeName: String
  /// How the value is derived.
  package var derivation: Derivation
  /// The table that holds its column.
  package var tableName: String
  package var columnName: String
  /// The entity numbers of the objects that have it; `nil` if every row of the table has it.
  package var familyNumbers: ClosedRange<Int>?
  /// The SQL that computes the value for the row with the alias ``row``: a subquery or a column.
  package internal(set) var value: String
  /// The triggers, in the order in which they are created: by name.
  package internal(set) var triggers: [TriggerLayout]

  /// Whether an existing value is kept. The time of the last save, and a text that Core Data folded
  /// with its own tables, are more accurate than what can be computed here.
  package var keepsValue: Bool { derivation.function == .now || derivation.function == .canonical }

  /// The alias of the row in ``value``.
  package static let row = "o"

  /// The SQL functions that ``value`` may call; they must be registered on its connection.
  package static let functionNames = ["passage_uppercase", "passage_lowercase", "passage_fold"]

  /// The condition in SQL for the rows of this entity whose stored value differs from ``value``.
  package var isOutdated: String {
    let column = "\(Self.row).\(columnName.layoutIdentifier)"
    var conditions: [String] = []
    if let familyNumbers {
      conditions.append(
        "\(Self.row).Z_ENT BETWEEN \(familyNumbers.lowerBound) AND \(familyNumbers.upperBound)")
    }
    conditions.append(keepsValue ? "\(column) IS NULL" : "\(column) IS NOT \(value)")
    return conditions.joined(separator: " AND ")
  }

  /// Whether ``value`` has the parameter `?1`: the current time, in seconds since 2001.
  package var takesTime: Bool { derivation.function == .now }
}
