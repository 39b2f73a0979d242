internal import PassageSQLite
internal import PassageValues

/// Writes which destination objects the source objects of a mapping became. One statement inserts a
/// block of rows, because starting a statement costs more than a row.
struct AssociationWriter {
  private static let blockRows = 32

  private let mapping: Int
  private let store: PassStore
  private var insert: Statement?
  private var filledRows = 0

  init(mapping: Int, store: PassStore) {
    self.mapping = mapping
    self.store = store
  }

  /// Adds one association; it may be buffered until ``flush()``.
  mutating func append(source: Int64, destination: Int64, entity: Int64) throws {
    let statement = try prepared()
    try statement.bind(source, at: filledRows * 3 + 1)
    try statement.bind(destination, at: filledRows * 3 + 2)
    try statement.bind(entity, at: filledRows * 3 + 3)
    filledRows += 1
    if filledRows == Self.blockRows { try flush() }
  }

  /// Writes all buffered associations to the table. Called before associations are read, and before
  /// a batch is committed.
  mutating func flush() throws {
    guard filledRows > 0 else { return }
    let statement = try prepared()
    try statement.bind(Int64(filledRows), at: Self.blockRows * 3 + 1)
    filledRows = 0
    try statement.run()
  }

  private mutating func prepared() throws -> Statement {
    if let insert { return insert }
    let rows = Array(repeating: "(?, ?, ?)", count: Self.blockRows).joined(separator: ", ")
    let statement = try store.connection.prepare(
      "INSERT OR IGNORE INTO \(Journal.Table.association.name) "
        + "(mapping, source, destination, entity) "
        + "SELECT \(mapping), column1, column2, column3 FROM (VALUES \(rows)) LIMIT ?")
    insert = statement
    return statement
  }
}
