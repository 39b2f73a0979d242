import Foundation
import PassageSQLite

/// A database with an index that says something else than its table, while each of its pages is sound.
package enum EmptiedIndex {
  /// Adds an index of some rows of a table, and takes its entries out.
  package static func add(
    toDatabaseAt path: String, table: String, column: String
  ) throws {
    let place: (root: Int64, pageBytes: Int64)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        "CREATE INDEX emptied ON \(table) (\(column)) WHERE Z_PK < 10;"
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
