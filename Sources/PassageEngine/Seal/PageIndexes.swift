internal import PassageDiagnostics
internal import PassageFiles
internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Builds indexes by sorting their entries and writing their pages, without SQL.
///
/// SQLite reserves the root pages, as those of empty tables. The entries are sorted and their pages
/// appended to the file, where SQLite does not see them yet. Then the roots are written and the
/// schema is changed: that is one short moment, which the journal records, because a run that is
/// interrupted in it cannot be continued.
struct PageIndexes {
  /// The memory of all sorters of one thread.
  private static let sortBytes = 12 << 20

  private let store: PassStore
  private let control: RunControl
  /// A smaller table is indexed by SQLite in less time than its pages are opened.
  private let fewestRows: Int
  private let threadCount: Int

  /// - Parameters:
  ///   - fewestRows: the rows of a table from which on its indexes are built so.
  ///   - threadCount: the threads that may sort, this one included.
  init(store: PassStore, control: RunControl, fewestRows: Int, threadCount: Int) {
    self.store = store
    self.control = control
    self.fewestRows = fewestRows
    self.threadCount = threadCount
  }

  /// What the journal records of the whole step.
  private enum State {
    /// That the roots are being written, and the schema changed.
    static let moment = "indexes:moment"
    /// That SQLite builds all indexes, and appends all tables.
    static let abandoned = "indexes:abandoned"
  }

  /// An index that is built.
  typealias Built = (place: ReservedIndex, columns: [IndexColumn])

  /// Builds those of the indexes that can be built so and do not exist. ``PageCheck`` has the last
  /// word on them.
  ///
  /// - Returns: the indexes that are left to SQLite, also those of a table with rows that are equal
  ///   under a unique index.
  func make(_ indexes: [IndexLayout]) throws -> [IndexLayout] {
    // A database in memory has no file to write pages to.
    if MemoryDatabase.isPath(store.path) { return indexes }
    guard try !Self.isAbandoned(store.journal) else { return indexes }
    var remaining: [IndexLayout] = []
    var tables: [(table: PageTable, indexes: [Built])] = []
    for index in indexes {
      guard index.condition == nil,
        let table = try PageTable(index.tableName, store.connection), try isWorthIt(table),
        let columns = Self.columns(of: index, in: table)
      else {
        remaining.append(index)
        continue
      }
      if try exists(index) { continue }
      let built = (try ReservedIndex(index, on: store.connection), columns)
      if let place = tables.firstIndex(where: { $0.table.name == table.name }) {
        tables[place].indexes.append(built)
      } else {
        tables.append((table, [built]))
      }
    }
    guard !tables.isEmpty else { return indexes }
    let reserved = tables.flatMap(\.indexes).map(\.place)
    try store.releaseLocks()
    guard let writer = try write(tables) else {
      for item in reserved { try item.free(store.connection) }
      return indexes
    }
    try store.journal.setWrittenByPages()
    try store.journal.setState(State.moment, 1)
    try writer.finish()
    try ReservedIndex.adopt(reserved, store.connection)
    try store.journal.removeState(State.moment)
    return remaining
  }

  /// Whether a run was interrupted between the roots and the schema: its file is not to be used.
  static func isTorn(_ journal: Journal) throws -> Bool { try journal.state(State.moment) != nil }

  /// Whether the indexes and the assembly of a step are left to SQLite.
  static func isAbandoned(_ journal: Journal) throws -> Bool {
    try journal.state(State.abandoned) != nil
  }

  /// Leaves the indexes and the assembly of a step to SQLite.
  static func abandon(_ journal: Journal) throws { try journal.setState(State.abandoned, 1) }

  private func isWorthIt(_ table: PageTable) throws -> Bool {
    try fewestRows == 0
      || store.connection.value(
        "SELECT 1 FROM main.\(table.name.quotedIdentifier) LIMIT 1 OFFSET ?",
        [.integer(Int64(fewestRows))]) != nil
  }

  private func exists(_ index: IndexLayout) throws -> Bool {
    try store.connection.value(
      "SELECT 1 FROM main.sqlite_master WHERE type = 'index' AND name = ?", [.text(index.name)])
      != nil
  }

  /// - Returns: `nil` when a column is not in the table.
  private static func columns(of index: IndexLayout, in table: PageTable) -> [IndexColumn]? {
    var columns: [IndexColumn] = []
    for element in index.elements {
      let position = table.position(element.column)
      guard position >= 0 else { return nil }
      columns.append(
        IndexColumn(
          position: position == table.columns.keyColumn ? nil : position,
          isDescending: element.isAscending == false))
    }
    return columns.isEmpty ? nil : columns
  }

  // MARK: Writing

  /// - Returns: the writer, which is not finished; `nil` when SQLite must build the indexes: it
  ///   names the rows that are equal under a unique one.
  private func write(
    _ tables: [(table: PageTable, indexes: [Built])]
  ) throws -> PageFileWriter? {
    let reader: PageReader
    do {
      reader = try PageReader(path: store.path)
    } catch is Unsoundness {
      return nil
    }
    let writer = try PageFileWriter(path: store.path, keepsPages: true)
    let jobs = IndexJobs(tables, threadCount: threadCount)
    defer { for job in jobs.all { try? FileSystem().remove(job.spillPath(of: store.path)) } }
    guard threadCount > 1, jobs.all.count > 1 else {
      for job in jobs.all {
        let filled = try job.fill(
          reader, store.path, byteCount: Self.sortBytes, helperCount: threadCount - 1, control)
        guard try write(filled, of: job, to: writer) else { return nil }
      }
      return writer
    }
    // The next ones are sorted while an index is written. However many threads there are, all
    // together have twice the memory of one.
    let workerCount = min(threadCount, jobs.all.count)
    let byteCount = 2 * Self.sortBytes / (workerCount + 1)
    let workers = OrderedWorkers<IndexJobs, FilledIndexes>(
      jobs, threadCount: workerCount, piecesPerThread: 1
    ) { [path = store.path, control] in
      { try? $0.fill(reader, path, byteCount: byteCount, helperCount: 0, control) }
    }
    defer { workers.stop() }
    var taker = OrderedWorkers<IndexJobs, FilledIndexes>.Taker()
    while let next = workers.next(&taker) {
      let filled =
        try next.output
        ?? next.piece.fill(reader, store.path, byteCount: byteCount, helperCount: 0, control)
      guard try write(filled, of: next.piece, to: writer) else { return nil }
    }
    return writer
  }

  /// - Returns: false when rows are equal under a unique index.
  private func write(
    _ filled: FilledIndexes, of job: IndexJob, to writer: PageFileWriter
  ) throws -> Bool {
    for (builder, built) in zip(filled.builders, job.indexes) {
      try control.checkCancellation()
      guard try builder.write(to: writer, root: built.place.root).isEmpty else { return false }
    }
    return true
  }
}
