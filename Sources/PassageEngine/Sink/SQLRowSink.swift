internal import PassageSQLite
internal import PassageValues

/// Writes through SQLite, many rows with one statement, because starting a statement costs as much as a
/// row. SQLite takes the cells from the batch where they lie.
final class SQLRowSink: RowSink {
  /// Rows of one statement.
  private let blockRows: Int
  /// The rows that SQLite has not got yet.
  private var batch: RowBatch

  private let statement: Statement
  /// Cells bound for each row: the key and the columns.
  private let cellCount: Int
  /// Cells that are the same in every row, bound after those of the rows.
  private let constants: [Value]

  /// - Parameters:
  ///   - constants: columns that hold the same in every row.
  ///   - columns: the other columns after `Z_PK`, in the order of the cells.
  init(
    connection: Connection, table: String, constants: [(column: String, value: Value)],
    columns: [String]
  ) throws {
    self.constants = constants.map(\.value)
    let cellCount = columns.count + 1
    let blockRows = max(1, min(32, 1_000 / cellCount))
    self.cellCount = cellCount
    self.blockRows = blockRows
    batch = RowBatch(columnCount: columns.count)
    let names = (["Z_PK"] + constants.map(\.column) + columns).map(\.quotedIdentifier)
    // The limit, how many rows of the block are filled, comes first.
    let firstConstant = 2 + blockRows * cellCount
    let cells =
      ["column1"] + constants.indices.map { "?\(firstConstant + $0)" }
      + columns.indices.map { "column\($0 + 2)" }
    let rows = (0..<blockRows).map { row in
      let parameters = (0..<cellCount).map { "?\(2 + row * cellCount + $0)" }
      return "(\(parameters.joined(separator: ", ")))"
    }
    // A block that fails fails its whole batch, so SQLite need not be able to undo the block alone.
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
    // No address of the batch is kept, whatever happens.
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
