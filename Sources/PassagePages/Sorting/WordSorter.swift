/// Sorts entries of whole numbers, in memory as long as they fit.
///
/// It takes part in the memory from ``begin()`` to ``end()``.
final class WordSorter<Entry: WordEntry> {
  private static var firstArenaBytes: Int { 65_536 }

  private let memory: SortMemory
  private var arena = RawMemory(byteCount: 64)
  /// The entries that came since the last spill, in the first half of the arena or, sorted, in
  /// either.
  private var entries: UnsafeMutablePointer<Entry>
  private var capacity = 0
  private var count = 0
  /// Whether the entries came in order, and whether their rows did.
  private var isSorted = true
  private var rowsAscend = true
  private var runs = SpilledRuns()
  private var hasShare = false

  init(memory: SortMemory) {
    self.memory = memory
    entries = arena.bytes.bindMemory(to: Entry.self, capacity: 0)
  }

  deinit { end() }

  // MARK: Memory

  func begin() {
    guard !hasShare else { return }
    hasShare = true
    memory.join()
    occupy(RawMemory(byteCount: min(Self.firstArenaBytes, memory.share), meter: memory.meter))
  }

  /// Leaves its share to another sorter, which gets these entries. A little memory is kept to read
  /// them.
  func giveUpShare() {
    guard hasShare else { return }
    hasShare = false
    memory.leave()
  }

  /// Forgets the entries.
  func end() {
    giveUpShare()
    runs.removeAll(memory)
    count = 0
    occupy(RawMemory(byteCount: 64))
  }

  private var share: Int {
    hasShare ? memory.share : min(Self.firstArenaBytes, memory.share)
  }

  private func occupy(_ arena: RawMemory) {
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
    let share = share
    guard arena.byteCount < share else { return try spill() }
    let old = (arena, entries)
    occupy(RawMemory(byteCount: share, meter: memory.meter))
    entries.update(from: old.1, count: count)
    withExtendedLifetime(old.0) {}
  }

  /// Sorts what is in memory.
  private func sort() {
    guard !isSorted else { return }
    // Where rows came in ascending order, they stay so by themselves.
    let words = Entry.wordCount - (rowsAscend ? 1 : 0)
    entries = RadixSort.sort(entries, spare: entries + capacity, count: count, words: 0..<words)
    isSorted = true
  }

  private func spill() throws {
    sort()
    try runs.add(memory) { run in
      try run.append(entries, byteCount: count * MemoryLayout<Entry>.stride)
    }
    count = 0
    isSorted = true
    rowsAscend = true
    let share = share
    occupy(arena.byteCount > share ? RawMemory(byteCount: share, meter: memory.meter) : arena)
  }

  // MARK: Emptying

  /// Gives all entries in order. No entry follows.
  @inline(__always)
  func forEach(_ body: (Entry) throws -> Void) throws {
    if let merge = try finish() { return try merge.forEach(body) }
    let arena = arena
    let entries = entries
    for index in 0..<count { try body(entries[index]) }
    withExtendedLifetime(arena) {}
  }

  /// Gives all entries in order, one at a time. No entry follows; the sorter must not end before.
  func makeReader() throws -> WordReader<Entry> {
    if let merge = try finish() { return WordReader(merge, entries: entries, arena: arena) }
    return WordReader(entries, count: count, arena: arena)
  }

  /// Sorts in memory, or gives the last merge.
  private func finish() throws -> WordMerge<Entry>? {
    // Where there are more sorters than before, less may stay in memory.
    if runs.isEmpty, arena.byteCount <= share || count == 0 {
      sort()
      return nil
    }
    if count > 0 { try spill() }
    let plan = MergePlan(share: share, longest: MemoryLayout<Entry>.stride)
    if arena.byteCount != plan.byteCount {
      occupy(RawMemory(byteCount: plan.byteCount, meter: memory.meter))
    }
    while runs.count > plan.fanIn { try mergeSome(plan) }
    return try WordMerge(
      runs.all, memory.file, arena: arena, sliceBytes: plan.sliceBytes(runs: runs.count))
  }

  /// Makes one run of several.
  private func mergeSome(_ plan: MergePlan) throws {
    let count = plan.firstMerge(of: runs.count)
    let slice = plan.sliceBytes(runs: count)
    let merge = try WordMerge<Entry>(
      Array(runs.all[..<count]), memory.file, arena: arena, sliceBytes: slice)
    let buffer = UnsafeMutableRawBufferPointer(start: arena.bytes + count * slice, count: slice)
    try runs.add(memory, buffer: buffer) { run in
      try merge.forEach { entry in
        try withUnsafeBytes(of: entry) { bytes in
          guard let base = bytes.baseAddress else { return }
          try run.append(base, byteCount: MemoryLayout<Entry>.stride)
        }
      }
    }
    runs.removeFirst(count, memory)
  }
}
