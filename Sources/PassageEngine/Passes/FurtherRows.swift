internal import PassageFiles
internal import PassagePages
internal import PassageStores
internal import PassageValues

/// The rows that policies add to tables while objects are made page by page, besides those at their
/// source objects' keys.
///
/// Their keys are larger than all others of their table, and ascend. They wait in a file for each
/// table until the table's other rows are written.
final class FurtherRows {
  private let path: String
  private let journal: Journal
  private let tables: [String: PageTable]
  /// By name, the number of a table in the names of files.
  private let numbers: [String: Int]
  private var runs: [String: RowRun] = [:]
  private var places: [String: Int64] = [:]

  /// Continues where the journal says that an interrupted run was.
  ///
  /// - Parameters:
  ///   - path: the pass store's, which begins the paths of the files.
  ///   - names: all tables of the pass store that have objects.
  ///   - tables: those of them that pages can be written for.
  /// - Throws: `SpillDamage` when a file does not hold what the journal says.
  init(path: String, names: [String], tables: [String: PageTable], journal: Journal) throws {
    self.path = path
    self.journal = journal
    self.tables = tables
    numbers = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    for name in names {
      guard let byteCount = try journal.state(Self.bytesName(name))?.integer else { continue }
      guard try FileSystem().exists(runPath(name)) else { throw SpillDamage() }
      runs[name] = try RowRun(
        PositionalFile(runPath(name), mode: .updating), byteCount: byteCount)
      places[name] = try journal.state(Self.placeName(name))?.integer
    }
  }

  private static func bytesName(_ table: String) -> String { "pages:rows:\(table)" }

  private static func placeName(_ table: String) -> String { "pages:rows-place:\(table)" }

  private func runPath(_ table: String) -> String { "\(path)-rows-\(numbers[table] ?? 0)" }

  // MARK: Collecting

  /// The tables that have such rows.
  var tablesWithRows: [PageTable] {
    runs.keys.sorted().compactMap { tables[$0] }
  }

  /// The door through which objects of a table are added.
  ///
  /// - Throws: ``PagesUnsuitable`` when the table is not one that pages can be written for.
  func sink(
    table name: String, constants: [(column: String, value: Value)], columns: [String]
  ) throws -> any RowSink {
    guard let table = tables[name] else {
      throw PagesUnsuitable("\(name) is not an ordinary table")
    }
    return try RunSink(run(name), table, constants: constants, columns: columns)
  }

  private func run(_ table: String) throws -> RowRun {
    if let known = runs[table] { return known }
    try FileSystem().makeFile(runPath(table))
    let run = try RowRun(PositionalFile(runPath(table), mode: .updating), byteCount: 0)
    runs[table] = run
    return run
  }

  /// Records how far the rows have come.
  func record() throws {
    for (name, run) in runs {
      try journal.setState(Self.bytesName(name), .integer(run.flush()))
      if let place = places[name] { try journal.setState(Self.placeName(name), .integer(place)) }
    }
  }

  // MARK: Writing

  /// Appends the rows of a table behind its others.
  ///
  /// - Parameters:
  ///   - rows: how many rows are appended between two calls of `pause`.
  ///   - pause: may record how far the writer has come.
  /// - Throws: `KeyOutOfOrder`, `SpillDamage`, what `pause` throws, or an error of a file.
  func append(
    to writer: TableTreeWriter, table: String, rows: Int, pause: () throws -> Void
  ) throws {
    guard let run = runs[table] else { return }
    let reader = try RowRunReader(run, at: places[table] ?? 0)
    while try reader.append(to: writer, rows: rows) {
      places[table] = reader.place
      try pause()
    }
    places[table] = reader.place
  }

  /// Removes the files.
  func remove() throws {
    runs = [:]
    for name in numbers.keys.sorted() { try FileSystem().remove(runPath(name)) }
  }
}
