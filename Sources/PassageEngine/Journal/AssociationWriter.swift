internal import PassageSQLite
internal import PassageValues

/// Writes which destination objects the source objects of a mapping became. One statement inserts a
/// block of rows, because starting a statement costs more than a row.
struct AssociationWriter {
  private static let blockRows = 32

  private let mapping: Int
  private let store: PassStore
  private let recorded: RecordedAssociations?
  /// For a whole block, and for less: ending the list where a parameter says so costs time.
  private var insert: (whole: Statement?, part: Statement?)
  /// The source key, the destination key and the entity of each row that is not written yet.
  private var buffered: [Int64] = []

  /// - Parameter recorded: notes what is written; `nil` when nobody asks.
  init(mapping: Int, store: PassStore, recorded: RecordedAssociations? = nil) {
    self.mapping = mapping
    self.store = store
    self.recorded = recorded
  }

  /// Adds one association; it may be buffered until ``flush()``.
  mutating func append(source: Int64, destination: Int64, entity: Int64) throws {
    buffered.append(source)
    buffered.append(destination)
    buffered.append(entity)
    if buffered.count == Self.blockRows * 3 { try flush() }
  }

  /// Writes all buffered associations to the table. Called before associations are read, and before
  /// a batch is committed.
  mutating func flush() throws {
    guard !buffered.isEmpty else { return }
    let count = buffered.count / 3
    let statement = try count == Self.blockRows ? whole() : part()
    for index in buffered.indices { try statement.bind(buffered[index], at: index + 1) }
    if count < Self.blockRows { try statement.bind(Int64(count), at: Self.blockRows * 3 + 1) }
    recorded?.note(buffered)
    buffered.removeAll(keepingCapacity: true)
    try statement.run()
  }

  private mutating func whole() throws -> Statement {
    if let whole = insert.whole { return whole }
    let statement = try store.connection.prepare(
      "\(beginning) VALUES \(rows("(\(mapping), ?, ?, ?)"))")
    insert.whole = statement
    return statement
  }

  private mutating func part() throws -> Statement {
    if let part = insert.part { return part }
    let statement = try store.connection.prepare(
      "\(beginning) SELECT \(mapping), column1, column2, column3 "
        + "FROM (VALUES \(rows("(?, ?, ?)"))) LIMIT ?")
    insert.part = statement
    return statement
  }

  private var beginning: String {
    "INSERT OR IGNORE INTO \(Journal.Table.association.name) "
      + "(mapping, source, destination, entity)"
  }

  private func rows(_ row: String) -> String {
    Array(repeating: row, count: Self.blockRows).joined(separator: ", ")
  }
}
