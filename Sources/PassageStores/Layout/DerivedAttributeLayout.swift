package import PassageModels

/// A derived attribute of a store: its column, the SQL that computes it, and the triggers by which
/// Core Data keeps it.
package struct DerivedAttributeLayout: Sendable, Hashable {
  /// The entity that declares it.
  package var entityName: String
  package var attributeName: String
  /// What it computes.
  package var derivation: Derivation
  /// The table of its column.
  package var tableName: String
  package var columnName: String
  /// The entity numbers of the objects that have it; `nil` when every row of the table has.
  package var familyNumbers: ClosedRange<Int>?
  /// Its value in SQL, for the row that `row` stands for: a subquery or a column.
  var value: String
  /// By name of trigger, in the order in which they are made.
  package internal(set) var triggers: [TriggerLayout]

  /// Whether an existing value stays: the time of the last save, and a text that Core Data folded
  /// by its own tables, are better than what can be computed here.
  package var keepsValue: Bool { derivation.function == .now || derivation.function == .canonical }

  /// The alias that stands for the row in ``value``.
  static let row = "o"

  /// The SQL functions that ``updateStatement`` may call: to be registered on its connection.
  package static let functionNames = ["passage_uppercase", "passage_lowercase", "passage_fold"]

  /// Computes the attribute for every object that has another value; one parameter, the time in
  /// seconds since 2001, bound to `?1` where the statement has it.
  ///
  /// - Complexity: one lookup for each object and each step of the key path.
  package var updateStatement: String {
    let column = "\(Self.row).\(columnName.layoutIdentifier)"
    var conditions: [String] = []
    if let familyNumbers {
      conditions.append(
        "\(Self.row).Z_ENT BETWEEN \(familyNumbers.lowerBound) AND \(familyNumbers.upperBound)")
    }
    conditions.append(keepsValue ? "\(column) IS NULL" : "\(column) IS NOT \(value)")
    return "UPDATE main.\(tableName.layoutIdentifier) AS \(Self.row) "
      + "SET \(columnName.layoutIdentifier) = \(value) WHERE \(conditions.joined(separator: " AND "))"
  }

  /// Whether ``updateStatement`` has a parameter.
  package var takesTime: Bool { derivation.function == .now }
}
