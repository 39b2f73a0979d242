internal import PassageSQLite
internal import PassageValues

/// Writes through SQLite, many rows with one statement, because starting a statement costs as much as a
/// row. SQLite takes the cells from the batch where they lie.
final class SQLRowSink: RowSink {
  /// Rows of one statement.
  let blockRows: Int

  private let insert: Statement
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
    insert = try connection.prepare(
      "INSERT OR FAIL INTO main.\(table.quotedIdentifier) (\(names.joined(separator: ", "))) "
        + "SELECT \(cells.joined(separator: ", ")) "
        + "FROM (VALUES \(rows.joined(separator: ", "))) LIMIT ?1")
  }

  func append(_ batch: RowBatch) throws {
    for start in stride(from: 0, to: batch.count, by: blockRows) {
      try append(batch, rows: start..<min(start + blockRows, batch.count))
    }
  }

  private func append(_ batch: RowBatch, rows: Range<Int>) throws {
    // No address of the batch is kept, whatever happens.
    defer { insert.clearBindings() }
    try insert.bind(Int64(rows.count), at: 1)
    try insert.bind(constants, from: 2 + blockRows * cellCount)
    // The parameter of the key of row 0, if it were in this block; the row's cells follow its key.
    let origin = 2 - rows.lowerBound * cellCount
    for row in rows { try insert.bind(batch.keys[row], at: origin + row * cellCount) }
    try batch.forEachCell(of: rows) { row, column, cell in
      try insert.bind(lent: cell, at: origin + row * cellCount + 1 + column)
    } afterwards: {
      try insert.run()
    }
  }
}

/// A batch of rows on its way into a sink, which gets it when it is worth a statement.
struct PendingRows {
  private(set) var batch: RowBatch
  private let sink: any RowSink
  private let count: Int

  /// - Parameter count: how many rows the sink is given at once.
  init(to sink: any RowSink, columnCount: Int, count: Int) {
    self.sink = sink
    self.count = count
    batch = RowBatch(columnCount: columnCount)
  }

  /// Adds a row, whose cells `fill` appends; a row of which that fails is none.
  mutating func add(key: Int64, _ fill: (inout RowBatch) throws -> Void) throws {
    batch.begin(key: key)
    do {
      try fill(&batch)
    } catch {
      batch.removeLast()
      throw error
    }
    if batch.count >= count || batch.isHeavy { try flush() }
  }

  /// Gives the sink what it has not got yet. Called before the table is read and before a batch is
  /// committed.
  mutating func flush() throws {
    guard !batch.isEmpty else { return }
    defer { batch.removeAll() }
    try sink.append(batch)
  }
}
