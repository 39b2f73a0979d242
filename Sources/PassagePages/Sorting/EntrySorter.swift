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
  private var runs = SpilledRuns()
  /// The memory that a helper has, or had.
  private var lent: EntryArena?
  private var hasShare = false

  init(memory: SortMemory) { self.memory = memory }

  deinit { end() }

  // MARK: Memory

  func begin() {
    guard !hasShare else { return }
    hasShare = true
    memory.join()
    arena = EntryArena(byteCount: min(Self.firstArenaBytes, memory.share), meter: memory.meter)
  }

  /// Forgets the entries.
  func end() {
    if hasShare { memory.leave() }
    hasShare = false
    runs.removeAll(memory)
    lent = nil
    arena = EntryArena(byteCount: 64)
  }

  private var share: Int { min(memory.share, Self.mostArenaBytes) }

  /// The bytes of the entries that are added: a helper may have as many.
  private var fillingShare: Int {
    memory.hasHelpers ? max(SortMemory.leastShare, share / 2) & ~63 : share
  }

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
    let share = fillingShare
    if arena.byteCount < share { arena = arena.grown(to: share) }
    guard !arena.hasRoom(for: bound) else { return }
    if arena.count > 0 { try spill(toHelper: memory.hasHelpers) }
    guard !arena.hasRoom(for: bound) else { return }
    let byteCount = EntryArena.byteCount(forKey: bound)
    guard byteCount <= Self.mostArenaBytes else { throw EntryTooLong(byteCount: bound) }
    arena = EntryArena(byteCount: byteCount, meter: memory.meter)
  }

  /// Makes a run of the entries in memory.
  ///
  /// - Parameter toHelper: whether a helper does it, while other entries are added.
  private func spill(toHelper: Bool) throws {
    let filled = EntryFilling(arena: arena)
    let file = memory.file
    let share = fillingShare
    var next = arena
    if toHelper {
      // The helper is done with the run before, and its memory is free.
      try runs.finish()
      try runs.begin(memory) {
        filled.sort()
        return try file.write(buffer: filled.arena.writeBuffer, filled.append(to:))
      }
      next = lent ?? EntryArena(byteCount: share, meter: memory.meter)
      lent = arena
    } else {
      filled.sort()
      try runs.add(memory, buffer: arena.writeBuffer, filled.append(to:))
    }
    if next.byteCount > share { next = EntryArena(byteCount: share, meter: memory.meter) }
    next.removeAll()
    arena = next
  }

  // MARK: Emptying

  /// Gives the keys of all entries in order, each valid during its call. No entry follows.
  @inline(__always)
  func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    if let merge = try finish() { return try merge.forEach(body) }
    let arena = arena
    EntryFilling(arena: arena).sort()
    for index in 0..<arena.count { try body(arena.key(index)) }
  }

  /// - Returns: the last merge; `nil` when all entries are in memory.
  private func finish() throws -> EntryMerge? {
    try runs.finish()
    lent = nil
    // Where there are more sorters than before, less may stay in memory.
    if runs.isEmpty, arena.byteCount <= share || arena.count == 0 { return nil }
    if arena.count > 0 { try spill(toHelper: false) }
    let plan = MergePlan(share: share, longest: longest)
    arena = EntryArena(byteCount: 64)
    let slices = RawMemory(byteCount: plan.byteCount, meter: memory.meter)
    while runs.count > plan.fanIn { try mergeSome(plan, slices) }
    return try EntryMerge(
      runs.all, memory.file, arena: slices, sliceBytes: plan.sliceBytes(runs: runs.count))
  }

  /// Makes one run of several.
  private func mergeSome(_ plan: MergePlan, _ slices: RawMemory) throws {
    let count = plan.firstMerge(of: runs.count)
    let slice = plan.sliceBytes(runs: count)
    let merge = try EntryMerge(
      Array(runs.all[..<count]), memory.file, arena: slices, sliceBytes: slice)
    let buffer = UnsafeMutableRawBufferPointer(start: slices.bytes + count * slice, count: slice)
    try runs.add(memory, buffer: buffer) { run in try merge.forEach { try run.append($0) } }
    runs.removeFirst(count, memory)
  }
}

/// The keys in a sorter's memory.
// Unchecked: a sorter that hands them to a helper does not touch their memory until the helper is
// done, so one thread at a time has them.
private struct EntryFilling: @unchecked Sendable {
  let arena: EntryArena

  func sort() { EntryOrder(base: arena.bytes).sort(arena.references, count: arena.count) }

  func append(to run: inout RunWriter) throws {
    for index in 0..<arena.count { try run.append(arena.key(index)) }
  }
}

/// An entry of an index is longer than one can be.
package struct EntryTooLong: Error, Sendable, Hashable {
  package let byteCount: Int
}
