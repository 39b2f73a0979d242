internal import PassageValues

/// The one door through which rows enter a destination table.
///
/// The rows of one entity mapping arrive in ascending key order, batch after batch: as a ``RowBatch`` where
/// they were made in code, as the result of a query where source and sink are both SQL's
/// (``QueryRows``). Mappings that share a source table arrive one after the other, so a table may get
/// several ascending runs. Rows that are there already are changed by ``RowPatch`` alone. What builds the
/// table's pages itself can stand behind this protocol; ``SQLRowSink`` gives the rows to SQLite.
///
/// What was appended counts with the transaction of the journal, which is that of the sink's file as well.
protocol RowSink {
  /// Appends rows: their keys, and the other cells in the order of the sink's columns.
  func append(_ batch: RowBatch) throws
}
