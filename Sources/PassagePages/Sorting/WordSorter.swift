/// Sorts entries of whole numbers, in memory as long as they fit.
final class WordSorter<Entry: WordEntry> {
  private static var firstArenaBytes: Int { 65_536 }

  private let memory: SortMemory
  private var arena: SortArena
  /// The entries that came since the last spill, in the first half of the arena or, sorted, in either.
  private var entries: UnsafeMutablePointer<Entry>
  private var capacity = 0
  private var count = 0
  /// Whether the entries came in order, and whether their rows did.
  private var isSorted = true
  private var rowsAscend = true
  private var runs: [SpilledRun] = []
  private var merge: WordMerge<Entry>?
  private var position = 0

  init(memory: SortMemory) {
    self.memory = memory
    memory.join()
    arena = SortArena(byteCount: min(Self.firstArenaBytes, memory.share))
    entries = arena.bytes.assumingMemoryBound(to: Entry.self)
    occupy(arena)
  }

  deinit {
    memory.file.endRuns(runs.count)
    memory.leave()
  }

  private func occupy(_ arena: SortArena) {
    self.arena = arena
    // The other half is for sorting.
    capacity = arena.byteCount / (2 * MemoryLayout<Entry>.stride)
    entries = arena.bytes.bindMemory(to: Entry.self, capacity: 2 * capacity)
  }

  // MARK: Filling

  @inline(__always)
  func add(_ entry: Entry) throws {
    if count == capacity { try makeRoom() }
    if count > 0 {
      let last = entries[count - 1]
      let row = Entry.wordCount - 1
      if Entry.isBefore(entry, last) { isSorted = false }
      if entry[row] < last[row] { rowsAscend = false }
    }
    entries[count] = entry
    count += 1
  }

  private func makeRoom() throws {
    let share = memory.share
    guard arena.byteCount < share else { return try spill() }
    let old = (arena, entries)
    occupy(SortArena(byteCount: share))
    entries.update(from: old.1, count: count)
    withExtendedLifetime(old.0) {}
  }

  /// Sorts what is in memory.
  private func sort() {
    guard !isSorted else { return }
    // Where rows came in ascending order, they stay so by themselves.
    let words = Entry.wordCount - (rowsAscend ? 1 : 0)
    entries = RadixSort.sort(
      entries, spare: entries + capacity, count: count, words: 0..<words)
  }

  private func spill() throws {
    sort()
    var run = try RunWriter(
      memory.file, buffer: UnsafeMutableRawBufferPointer(start: nil, count: 0))
    // The run is ended with the others, whether it is complete or not.
    runs.append(SpilledRun(offset: 0, byteCount: 0))
    try run.append(entries, byteCount: count * MemoryLayout<Entry>.stride)
    runs[runs.count - 1] = try run.finish()
    count = 0
    isSorted = true
    rowsAscend = true
    let share = memory.share
    occupy(arena.byteCount > share ? SortArena(byteCount: share) : arena)
  }

  // MARK: Emptying

  /// No entry follows. ``next()`` gives them all in order.
  func finish() throws {
    // Where there are more sorters than before, less may stay in memory.
    if runs.isEmpty, arena.byteCount <= memory.share { return sort() }
    if count > 0 { try spill() }
    guard !runs.isEmpty else { return }
    let plan = MergePlan(share: memory.share, longest: MemoryLayout<Entry>.stride)
    if arena.byteCount != plan.byteCount { occupy(SortArena(byteCount: plan.byteCount)) }
    while runs.count > plan.fanIn {
      let count = plan.firstMerge(of: runs.count)
      let slice = plan.sliceBytes(runs: count)
      let merge = try WordMerge<Entry>(
        Array(runs[..<count]), memory.file, arena: arena, sliceBytes: slice)
      var run = try RunWriter(
        memory.file,
        buffer: UnsafeMutableRawBufferPointer(start: arena.bytes + count * slice, count: slice))
      runs.append(SpilledRun(offset: 0, byteCount: 0))
      while var entry = try merge.next() {
        try run.append(&entry, byteCount: MemoryLayout<Entry>.stride)
      }
      runs[runs.count - 1] = try run.finish()
      runs.removeFirst(count)
      memory.file.endRuns(count)
    }
    merge = try WordMerge(
      runs, memory.file, arena: arena, sliceBytes: plan.sliceBytes(runs: runs.count))
  }

  /// The next entry in order; `nil` after the last.
  @inline(__always)
  func next() throws -> Entry? {
    if let merge { return try merge.next() }
    guard position < count else { return nil }
    position += 1
    return entries[position - 1]
  }
}
