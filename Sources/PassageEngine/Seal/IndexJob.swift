internal import PassageFiles
internal import PassagePages
internal import PassageStores

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
  ///   - meter: told what is taken of it; `nil` for none.
  ///   - helperCount: the threads that may sort beside this one.
  /// - Throws: `Cancellation`, `PageDamage`, or an error of a file.
  func fill(
    _ reader: PageReader, _ storePath: String, byteCount: Int, helperCount: Int,
    _ meter: MemoryMeter?, _ control: RunControl
  ) throws -> FilledIndexes {
    let path = spillPath(of: storePath)
    let memory = SortMemory(byteCount: byteCount, helperCount: helperCount, meter: meter) {
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
