package import PassageValues

/// The rows of one entity, in the order of their keys, to be copied out of their pages.
package final class EntityRows {
  private let sweep: TableSweep
  private let table: TableColumns
  private let entityColumn: Int
  private let entityNumber: Int64
  private let isAlone: Bool
  private let lastColumn: Int
  private var record: RecordView?
  /// Rows of other entities that are passed over at once: whoever reads may want to stop.
  private static let mostPassedRows = 16_384
  /// Whether there are no more rows.
  package private(set) var isAtEnd = false
  /// The rows with the number of another entity, in a table of one.
  package private(set) var foreignCount: Int64 = 0

  /// - Parameters:
  ///   - root: the table's root page.
  ///   - entityColumn: the column with the number of a row's entity.
  ///   - isAlone: whether all rows are of the entity, so that other numbers are only counted.
  package init(
    _ reader: PageReader, root: UInt32, table: TableColumns, entityColumn: Int,
    entityNumber: Int64, isAlone: Bool
  ) {
    sweep = TableSweep(reader, root: root, columnCount: table.affinities.count)
    self.table = table
    self.entityColumn = entityColumn
    self.entityNumber = entityNumber
    self.isAlone = isAlone
    lastColumn = max(0, table.affinities.count - 1)
  }

  /// The key of the row.
  package var key: Int64 { sweep.key }

  /// Goes to the first row with a key larger than another: ``next()`` comes to it.
  ///
  /// - Throws: ``PageDamage``, or an error of the file.
  package func start(after key: Int64) throws {
    isAtEnd = false
    try sweep.seek(after: key)
  }

  /// Goes on to the next row of the entity.
  ///
  /// - Returns: its bytes; `nil` when there is none among the rows up to ``key``. More may follow then
  ///   unless ``isAtEnd``.
  /// - Throws: ``PageDamage``, or an error of the file.
  package func next() throws -> Int? {
    record = nil
    for _ in 0..<Self.mostPassedRows {
      guard try sweep.next() else {
        isAtEnd = true
        return nil
      }
      let row = try sweep.record(through: lastColumn)
      if !row.cell(entityColumn).isNumber(entityNumber) {
        guard isAlone else { continue }
        foreignCount += 1
      }
      record = row
      return sweep.payloadBytes
    }
    return nil
  }

  /// A column of the row, as SQLite gives it; valid until the next row.
  package func cell(_ column: Int) -> RawCell {
    guard let record, column >= 0 else { return .null }
    return record.cell(column, key: sweep.key, of: table)
  }

  /// Copies the row.
  ///
  /// - Parameter row: of ``RowSnapshots`` of this table; nobody else may have it.
  package func copy(to row: StoredRow) {
    if let record { RowSnapshots.copy(record, key: sweep.key, to: row.content) }
  }
}
