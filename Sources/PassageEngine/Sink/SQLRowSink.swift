internal import PassageSQLite
internal import PassageValues

/// Inserts rows through SQLite, many with one statement, because starting a statement costs as much
/// as a row. SQLite reads the cells directly from the batch.
final class SQLRowSink: RowSink {
  /// The number of rows per statement.
  private let blockRows: Int
  /// The rows that have not been passed to SQLite yet.
  private var batch: RowBatch

  private let statement: Statement
  /// The number of cells bound for each row: the key and the columns.
  private let cellCount: Int
  /// The values that are the same in every row, bound after the cells of the rows.
  private let constants: [Value]

  /// - Parameters:
  ///   - constants: columns with the same value in every row.
  ///   - columns: the other columns after `Z_PK`, in the order of the cells.
  init(
    connection: Connection, table: String, constants: [(column: String, value: Value)],
    columns: [String]
  ) throws {
    try Journal.noteRows(cameOrWentIn: table, on: connection)
    self.constants = constants.map(\.value)
    let cellCount = columns.count + 1
    let blockRows = max(1, min(32, 1_000 / cellCount))
    self.cellCount = cellCount
    self.blockRows = blockRows
    batch = RowBatch(columnCount: columns.count)
    let names = (["Z_PK"] + constants.map(\.column) + columns).map(\.quotedIdentifier)
    // The first parameter is the limit: the number of filled rows in the block.
    let firstConstant = 2 + blockRows * cellCount
    let cells =
      ["column1"] + constants.indices.map { "?\(firstConstant + $0)" }
      + columns.indices.map { "column\($0 + 2)" }
    let rows = (0..<blockRows).map { row in
      let parameters = (0..<cellCount).map { "?\(2 + row * cellCount + $0)" }
      return "(\(parameters.joined(separator: ", ")))"
    }
    // A block that fails makes its whole batch fail, so SQLite need not be able to undo the block
    // alone.
    statement = try connection.prepare(
      "INSERT OR FAIL INTO main.\(table.quotedIdentifier) (\(names.joined(separator: ", "))) "
        + "SELECT \(cells.joined(separator: ", ")) "
        + "FROM (VALUES \(rows.joined(separator: ", "))) LIMIT ?1")
  }

  func append(key: Int64, _ fill: (inout RowBatch) throws -> Void) throws {
    batch.begin(key: key)
    do {
      try fill(&batch)
    } catch {
      batch.removeLast()
      throw error
    }
    if batch.count >= blockRows || batch.isHeavy { try mark() }
  }

  func mark() throws {
    guard !batch.isEmpty else { return }
    defer { batch.removeAll() }
    // The bindings point into the batch and must not outlive this call.
    defer { statement.clearBindings() }
    try statement.bind(Int64(batch.count), at: 1)
    try statement.bind(constants, from: 2 + blockRows * cellCount)
    for row in 0..<batch.count { try statement.bind(batch.keys[row], at: 2 + row * cellCount) }
    try batch.forEachCell { row, column, cell in
      try statement.bind(lent: cell, at: 3 + row * cellCount + column)
    } afterwards: {
      try statement.run()
    }
  }
}
