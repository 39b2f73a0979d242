internal import PassageValues

/// The only way in which rows are inserted into a destination table.
///
/// The rows of one entity mapping arrive in ascending order of keys: one at a time if they are made
/// in code, or as the result of a query if they stay in SQLite (``QueryRows``). Mappings that share
/// a source table run one after another, so a table may receive several ascending runs. Existing
/// rows are changed only by ``RowPatch``. ``SQLRowSink`` passes the rows to SQLite.
///
/// A new sink is made when a pass is resumed. It continues after the last committed mark, because
/// the journal's transaction includes the sink's file.
protocol RowSink: AnyObject {
  /// Appends a row.
  ///
  /// - Parameters:
  ///   - key: the row's key.
  ///   - fill: appends the other cells, in the order of the sink's columns. If it throws, the row
  ///     is not appended.
  func append(key: Int64, _ fill: (inout RowBatch) throws -> Void) throws

  /// Makes every row appended so far part of the current transaction. Called before the table is
  /// read and before a batch is committed.
  func mark() throws
}
