package import PassageValues

/// Where a ``CellMachine`` reads the cells of a row.
package protocol CellReader {
  /// The row's key.
  var key: Int64 { get }

  /// A cell, valid until the next row.
  func cell(_ column: Int) -> RawCell
}
