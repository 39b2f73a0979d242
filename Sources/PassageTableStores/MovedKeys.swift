internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The keys of a plain table that no object of Core Data can have, and those they become.
///
/// Core Data counts from 1 and writes the largest key down to count on from it; 0 in a column of a
/// relationship means no object. A row with another key gets one that no row has: above the largest,
/// or the smallest that is free. All other keys are kept.
struct MovedKeys {
  /// The temporary table with the columns `old` and `new`.
  let table: String
  /// How many keys are moved.
  private(set) var count: Int64 = 0

  /// Looks for such keys, and finds others for them.
  ///
  /// - Parameters:
  ///   - key: the SQL of a row's key.
  ///   - from: the rows.
  ///   - number: distinguishes the temporary tables.
  /// - Returns: `nil` when every key is kept.
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

  /// Gives each moved key the smallest that no row has.
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

  /// The SQL of the key a row has in the staged store, for that of its key.
  func key(_ key: String) -> String {
    "coalesce((SELECT m.new FROM \(table) AS m WHERE m.old = \(key)), \(key))"
  }

  /// The SQL of what a column that holds keys has in the staged store. A key that no row had must
  /// not lead to a moved row: it becomes 0, which none has.
  func link(_ cell: String) -> String {
    "CASE WHEN EXISTS (SELECT 1 FROM \(table) AS m WHERE m.new = \(cell)) THEN 0 "
      + "ELSE \(key(cell)) END"
  }

  /// The SQL of the key a row has in the database, for that in the staged store.
  func original(_ key: String) -> String {
    "coalesce((SELECT m.old FROM \(table) AS m WHERE m.new = \(key)), \(key))"
  }
}
