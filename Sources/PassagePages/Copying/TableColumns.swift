/// The columns of a table, in the order of its records.
package struct TableColumns: Sendable, Hashable {
  package let affinities: [Affinity]
  /// The column that is the row's key and NULL in the records; `nil` when the table has none.
  package let keyColumn: Int?

  package init(affinities: [Affinity], keyColumn: Int?) {
    self.affinities = affinities
    self.keyColumn = keyColumn
  }
}
