/// An R-tree index: a virtual table with a box for each object, and the triggers that keep it up to
/// date (https://www.sqlite.org/rtree.html).
package struct SpatialIndexLayout: Sendable, Hashable {
  /// The name in the store: `Z_RT_<entity>_<index>`.
  package var name: String
  /// The table that holds the objects.
  package var tableName: String
  /// The columns with the coordinates, one for each dimension, at most five.
  package var columns: [String]

  /// The largest number of dimensions of an R-tree.
  static let maximumDimensions = 5

  /// The statement that creates the virtual table, as Core Data writes it.
  package var createStatement: String { statement(condition: "") }

  /// The same statement, which does nothing if the table exists.
  package var createIfMissingStatement: String { statement(condition: "IF NOT EXISTS ") }

  private func statement(condition: String) -> String {
    let coordinates = columns.map {
      "\("\($0)_MIN".layoutIdentifier) FLOAT, \("\($0)_MAX".layoutIdentifier) FLOAT"
    }
    return "CREATE VIRTUAL TABLE \(condition)\(name.layoutIdentifier) "
      + "USING RTREE (Z_PK INTEGER PRIMARY KEY, \(coordinates.joined(separator: ", ")))"
  }

  /// The statement that adds every object to the index, as the trigger would have done.
  ///
  /// - Complexity: O(n log n) in the rows of the table.
  package var fillStatement: String {
    let cells = columns.flatMap { [$0.layoutIdentifier, $0.layoutIdentifier] }
    return "INSERT OR REPLACE INTO main.\(name.layoutIdentifier) (\(targets)) "
      + "SELECT Z_PK, \(cells.joined(separator: ", ")) FROM main.\(tableName.layoutIdentifier)"
  }

  private var targets: String {
    (["Z_PK"] + columns.flatMap { ["\($0)_MIN", "\($0)_MAX"] }).map(\.layoutIdentifier)
      .joined(separator: ", ")
  }

  /// The triggers that keep the index up to date. The text of the first is Core Data's, as
  /// published. Of the other two, only the names are known.
  package var triggers: [TriggerLayout] {
    // The spaces are where Core Data writes them.
    let cells = columns.enumerated().map { position, column in
      let cell = "NEW.\(column.layoutIdentifier)"
      return position == 0 ? "\(cell) ,\(cell)" : "\(cell), \(cell)"
    }
    let insert =
      "INSERT OR REPLACE INTO \(name.layoutIdentifier) (\(targets)) "
      + "VALUES (NEW.Z_PK, \(cells.joined(separator: ", "))) "
    return [
      TriggerLayout(
        name: "\(name)_INSERT", tableName: tableName, event: .insert, statements: [insert]),
      TriggerLayout(
        name: "\(name)_UPDATE", tableName: tableName, event: .update(columns),
        statements: [insert]),
      TriggerLayout(
        name: "\(name)_DELETE", tableName: tableName, event: .delete,
        statements: ["DELETE FROM \(name.layoutIdentifier) WHERE Z_PK = OLD.Z_PK "]),
    ]
  }
}
