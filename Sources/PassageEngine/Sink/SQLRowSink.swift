internal import PassageSQLite
internal import PassageValues

/// Writes through SQLite: single rows in blocks of one statement, because starting a statement costs
/// as much as a row.
final class SQLRowSink: RowSink {
  private let insert: Statement
  /// Cells bound for each row: the key and the columns.
  private let cellCount: Int
  private let blockRows: Int
  private var filledRows = 0
  /// The positions of cells that may hold very many bytes.
  private let bytesColumns: [Int]
  /// Longer values are given to SQLite without a copy, in a row of their own.
  private static let largeLimit = 1 << 20

  /// - Parameters:
  ///   - fixed: columns that hold the same integer in every row.
  ///   - columns: the other columns after `Z_PK`, in the order of the cells.
  ///   - bytesColumns: the positions of those cells that may hold very many bytes.
  init(
    connection: Connection, table: String, fixed: [(name: String, value: Int64)],
    columns: [String], bytesColumns: [Int] = []
  ) throws {
    self.bytesColumns = bytesColumns
    cellCount = columns.count + 1
    blockRows = max(1, min(32, 1_000 / cellCount))
    let names = (["Z_PK"] + fixed.map(\.name) + columns).map(\.quotedIdentifier)
    let cells =
      ["column1"] + fixed.map { "\($0.value)" } + columns.indices.map { "column\($0 + 2)" }
    let row = "(\(Array(repeating: "?", count: cellCount).joined(separator: ", ")))"
    let rows = Array(repeating: row, count: blockRows).joined(separator: ", ")
    // A block that fails fails its whole batch, so SQLite need not be able to undo the block alone.
    // The limit is how many rows of the block are filled.
    insert = try connection.prepare(
      "INSERT OR FAIL INTO main.\(table.quotedIdentifier) (\(names.joined(separator: ", "))) "
        + "SELECT \(cells.joined(separator: ", ")) FROM (VALUES \(rows)) LIMIT ?")
  }

  func append(key: Int64, cells: [Value]) throws {
    if bytesColumns.contains(where: { Self.isLarge(cells[$0]) }) {
      return try appendLarge(key: key, cells: cells)
    }
    let first = filledRows * cellCount + 1
    try insert.bind(key, at: first)
    try insert.bind(cells, from: first + 1)
    filledRows += 1
    if filledRows == blockRows { try flush() }
  }

  private static func isLarge(_ cell: Value) -> Bool {
    if case .blob(let bytes) = cell { bytes.count > largeLimit } else { false }
  }

  /// Appends a row by itself, whose large cells SQLite makes no copy of.
  private func appendLarge(key: Int64, cells: [Value]) throws {
    try flush()
    try insert.bind(key, at: 1)
    var lent: [(index: Int, bytes: [UInt8])] = []
    for (position, cell) in cells.enumerated() {
      if case .blob(let bytes) = cell, bytes.count > Self.largeLimit {
        lent.append((position + 2, bytes))
      } else {
        try insert.bind(cell, at: position + 2)
      }
    }
    try insert.bind(Int64(1), at: blockRows * cellCount + 1)
    try insert.run(lending: lent[...])
    insert.clearBindings()
  }

  func flush() throws {
    guard filledRows > 0 else { return }
    try insert.bind(Int64(filledRows), at: blockRows * cellCount + 1)
    filledRows = 0
    try insert.run()
    // Otherwise each row of the block could keep a large value until its place is used again.
    insert.clearBindings()
  }
}
