internal import PassageValues

/// The one door through which rows enter a destination table.
///
/// The rows of one entity mapping arrive in ascending key order: batch after batch where they are the
/// result of a query (``QueryRows``), row after row otherwise. Mappings that share a source table arrive
/// one after the other, so a table may get several ascending runs. Rows that are there already are
/// changed by ``RowPatch`` alone. What builds the table's pages itself can stand behind this protocol;
/// ``SQLRowSink`` gives the rows to SQLite.
protocol RowSink {
  /// Appends one row: `Z_PK`, then the other cells in the order of the sink's columns. It may be kept
  /// back until ``flush()``.
  func append(key: Int64, cells: [Value]) throws

  /// Gives every row to the table that was kept back. Called before the table is read and before a
  /// batch is committed.
  func flush() throws
}
