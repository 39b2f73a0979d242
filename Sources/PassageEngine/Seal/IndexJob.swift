internal import PassageFiles
internal import PassagePages
internal import PassageStores
internal import Synchronization

/// Indexes of one table that are filled in one sweep of it.
struct IndexJob: Sendable {
  private static let rowsBetweenQuestions = 65_536

  let number: Int
  let table: PageTable
  let indexes: [PageIndexes.Built]

  /// The file for entries that do not fit into memory, of a store.
  func spillPath(of storePath: String) -> String { "\(storePath)-sort-\(number)" }

  /// Collects and sorts the entries.
  ///
  /// - Parameters:
  ///   - byteCount: the memory for sorting.
  ///   - helperCount: the threads that may sort beside this one.
  /// - Throws: `Cancellation`, `PageDamage`, or an error of a file.
  func fill(
    _ reader: PageReader, _ storePath: String, byteCount: Int, helperCount: Int,
    _ control: RunControl
  ) throws -> FilledIndexes {
    let path = spillPath(of: storePath)
    let memory = SortMemory(byteCount: byteCount, helperCount: helperCount) {
      try FileSystem().makeFile(path)
      return try PositionalFile(path, mode: .updating)
    }
    let builders = indexes.map {
      IndexBuilder(columns: $0.columns, isUnique: $0.place.index.isUnique, memory: memory)
    }
    let sweep = TableSweep(reader, root: table.root, columnCount: table.names.count)
    while try sweep.addRows(to: builders, most: Self.rowsBetweenQuestions) {
      try control.checkCancellation()
    }
    return FilledIndexes(builders: builders)
  }
}

/// Indexes with all their entries, by position in the job.
// Unchecked: the thread that has filled them hands them over, and keeps none.
struct FilledIndexes: @unchecked Sendable {
  let builders: [IndexBuilder]
}

/// The jobs of a step, in the order in which their indexes are written.
struct IndexJobs: Sendable, WorkSource {
  let all: [IndexJob]
  private var begunCount = 0

  /// Makes a job of each table. Of one that has more than a thread's part of all entries, each index is a
  /// job: then the table is read for every index, and they are sorted beside each other.
  ///
  /// - Parameter rowCount: about how many rows a table has. It is asked where there is a choice.
  init(
    _ tables: [(table: PageTable, indexes: [PageIndexes.Built])], threadCount: Int,
    rowCount: (PageTable) throws -> Int64
  ) rethrows {
    let hasChoice = threadCount > 1 && tables.contains { $0.indexes.count > 1 }
    let entryCounts = try tables.map { table, indexes in
      hasChoice ? Double(try rowCount(table)) * Double(indexes.count) : 0
    }
    let share = entryCounts.reduce(0, +) / Double(max(1, threadCount))
    let groups = zip(tables, entryCounts).flatMap { item, count in
      count > share ? item.indexes.map { (item.table, [$0]) } : [item]
    }
    all = groups.enumerated().map { number, group in
      IndexJob(number: number, table: group.0, indexes: group.1)
    }
  }

  /// The jobs without the first ones.
  func dropFirst(_ count: Int) -> IndexJobs {
    var rest = self
    rest.begunCount = count
    return rest
  }

  mutating func next() -> IndexJob? {
    guard begunCount < all.count else { return nil }
    defer { begunCount += 1 }
    return all[begunCount]
  }
}

/// The first jobs of a step, which threads do before something else.
final class EarlyIndexes: Sendable {
  private struct State {
    var begunCount = 0
    /// By number of the job.
    var filled: [Int: FilledIndexes] = [:]
  }

  let jobs: [IndexJob]
  private let fill: @Sendable (IndexJob) throws -> FilledIndexes
  private let state = Mutex(State())

  init(_ jobs: [IndexJob], _ fill: @escaping @Sendable (IndexJob) throws -> FilledIndexes) {
    self.jobs = jobs
    self.fill = fill
  }

  /// Does the next job. One that fails is done again by who takes it, and who finds the error.
  func fillNext() {
    let job = state.withLock { state -> IndexJob? in
      guard state.begunCount < jobs.count else { return nil }
      defer { state.begunCount += 1 }
      return jobs[state.begunCount]
    }
    guard let job, let filled = try? fill(job) else { return }
    state.withLock { $0.filled[job.number] = filled }
  }

  /// - Returns: `nil` when nobody has done the job.
  func take(_ job: IndexJob) -> FilledIndexes? {
    state.withLock { $0.filled.removeValue(forKey: job.number) }
  }
}
