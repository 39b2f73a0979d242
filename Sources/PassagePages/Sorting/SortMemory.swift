package import PassageFiles

/// The memory, the temporary file and the threads that sorters share, however many entries they get.
///
/// Every sorter may take an equal share. It grows by the shares of those that are done; make all
/// sorters that are filled at the same time before the first entry, so that none has taken more
/// than its share. One thread at a time uses the memory and its sorters.
///
/// With helpers, a sorter of byte strings fills one half of its share while a helper sorts the other
/// half and writes it to the file. The sorted entries are the same. Words are sorted in so little
/// time that a helper gains nothing.
package final class SortMemory {
  /// Less than this does not hold the buffers of a merge.
  static let leastShare = 4_096

  /// The bytes that all sorters take together. An entry that is longer than a share takes as much
  /// as it needs.
  package let byteCount: Int
  let file: SpillFile
  let meter: MemoryMeter?
  private let helperCount: Int
  private var sorterCount = 0
  /// What the helpers work on, the longest begun first.
  private var begun: [SideTask<SpilledRun>] = []

  /// - Parameters:
  ///   - byteCount: of all sorters together, at least 4 kB for each of them.
  ///   - helperCount: the threads that may sort beside the one that uses the memory.
  ///   - meter: told what the sorters take; `nil` for none.
  ///   - makeFile: makes the file for what does not fit into memory. It is called once, or not at
  ///     all; the caller removes the file when the sorters are done.
  package init(
    byteCount: Int, helperCount: Int = 0, meter: MemoryMeter? = nil,
    makeFile: @escaping @Sendable () throws -> PositionalFile
  ) {
    self.byteCount = byteCount
    self.helperCount = helperCount
    self.meter = meter
    file = SpillFile(make: makeFile)
  }

  /// The bytes that a sorter may take now.
  var share: Int { max(Self.leastShare, byteCount / max(1, sorterCount)) & ~63 }

  func join() { sorterCount += 1 }
  func leave() { sorterCount -= 1 }

  // MARK: Helpers

  var hasHelpers: Bool { helperCount > 0 }

  /// Has a helper sort and write a run, as soon as one has nothing to do.
  func begin(_ spill: @escaping @Sendable () throws -> SpilledRun) -> SideTask<SpilledRun> {
    // Whose run it is asks for the error.
    if begun.count >= helperCount { begun.removeFirst().wait() }
    let task = SideTask(spill)
    begun.append(task)
    return task
  }
}
