internal import PassageSQLite
internal import PassageValues

/// A statement that is prepared when it is first needed.
struct PreparedOnce {
  private let sql: String
  private var compiled: Statement?

  init(_ sql: String) { self.sql = sql }

  mutating func statement(on connection: Connection) throws -> Statement {
    if let compiled { return compiled }
    let statement = try connection.prepare(sql)
    compiled = statement
    return statement
  }

  /// Runs the statement once with these values.
  mutating func run(_ values: [Value], on connection: Connection) throws {
    let statement = try statement(on: connection)
    try statement.bind(values)
    try statement.run()
  }
}
