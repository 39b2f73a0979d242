internal import PassageSQLite
internal import PassageValues

/// Inserts rows of a table in blocks, because starting a statement costs more than a row.
struct BlockInsert {
  private static let blockRows = 32

  private let connection: Connection
  private let text: String
  private let columnCount: Int
  private var statement: Statement?
  private var filledRows = 0

  /// - Parameters:
  ///   - table: the table with its schema, as in SQL.
  ///   - columns: the columns that get values.
  init(into table: String, _ columns: [String], on connection: Connection) {
    self.connection = connection
    columnCount = columns.count
    let row = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
    let rows = Array(repeating: row, count: Self.blockRows).joined(separator: ", ")
    let cells = (1...columns.count).map { "column\($0)" }.joined(separator: ", ")
    text =
      "INSERT INTO \(table) (\(columns.joined(separator: ", "))) "
      + "SELECT \(cells) FROM (VALUES \(rows)) LIMIT ?"
  }

  /// Adds a row; it may be buffered until ``flush()``.
  mutating func append(_ values: [Value]) throws {
    let statement = try prepared()
    for (place, value) in values.enumerated() {
      try statement.bind(value, at: filledRows * columnCount + place + 1)
    }
    filledRows += 1
    if filledRows == Self.blockRows { try flush() }
  }

  /// Writes all buffered rows to the table. Called before a batch is committed.
  mutating func flush() throws {
    guard filledRows > 0 else { return }
    let statement = try prepared()
    try statement.bind(Int64(filledRows), at: Self.blockRows * columnCount + 1)
    filledRows = 0
    try statement.run()
  }

  private mutating func prepared() throws -> Statement {
    if let statement { return statement }
    let prepared = try connection.prepare(text)
    statement = prepared
    return prepared
  }
}
