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
