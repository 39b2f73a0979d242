internal import PassageValues

/// The one door through which rows enter a destination table.
///
/// The rows of one entity mapping arrive in ascending key order: one after the other where they are
/// made in code, as the result of a query where source and sink are both SQL's (``QueryRows``).
/// Mappings that share a source table follow each other, so a table may get several ascending runs.
/// Rows that are there already are changed by ``RowPatch`` alone. ``SQLRowSink`` gives the rows to
/// SQLite.
///
/// A sink is made anew when a pass is resumed. It continues after the last committed mark, because
/// the journal's transaction is that of the sink's file as well.
protocol RowSink: AnyObject {
  /// Appends a row.
  ///
  /// - Parameters:
  ///   - key: the row's key.
  ///   - fill: appends the other cells, in the order of the sink's columns. When it fails, the row
  ///     is not appended.
  func append(key: Int64, _ fill: (inout RowBatch) throws -> Void) throws

  /// Makes every row appended so far part of the current transaction. Called before the table is
  /// read and before a batch is committed.
  func mark() throws
}
