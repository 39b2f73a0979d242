/// A column of an index, ordered by SQLite's comparison without a collation of its own: NULL,
/// numbers, texts by their bytes, blobs.
package struct IndexColumn: Sendable, Hashable {
  /// The place of the value in the rows of the table; `nil` for the row's key.
  package let position: Int?
  package let isDescending: Bool

  package init(position: Int?, isDescending: Bool = false) {
    self.position = position
    self.isDescending = isDescending
  }
}
