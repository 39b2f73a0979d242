internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageValues

/// The objects that a relationship refers to, where its value selects them: rows of the journal.
struct SelectedObjects {
  private let mapping: Int
  private let relationship: String
  private let isAscending: [Bool]
  private let sortsOverOwners: Bool
  private let textOrder: String

  /// - Parameter textOrder: of the source; see ``SourceAccess/textOrder``.
  init(_ item: MappedRelationship, _ selection: BoundSelection, textOrder: String) {
    mapping = item.mappingPlan.index
    relationship = item.relationship.relationship.name
    isAscending = selection.isAscending
    sortsOverOwners = item.sortsOverOwners
    self.textOrder = textOrder
  }

  /// A subquery with the columns `owner`, `target` and `place`.
  var sorted: String {
    let order =
      zip(Journal.sortColumns, isAscending).map { $0 + textOrder + ($1 ? "" : " DESC") }
      + (sortsOverOwners ? ["owner", "position"] : ["position"])
    // Where several owners become one, their objects are compared with each other's.
    let partition = sortsOverOwners ? "" : "PARTITION BY owner "
    let place =
      isAscending.isEmpty
      ? "position + 1"
      : "row_number() OVER (\(partition)ORDER BY \(order.joined(separator: ", ")))"
    return "(SELECT owner, target, 1024 * (\(place)) AS place FROM \(Journal.Table.selected.name) "
      + "WHERE mapping = \(mapping) AND relationship = \(relationship.quotedLiteral))"
  }

  /// The columns that an object has.
  static let columns =
    ["mapping", "relationship", "owner", "position", "target"] + Journal.sortColumns
}
