internal import PassageDiagnostics
internal import PassageFiles
internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Builds indexes by sorting their entries and writing their pages, without SQL. Those of join tables
/// are copied where the source has the same (``JoinedIndexes``).
///
/// SQLite reserves the root pages, as those of empty tables. The pages of the entries are written to an
/// ``IndexFile``.
struct PageIndexes {
  private let step: StepRun
  private let store: PassStore
  private let control: RunControl
  /// A smaller table is indexed by SQLite in less time than its pages are opened.
  private let fewestRows: Int
  private let threadCount: Int
  private let memory = StepMemory.allowed

  /// - Parameters:
  ///   - fewestRows: the rows of a table from which on its indexes are built so.
  ///   - threadCount: the threads that may sort, this one included.
  init(
    step: StepRun, store: PassStore, control: RunControl, fewestRows: Int, threadCount: Int
  ) {
    self.step = step
    self.store = store
    self.control = control
    self.fewestRows = fewestRows
    self.threadCount = threadCount
  }

  /// What the journal records of the whole step.
  private enum State {
    /// That SQLite builds all indexes, and appends all tables.
    static let abandoned = "indexes:abandoned"
  }

  /// An index that is built.
  typealias Built = (place: ReservedIndex, columns: [IndexColumn])

  /// Tables with the indexes that are sorted.
  private struct Tables {
    private(set) var all: [(table: PageTable, indexes: [Built])] = []

    mutating func add(_ built: Built, of table: PageTable) {
      if let place = all.firstIndex(where: { $0.table.name == table.name }) {
        all[place].indexes.append(built)
      } else {
        all.append((table, [built]))
      }
    }
  }

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
    var tables = Tables()
    var copies: [JoinedIndexes.Copy] = []
    let joined = try JoinedIndexes(step, store.journal)
    for index in indexes {
      guard index.condition == nil,
        let table = try PageTable(index.tableName, store.connection), try isWorthIt(table),
        let columns = Self.columns(of: index, in: table)
      else {
        remaining.append(index)
        continue
      }
      if try exists(index) { continue }
      let place = try ReservedIndex(index, on: store.connection)
      if let copy = try joined?.copy(of: place, columns, on: table) {
        copies.append(copy)
      } else {
        tables.add((place, columns), of: table)
      }
    }
    let reserved = copies.map(\.place) + tables.all.flatMap(\.indexes).map(\.place)
    guard !reserved.isEmpty else { return indexes }
    try store.releaseLocks()
    let file = try IndexFile(of: store, control: control)
    guard try withExtendedLifetime(joined, { try write(copies, tables, to: file) }) else {
      try file.abandon()
      for item in reserved where !file.isInPlace(item) { try item.free(store.connection) }
      return indexes
    }
    try file.finish()
    return remaining
  }

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

  /// - Returns: false when SQLite must build the indexes that are not in place: it names the rows that are
  ///   equal under a unique one.
  private func write(
    _ copies: [JoinedIndexes.Copy], _ tables: Tables, to file: IndexFile
  ) throws -> Bool {
    let reader: PageReader
    do {
      reader = try PageReader(path: store.path)
    } catch is Unsoundness {
      return false
    }
    var (copied, sorted) = (copies, tables)
    if !copies.isEmpty {
      let totals = LeafTotals(reader, threadCount: threadCount, control: control)
      copied = try copies.filter { try $0.isCurrent(totals) }
      for copy in copies where !copied.contains(where: { $0.place.root == copy.place.root }) {
        sorted.add((copy.place, copy.columns), of: copy.table)
      }
    }
    // Keys are given one after the other, so that the largest tells enough.
    let jobs = try IndexJobs(sorted.all, threadCount: threadCount) { table in
      try store.connection.integer("SELECT max(rowid) FROM main.\(table.name.quotedIdentifier)")
    }
    defer { for job in jobs.all { try? FileSystem().remove(job.spillPath(of: store.path)) } }
    return threadCount > 1 && jobs.all.count + copied.count > 1 && !jobs.all.isEmpty
      ? try share(jobs, reader, copied, to: file)
      : try copy(copied, to: file) && fillInTurn(jobs, reader, to: file)
  }

  /// - Parameter first: what each of the other threads does before it copies.
  /// - Returns: false when SQLite must build the indexes.
  private func copy(
    _ copies: [JoinedIndexes.Copy], to file: IndexFile,
    after first: @escaping @Sendable () -> Void = {}
  ) throws -> Bool {
    try copies.allSatisfy { copy in
      let isCopied = try copy.write(
        to: file.writer, threadCount: threadCount, control: control, after: first)
      if isCopied { try file.note(copy.place) }
      return isCopied
    }
  }

  /// Sorts indexes, one table after the other.
  ///
  /// - Returns: false when rows are equal under a unique index.
  private func fillInTurn(
    _ jobs: IndexJobs, _ reader: PageReader, to file: IndexFile
  ) throws -> Bool {
    try jobs.all.allSatisfy { job in
      let filled = try job.fill(
        reader, store.path, byteCount: memory.indexBytes, helperCount: threadCount - 1,
        memory.meter, control)
      return try write(filled, of: job, to: file)
    }
  }

  /// Sorts indexes on several threads, while others are copied or written.
  ///
  /// - Returns: false when SQLite must build the indexes.
  private func share(
    _ jobs: IndexJobs, _ reader: PageReader, _ copies: [JoinedIndexes.Copy], to file: IndexFile
  ) throws -> Bool {
    let workerCount = max(2, min(threadCount, jobs.all.count))
    let first = copies.isEmpty ? [] : Array(jobs.all.prefix(workerCount - 1))
    // Each thread has a job that it fills or has filled; and before those come the first ones, or the one
    // that is written.
    let byteCount = memory.indexBytes(each: workerCount + max(1, first.count))
    let fill: @Sendable (IndexJob) throws -> FilledIndexes = {
      [path = store.path, memory, control] in
      try $0.fill(reader, path, byteCount: byteCount, helperCount: 0, memory.meter, control)
    }
    let early = EarlyIndexes(first, fill)
    guard try copy(copies, to: file, after: { early.fillNext() }) else { return false }
    let workers = OrderedWorkers<IndexJobs, FilledIndexes>(
      jobs.dropFirst(early.jobs.count), threadCount: workerCount, piecesPerThread: 1
    ) {
      { try? fill($0) }
    }
    defer { workers.stop() }
    for job in early.jobs {
      guard try write(early.take(job) ?? fill(job), of: job, to: file) else { return false }
    }
    var taker = OrderedWorkers<IndexJobs, FilledIndexes>.Taker()
    while let next = workers.next(&taker) {
      guard try write(next.output ?? fill(next.piece), of: next.piece, to: file) else {
        return false
      }
    }
    return true
  }

  /// - Returns: false when rows are equal under a unique index.
  private func write(
    _ filled: FilledIndexes, of job: IndexJob, to file: IndexFile
  ) throws -> Bool {
    for (builder, built) in zip(filled.builders, job.indexes) {
      try control.checkCancellation()
      guard try builder.write(to: file.writer, root: built.place.root).isEmpty else { return false }
      try file.note(built.place)
    }
    return true
  }
}
