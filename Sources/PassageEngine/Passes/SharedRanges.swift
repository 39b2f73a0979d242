internal import PassagePages

/// Where a feed is that shares the ranges of its source table among threads: between two ranges, or
/// in rows that it copies itself.
final class SharedRanges {
  private let shared: SharedMaking
  private let workers: RangeWorkers<MadeRange>
  private var taker = RangeWorkers<MadeRange>.Taker()
  /// The rows up to this key are done.
  private var done: Int64
  /// Whether the copier is in the middle of rows that no thread has copied.
  private var isInCopier = false

  /// - Parameters:
  ///   - reader: of the source.
  ///   - key: the rows up to this one are done already.
  ///   - threadCount: at least 2, this one included.
  init(_ reader: PageReader, after key: Int64, _ shared: SharedMaking, threadCount: Int) {
    done = key
    self.shared = shared
    let ranges = LeafRanges(reader, root: shared.job.root, after: key == .min ? nil : key)
    workers = RangeWorkers(ranges, threadCount: threadCount) {
      guard let maker = RangeMaker(shared) else { return nil }
      return { maker.make($0) }
    }
  }

  /// Whether threads have begun the last range.
  var isAllBegun: Bool { workers.isAllBegun }

  /// Ends the threads.
  func stop() {
    shared.stop()
    workers.stop()
  }

  /// The next rows.
  ///
  /// - Parameters:
  ///   - copier: gets what was counted.
  ///   - sweep: the copier's.
  ///   - mappings: by program; they get what was counted too.
  /// - Returns: `nil` when the copier has to copy the rows it is at, until it is at its end.
  func next(
    _ copier: RowCopier, _ sweep: TableSweep, _ mappings: [PageMapping]
  ) throws -> RowBuffer? {
    if isInCopier { return nil }
    guard done < .max, let next = workers.next(&taker) else {
      // What is left are the rows of a single leaf, or damage, or nothing.
      try leaveRest(to: copier, sweep)
      return nil
    }
    // A run that is continued may begin within a range.
    guard done == .min || next.piece.after ?? .min >= done else {
      try leaveRest(through: next.piece.through, to: copier, sweep)
      return nil
    }
    guard let made = next.output else {
      isInCopier = true
      copier.lastKey = next.piece.through
      try shared.job.begin(next.piece, in: sweep)
      return nil
    }
    copier.add(made.counts)
    copier.noteCopied(made.rows)
    for (mapping, counts) in zip(mappings, made.made) { mapping.add(counts) }
    done = next.piece.through
    return made.rows
  }

  /// Leaves the rows that follow to the copier, in a sweep from the root.
  private func leaveRest(
    through key: Int64 = .max, to copier: RowCopier, _ sweep: TableSweep
  ) throws {
    isInCopier = true
    copier.lastKey = key
    if done == .min { sweep.restart() } else { try sweep.seek(after: done) }
  }

  /// Notes that the copier is at its end.
  ///
  /// - Returns: whether that is the end of the table.
  func noteCopied(_ copier: RowCopier) -> Bool {
    isInCopier = false
    done = copier.lastKey
    copier.lastKey = .max
    return done == .max
  }

  /// The key up to which rows are done.
  func key(_ copier: RowCopier) -> Int64 {
    isInCopier ? max(done, min(copier.key, copier.lastKey)) : done
  }
}
