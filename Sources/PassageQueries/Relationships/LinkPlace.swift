/// The column, or the join table, that stores the links of a relationship and its inverse.
package struct LinkPlace: Hashable {
  package let table: String
  /// The column with the key; `nil` for a join table.
  package let column: String?

  package init(_ rows: LinkRows) {
    table = rows.table
    column =
      switch rows.row {
      case .owner: rows.related
      case .related: rows.owner
      case .pair: nil
      }
  }
}
