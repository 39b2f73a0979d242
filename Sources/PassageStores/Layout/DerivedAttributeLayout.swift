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
  /// Its value in SQL, for the row that ``row`` stands for: a subquery or a column.
  package internal(set) var value: String
  /// By name of trigger, in the order in which they are made.
  package internal(set) var triggers: [TriggerLayout]

  /// Whether an existing value stays: the time of the last save, and a text that Core Data folded
  /// by its own tables, are better than what can be computed here.
  package var keepsValue: Bool { derivation.function == .now || derivation.function == .canonical }

  /// The alias that stands for the row in ``value``.
  package static let row = "o"

  /// The SQL functions that ``value`` may call: to be registered on its connection.
  package static let functionNames = ["passage_uppercase", "passage_lowercase", "passage_fold"]

  /// Holds for the rows whose value is another than ``value``, and for no objects of other entities.
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

  /// Whether ``value`` has a parameter, `?1`: the present, in seconds since 2001.
  package var takesTime: Bool { derivation.function == .now }
}
