public import Passage
internal import PassageSQLite

/// Runs plain SQL queries over a store, for direct checks in tests.
///
/// It does not use the engine and never writes:
///
/// ```swift
/// let query = try StoreQuery(path: path)
/// #expect(try query.integer("SELECT count(*) FROM ZPERSON WHERE ZNAME IS NULL") == 0)
/// ```
public final class StoreQuery {
  private let connection: Connection

  /// Opens a store. Its folder stays as it was.
  ///
  /// - Throws: the error that SQLite returns.
  public init(path: String) throws { connection = try Connection.reading(path) }

  /// Every row of a result, in the statement's order.
  public func rows(_ sql: String, _ values: [Value] = []) throws -> [[Value]] {
    try connection.rows(sql, values)
  }

  /// The first cell of the first row as an integer; 0 if there is none.
  public func integer(_ sql: String, _ values: [Value] = []) throws -> Int64 {
    try connection.integer(sql, values)
  }

  /// The rows of a statement, one at a time.
  public func cursor(_ sql: String, _ values: [Value] = []) throws -> Cursor {
    let statement = try connection.prepare(sql)
    try statement.bind(values)
    return Cursor(statement: statement)
  }

  /// The rows of one statement, read one at a time, so that memory does not grow with their number.
  public struct Cursor {
    fileprivate let statement: Statement

    /// The next row; `nil` after the last.
    public func next() throws -> [Value]? { try statement.step() ? statement.values() : nil }
  }

  /// A name as an SQL identifier, with any characters.
  public static func identifier(_ name: String) -> String { name.quotedIdentifier }
}
