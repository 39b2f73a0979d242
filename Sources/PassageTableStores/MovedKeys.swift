internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The keys of a plain table that no object of Core Data can have, and their replacements.
///
/// Core Data counts keys from 1 and records the largest to continue from it; 0 in a relationship's
/// column means no object. A row with any other key gets an unused one: the next above the largest,
/// or the smallest that is free. All other keys are kept.
struct MovedKeys {
  /// The temporary table with the columns `old` and `new`.
  let table: String
  /// The number of keys that are replaced.
  private(set) var count: Int64 = 0

  /// Finds such keys, and assigns replacements.
  ///
  /// - Parameters:
  ///   - key: the SQL of a row's key.
  ///   - from: the SQL of the rows.
  ///   - number: a number that makes the names of temporary tables unique.
  /// - Returns: `nil` if every key is kept.
  static func find(
    _ key: String, from: String, number: Int, _ connection: Connection
  ) throws(SQLiteError) -> MovedKeys? {
    let isInteger = "typeof(\(key)) = 'integer'"
    let isKept = "\(key) BETWEEN 1 AND \(Int64.max - 1)"
    let isMoved = "(\(key) < 1 OR \(key) > \(Int64.max - 1))"
    guard
      try connection.integer(
        "SELECT EXISTS (SELECT 1 FROM \(from) WHERE \(isInteger) AND \(isMoved))") == 1
    else { return nil }
    var moved = MovedKeys(table: "temp.\("passage_moved_\(number)".quotedIdentifier)")
    try connection.execute(
      "CREATE TABLE \(moved.table) (old INTEGER PRIMARY KEY, new INTEGER UNIQUE)")
    try connection.execute(
      "INSERT INTO \(moved.table) (old) SELECT DISTINCT \(key) FROM \(from) "
        + "WHERE \(isInteger) AND \(isMoved)")
    moved.count = connection.changes
    let largest = try connection.integer(
      "SELECT max(\(key)) FROM \(from) WHERE \(isInteger) AND \(isKept)")
    if largest < Int64.max - moved.count {
      try connection.execute(
        "UPDATE \(moved.table) AS m SET new = n.place + ? FROM (SELECT old, row_number() OVER "
          + "(ORDER BY old) AS place FROM \(moved.table)) AS n WHERE n.old = m.old",
        [.integer(largest)])
    } else {
      try moved.fillGaps(
        kept: "SELECT DISTINCT \(key) FROM \(from) WHERE \(isInteger) AND \(isKept) ORDER BY 1",
        connection)
    }
    return moved
  }

  /// Assigns to each such key the smallest unused key.
  private func fillGaps(kept: String, _ connection: Connection) throws(SQLiteError) {
    let keys = try connection.prepare(kept)
    let set = try connection.prepare(
      "UPDATE \(table) SET new = ? WHERE old = (SELECT min(old) FROM \(table) WHERE new IS NULL)")
    var free: Int64 = 1
    var left = count
    while left > 0 {
      let next = try keys.step() ? keys.integer(at: 0) : Int64.max
      while free < next, left > 0 {
        try set.bind([.integer(free)])
        try set.run()
        free += 1
        left -= 1
      }
      free = next &+ 1
    }
  }

  /// The SQL of a row's key in the staged store, given the SQL of its key in the database.
  func key(_ key: String) -> String {
    "coalesce((SELECT m.new FROM \(table) AS m WHERE m.old = \(key)), \(key))"
  }

  /// The SQL of a link in the staged store, given the SQL of the column in the database. A key that
  /// no row had must not lead to a row with a replaced key, so it becomes 0, which no row has.
  func link(_ cell: String) -> String {
    "CASE WHEN EXISTS (SELECT 1 FROM \(table) AS m WHERE m.new = \(cell)) THEN 0 "
      + "ELSE \(key(cell)) END"
  }

  /// The SQL of a row's key in the database, given the SQL of its key in the staged store.
  func original(_ key: String) -> String {
    "coalesce((SELECT m.old FROM \(table) AS m WHERE m.new = \(key)), \(key))"
  }
}
