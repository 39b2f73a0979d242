internal import PassageDiagnostics
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Finds values of a finished store that do not fit the types of their attributes. A database with
/// them would be written and then refused, or changed, when it is read.
struct UnreadableTableValues {
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

  /// - Throws: `SQLiteError`, and `Diagnostics` with `ATM-015` for the values of the first hundred
  ///   objects of each table.
  /// - Complexity: O(n) in the rows and attributes. Large values are not loaded.
  func check() throws {
    var found = Diagnostics()
    for table in plan.tables { try check(table, &found) }
    try found.throwIfErrors()
  }

  private func check(_ table: TablePlan.Table, _ found: inout Diagnostics) throws {
    let cells: [Cell] = table.columns.compactMap { column in
      guard case .attribute(let attribute) = column.role else { return nil }
      return Cell(column.storedName, attribute)
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
      "SELECT s.Z_PK, s.Z_ENT, \(cells.map(\.wrongValue).joined(separator: ", ")) "
        + "FROM \(source).\(table.storedName.quotedIdentifier) AS s "
        + "WHERE \(cells.map(\.isWrong).joined(separator: " OR ")) ORDER BY s.Z_PK "
        + "LIMIT \(Self.maximumListed)")
    while try rows.step() {
      let number = rows.integer(at: 1)
      let entity = plan.layout.entities.first { Int64($0.number) == number }?.name
      let object = "\(entity ?? table.root.name) \(rows.integer(at: 0))"
      for (index, cell) in cells.enumerated() {
        guard let value = rows.value(at: index + 2).string else { continue }
        let type = cell.attribute.type
        found.append(
          Diagnostic(
            "ATM-015", "\(object) cannot be written", at: SourceLocation(file: path),
            reason:
              "“\(cell.attribute.name)” is \(value), which the type \(type.name) does not hold",
            remedy: "correct the value in the mapping model, or give the attribute "
              + "\(Cell.range(of: type) == nil ? "another" : "a larger") type"))
      }
    }
  }

  /// A stored column with the values that its attribute takes.
  private struct Cell {
    let attribute: Attribute
    /// The SQL condition for a value that the attribute does not take.
    let isWrong: String
    /// The SQL of what such a value is; NULL for every other value.
    let wrongValue: String

    /// `nil` for an attribute that takes every value.
    init?(_ storedColumn: String, _ attribute: Attribute) {
      self.attribute = attribute
      let cell = "s.\(storedColumn.quotedIdentifier)"
      guard let isWrong = Self.isWrong(cell, attribute.type) else { return nil }
      self.isWrong = "(\(isWrong))"
      wrongValue =
        "CASE WHEN \(isWrong) THEN CASE typeof(\(cell)) WHEN 'text' THEN 'text' "
        + "WHEN 'blob' THEN length(\(cell)) || CASE length(\(cell)) WHEN 1 THEN ' byte' ELSE ' bytes' END "
        + "ELSE CAST(\(cell) AS TEXT) END END"
    }

    /// The whole numbers that a type takes; `nil` for other types.
    static func range(of type: AttributeType) -> ClosedRange<Int64>? {
      switch type {
      case .integer16: Int64(Int16.min)...Int64(Int16.max)
      case .integer32: Int64(Int32.min)...Int64(Int32.max)
      case .integer64: .min ... .max
      case .boolean: 0...1
      default: nil
      }
    }

    private static func isWrong(_ cell: String, _ type: AttributeType) -> String? {
      let stored = "typeof(\(cell))"
      switch type {
      case .integer16, .integer32, .integer64, .boolean:
        guard let range = range(of: type) else { return nil }
        let isOutside =
          range.lowerBound == .min
          ? "0" : "\(cell) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)"
        return "CASE \(stored) WHEN 'integer' THEN \(isOutside) "
          + "WHEN 'real' THEN \(cell) <> CAST(\(cell) AS INTEGER) OR \(isOutside) "
          + "WHEN 'null' THEN 0 ELSE 1 END"
      case .double, .float, .decimal: return "\(stored) IN ('text', 'blob')"
      // Every infinite number is beyond the largest one.
      case .date:
        return "CASE \(stored) WHEN 'real' THEN abs(\(cell)) > 1.7976931348623157e308 "
          + "WHEN 'text' THEN 1 WHEN 'blob' THEN 1 ELSE 0 END"
      case .string, .uri: return "\(stored) = 'blob'"
      case .uuid: return "\(stored) <> 'null' AND (\(stored) <> 'blob' OR length(\(cell)) <> 16)"
      case .binary, .transformable: return "\(stored) NOT IN ('blob', 'null')"
      case .composite, .objectID, .undefined: return nil
      }
    }
  }
}
