import PassageSQLite
import PassageValues
import Testing

@testable import PassageEngine

/// Rows that are added behind those of a table get the keys that they would get anyway.
struct AppendedKeysTests {
  private let connection: Connection

  init() throws {
    connection = try Connection(path: "", mode: .create)
    try AppendedKeys.register(on: connection)
    try connection.execute("CREATE TABLE s (place INTEGER PRIMARY KEY, key INTEGER)")
    try connection.execute("CREATE TABLE d (Z_PK INTEGER PRIMARY KEY, name)")
  }

  private func append(_ keys: [Int64]) throws {
    try connection.execute("DELETE FROM s")
    for key in keys { try connection.execute("INSERT INTO s (key) VALUES (?)", [.integer(key)]) }
    try #require(try AppendedKeys.begin(in: "d", before: keys.min() ?? 0, on: connection))
    try connection.execute(
      "INSERT INTO d (Z_PK, name) SELECT \(AppendedKeys.sql(of: "s.key")), 'row ' || s.key FROM s "
        + "ORDER BY s.place")
  }

  @Test(
    arguments: [
      [1, 2, 3], [1], [2, 3], [7, 8, 10, 11, 12, 90], [.max - 1, .max], [1, .max], [.max],
    ] as [[Int64]])
  func `each row has its own key`(keys: [Int64]) throws {
    try append(keys)
    let rows = try connection.rows("SELECT Z_PK, name FROM d ORDER BY 1")
    #expect(rows == keys.map { [.integer($0), .text("row \($0)")] })
  }

  @Test(arguments: [[5, 6, 7], [6, 7, 9], [20]] as [[Int64]])
  func `rows come behind those that there are`(keys: [Int64]) throws {
    try connection.execute("INSERT INTO d VALUES (-3, 'row -3'), (4, 'row 4')")
    // The connection's last key is that of another table.
    try connection.execute("INSERT INTO s (place) VALUES (\(keys[0] - 1))")
    try append(keys)
    let rows = try connection.rows("SELECT Z_PK, name FROM d ORDER BY 1")
    #expect(rows == ([-3, 4] + keys).map { [.integer($0), .text("row \($0)")] })
  }

  @Test(arguments: [-9, 0, 4] as [Int64])
  func `no row is added before one that there is`(first: Int64) throws {
    try connection.execute("INSERT INTO d VALUES (4, 'row 4')")
    #expect(try !AppendedKeys.begin(in: "d", before: first, on: connection))
  }

  @Test(arguments: [[1, 3, 2], [1, 2, 2], [10, 5, 6], [8, 9, 1, 2]] as [[Int64]])
  func `keys out of order end the statement`(keys: [Int64]) throws {
    let error = #expect(throws: SQLiteError.self) { try append(keys) }
    #expect(error?.isStatementError == true)
  }
}
