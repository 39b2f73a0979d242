import Foundation
import PassageSQLite

/// A database with an index that says something else than its table, while each of its pages is sound.
package enum EmptiedIndex {
  /// Adds an index of some rows of a table, and takes its entries out.
  package static func add(
    toDatabaseAt path: String, table: String, column: String, isUnique: Bool = false
  ) throws {
    let place: (root: Int64, pageBytes: Int64)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX emptied ON \(table) (\(column)) WHERE Z_PK < 10;"
          + "PRAGMA wal_checkpoint(TRUNCATE)")
      place = (
        try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'emptied'"),
        try connection.integer("PRAGMA page_size")
      )
    }
    var bytes = try Data(contentsOf: URL(filePath: path))
    let start = Int((place.root - 1) * place.pageBytes)
    // The header of a leaf without cells, whose content begins at the end of the page.
    bytes.replaceSubrange(
      start..<start + 8,
      with: [
        10, 0, 0, 0, 0, UInt8(truncatingIfNeeded: place.pageBytes >> 8),
        UInt8(truncatingIfNeeded: place.pageBytes), 0,
      ])
    try bytes.write(to: URL(filePath: path))
  }
}

/// A database with an index that has as many entries as its table has rows, and other values.
package enum WrongIndex {
  /// Adds an index of a column with the values of another one, whose name has the same length.
  package static func add(
    toDatabaseAt path: String, table: String, column: String, values other: String
  ) throws {
    precondition(column.utf8.count == other.utf8.count)
    func statement(_ column: String) -> String { "CREATE INDEX wrong ON \(table) (\(column))" }
    try Connection(path: path, mode: .readWrite).execute(
      statement(other) + "; PRAGMA wal_checkpoint(TRUNCATE)")
    var bytes = try Data(contentsOf: URL(filePath: path))
    guard let place = bytes.range(of: Data(statement(other).utf8)) else {
      preconditionFailure("\(path) has no such statement")
    }
    bytes.replaceSubrange(place, with: Data(statement(column).utf8))
    try bytes.write(to: URL(filePath: path))
  }
}
