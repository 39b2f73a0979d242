/// Sorts ``EntryKey``s, in memory as long as they fit.
///
/// It takes part in the memory from ``begin()`` to ``end()``.
final class EntrySorter {
  private static let firstArenaBytes = 65_536
  /// References to keys have 32 bits.
  private static let mostArenaBytes = Int(UInt32.max) & ~63

  private let memory: SortMemory
  private var arena = EntryArena(byteCount: 64)
  private var longest = 0
  private var runs: [SpilledRun] = []
  private var hasShare = false

  init(memory: SortMemory) { self.memory = memory }

  deinit { end() }

  // MARK: Memory

  func begin() {
    guard !hasShare else { return }
    hasShare = true
    memory.join()
    arena = EntryArena(byteCount: min(Self.firstArenaBytes, memory.share))
  }

  /// Forgets the entries.
  func end() {
    if hasShare { memory.leave() }
    hasShare = false
    memory.file.endRuns(runs.count)
    runs = []
    arena = EntryArena(byteCount: 64)
  }

  private var share: Int { min(memory.share, Self.mostArenaBytes) }

  // MARK: Filling

  /// Adds an entry.
  ///
  /// - Parameters:
  ///   - cells: the indexed values.
  ///   - inversions: for each cell 255 where its column is descending, else 0.
  func add(
    _ cells: UnsafeBufferPointer<CellImage>, row: Int64, inversions: UnsafePointer<UInt8>
  ) throws {
    let bound = EntryKeyEncoder.bound(of: cells)
    if !arena.hasRoom(for: bound) { try makeRoom(for: bound) }
    let count = EntryKeyEncoder.write(cells, row: row, inversions: inversions, to: arena.place)
    arena.commit(count)
    if count > longest { longest = count }
  }

  private func makeRoom(for bound: Int) throws {
    let share = share
    if arena.byteCount < share { arena = arena.grown(to: share) }
    guard !arena.hasRoom(for: bound) else { return }
    if arena.count > 0 { try spill() }
    guard !arena.hasRoom(for: bound) else { return }
    let byteCount = EntryArena.byteCount(forKey: bound)
    guard byteCount <= Self.mostArenaBytes else { throw EntryTooLong(byteCount: bound) }
    arena = EntryArena(byteCount: byteCount)
  }

  private func sort() {
    EntryOrder(base: arena.bytes).sort(arena.references, count: arena.count)
  }

  private func spill() throws {
    sort()
    var run = try RunWriter(memory.file, buffer: arena.writeBuffer)
    // The run is ended with the others, whether it is complete or not.
    runs.append(SpilledRun(offset: 0, byteCount: 0))
    for index in 0..<arena.count { try run.append(arena.key(index)) }
    runs[runs.count - 1] = try run.finish()
    let share = share
    if arena.byteCount > share {
      arena = EntryArena(byteCount: share)
    } else {
      arena.removeAll()
    }
  }

  // MARK: Emptying

  /// Gives the keys of all entries in order, each valid during its call. No entry follows.
  @inline(__always)
  func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    if let merge = try finish() { return try merge.forEach(body) }
    let arena = arena
    for index in 0..<arena.count { try body(arena.key(index)) }
  }

  /// Sorts in memory, or gives the last merge.
  private func finish() throws -> EntryMerge? {
    // Where there are more sorters than before, less may stay in memory.
    if runs.isEmpty, arena.byteCount <= share || arena.count == 0 {
      sort()
      return nil
    }
    if arena.count > 0 { try spill() }
    let plan = MergePlan(share: share, longest: longest)
    arena = EntryArena(byteCount: 64)
    let slices = RawMemory(byteCount: plan.byteCount)
    while runs.count > plan.fanIn { try mergeSome(plan, slices) }
    return try EntryMerge(
      runs, memory.file, arena: slices, sliceBytes: plan.sliceBytes(runs: runs.count))
  }

  /// Makes one run of several.
  private func mergeSome(_ plan: MergePlan, _ slices: RawMemory) throws {
    let count = plan.firstMerge(of: runs.count)
    let slice = plan.sliceBytes(runs: count)
    let merge = try EntryMerge(
      Array(runs[..<count]), memory.file, arena: slices, sliceBytes: slice)
    var run = try RunWriter(
      memory.file,
      buffer: UnsafeMutableRawBufferPointer(start: slices.bytes + count * slice, count: slice))
    runs.append(SpilledRun(offset: 0, byteCount: 0))
    try merge.forEach { try run.append($0) }
    runs[runs.count - 1] = try run.finish()
    runs.removeFirst(count)
    memory.file.endRuns(count)
  }
}

/// An entry of an index is longer than one can be.
package struct EntryTooLong: Error, Sendable, Hashable {
  package let byteCount: Int
}
