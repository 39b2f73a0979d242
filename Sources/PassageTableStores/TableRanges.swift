internal import PassageDiagnostics
internal import PassageModels
internal import PassageSQLite
internal import PassageStores

/// Finds whole numbers of a finished store that do not fit the types of their attributes. A
/// database with them would be written and then refused when it is read.
struct TableRanges {
  let connection: Connection
  /// The name of the schema with the finished store.
  let source: String
  /// The path that the database will have, for messages.
  let path: String
  let plan: TablePlan

  /// The largest number of mistakes that are listed for a table.
  private static let maximumListed = 100
  /// The largest number of conditions in one statement.
  private static let maximumConditions = 100

  /// - Throws: `SQLiteError`, and `Diagnostics` with `ATM-015` for the numbers of the first hundred
  ///   objects of each table.
  /// - Complexity: O(n) in the rows of tables with such attributes.
  func check() throws {
    var found = Diagnostics()
    for table in plan.tables { try check(table, &found) }
    try found.throwIfErrors()
  }

  /// The numbers that an attribute takes; `nil` for all of them and for other types.
  private static func range(of type: AttributeType) -> ClosedRange<Int64>? {
    switch type {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .boolean: 0...1
    default: nil
    }
  }

  private func check(_ table: TablePlan.Table, _ found: inout Diagnostics) throws {
    var cells: [Cell] = []
    for column in table.columns {
      guard case .attribute(let attribute) = column.role,
        let range = Self.range(of: attribute.type)
      else { continue }
      cells.append(Cell(column.storedName, attribute, range))
    }
    // SQLite bounds the depth of an expression.
    for first in stride(from: 0, to: cells.count, by: Self.maximumConditions) {
      let last = min(first + Self.maximumConditions, cells.count)
      try check(Array(cells[first..<last]), of: table, &found)
    }
  }

  private func check(
    _ cells: [Cell], of table: TablePlan.Table, _ found: inout Diagnostics
  ) throws {
    let rows = try connection.prepare(
      "SELECT s.Z_PK, s.Z_ENT, \(cells.map(\.wrongNumber).joined(separator: ", ")) "
        + "FROM \(source).\(table.storedName.quotedIdentifier) AS s "
        + "WHERE \(cells.map(\.isWrong).joined(separator: " OR ")) ORDER BY s.Z_PK "
        + "LIMIT \(Self.maximumListed)")
    while try rows.step() {
      let number = rows.integer(at: 1)
      let entity = plan.layout.entities.first { Int64($0.number) == number }?.name
      let object = "\(entity ?? table.root.name) \(rows.integer(at: 0))"
      for (index, cell) in cells.enumerated() where !rows.isNull(at: index + 2) {
        found.append(
          Diagnostic(
            "ATM-015", "\(object) cannot be written", at: SourceLocation(file: path),
            reason: "“\(cell.attribute.name)” is \(rows.integer(at: index + 2)), which the type "
              + "\(cell.attribute.type.name) does not hold",
            remedy: "correct the value in the mapping model, or give the attribute a larger type"))
      }
    }
  }

  /// A stored column with the numbers that its attribute takes.
  private struct Cell {
    let attribute: Attribute
    /// The SQL condition for a number out of the range.
    let isWrong: String
    /// The SQL of a number out of the range; NULL for every other value.
    let wrongNumber: String

    init(_ storedColumn: String, _ attribute: Attribute, _ range: ClosedRange<Int64>) {
      self.attribute = attribute
      let cell = "s.\(storedColumn.quotedIdentifier)"
      isWrong =
        "(typeof(\(cell)) = 'integer' "
        + "AND \(cell) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound))"
      wrongNumber = "CASE WHEN \(isWrong) THEN \(cell) END"
    }
  }
}
