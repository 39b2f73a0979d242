import PassagePages
import PassageSQLite
import PassageValues

/// The rows of a table, as they come from its pages.
struct SweptTable {
  let path: String
  var logPath: String?
  let root: UInt32
  let columnCount: Int
  /// The columns declared as REAL, whose whole numbers are integers on disk.
  var realColumns: Set<Int> = []

  typealias Row = [Value]

  /// The table of ``TableTreeWriterTests``.
  static func random(at path: String, logPath: String? = nil, root: UInt32) -> SweptTable {
    SweptTable(
      path: path, logPath: logPath, root: root, columnCount: TableTreeWriterTests.columns.count + 1,
      realColumns: [3])
  }

  func sweep() throws -> TableSweep {
    TableSweep(
      try PageReader(path: path, logPath: logPath), root: root, columnCount: columnCount)
  }

  /// A row with its key first, as `SELECT *` gives it.
  func row(of sweep: TableSweep) throws -> Row {
    var row: Row = [.integer(sweep.key)]
    for column in 1..<columnCount { row.append(try value(sweep.cell(column), column)) }
    return row
  }

  func value(_ cell: RawCell, _ column: Int) -> Value {
    if realColumns.contains(column), case .integer(let value) = cell { return .real(Double(value)) }
    return switch cell {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let bytes):
      String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .malformedText(Array(bytes))
    case .blob(let bytes): .blob(Array(bytes))
    }
  }

  /// All rows, or those after a key.
  func rows(after key: Int64? = nil) throws -> [Row] {
    let sweep = try sweep()
    if let key { try sweep.seek(after: key) }
    var rows: [Row] = []
    while try sweep.next() { rows.append(try row(of: sweep)) }
    return rows
  }
}

extension Connection {
  func rootPage(of table: String = "t") throws -> UInt32 {
    UInt32(
      try integer("SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(table)]))
  }

  func sortedRows(of table: String = "t") throws -> [[Value]] {
    try rows("SELECT * FROM \(table) ORDER BY k")
  }
}
