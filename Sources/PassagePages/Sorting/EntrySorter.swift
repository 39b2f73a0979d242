/// Sorts ``EntryKey``s, in memory as long as they fit.
final class EntrySorter {
  private static let firstArenaBytes = 65_536
  /// References to keys have 32 bits.
  private static let mostArenaBytes = Int(UInt32.max) & ~63

  private let memory: SortMemory
  private var arena: EntryArena
  private var longest = 0
  private var runs: [SpilledRun] = []
  private var merge: EntryMerge?
  private var position = 0

  init(memory: SortMemory) {
    self.memory = memory
    memory.join()
    arena = EntryArena(byteCount: min(Self.firstArenaBytes, memory.share))
  }

  deinit {
    memory.file.endRuns(runs.count)
    memory.leave()
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
    let share = memory.share
    if arena.arena.byteCount < share { arena = arena.grown(to: min(share, Self.mostArenaBytes)) }
    guard !arena.hasRoom(for: bound) else { return }
    if arena.count > 0 { try spill() }
    guard !arena.hasRoom(for: bound) else { return }
    let byteCount = EntryArena.byteCount(forKey: bound)
    guard byteCount <= Self.mostArenaBytes else { throw EntryTooLong(byteCount: bound) }
    arena = EntryArena(byteCount: byteCount)
  }

  private func sort() {
    EntryOrder(base: arena.arena.bytes).sort(arena.references, count: arena.count)
  }

  private func spill() throws {
    sort()
    var run = try RunWriter(memory.file, buffer: arena.writeBuffer)
    // The run is ended with the others, whether it is complete or not.
    runs.append(SpilledRun(offset: 0, byteCount: 0))
    for index in 0..<arena.count { try Self.append(arena.key(index), to: &run) }
    runs[runs.count - 1] = try run.finish()
    let share = min(memory.share, Self.mostArenaBytes)
    if arena.arena.byteCount > share {
      arena = EntryArena(byteCount: share)
    } else {
      arena.removeAll()
    }
  }

  /// Appends a key to a run: its length, then its bytes.
  @inline(__always)
  private static func append(_ key: UnsafeRawBufferPointer, to run: inout RunWriter) throws {
    guard let bytes = key.baseAddress else { return }
    var length = (UInt64(0), UInt8(0))
    try withUnsafeMutableBytes(of: &length) { buffer in
      guard let start = buffer.baseAddress else { return }
      try run.append(start, byteCount: Varint.write(UInt64(key.count), to: start))
    }
    try run.append(bytes, byteCount: key.count)
  }

  // MARK: Emptying

  /// No entry follows. ``next()`` gives them all in order.
  func finish() throws {
    // Where there are more sorters than before, less may stay in memory.
    if runs.isEmpty, arena.arena.byteCount <= memory.share { return sort() }
    if arena.count > 0 { try spill() }
    guard !runs.isEmpty else { return }
    let plan = MergePlan(share: memory.share, longest: longest)
    arena = EntryArena(byteCount: 64)
    let slices = SortArena(byteCount: plan.byteCount)
    while runs.count > plan.fanIn {
      let count = plan.firstMerge(of: runs.count)
      let slice = plan.sliceBytes(runs: count)
      let merge = try EntryMerge(
        Array(runs[..<count]), memory.file, arena: slices, sliceBytes: slice)
      var run = try RunWriter(
        memory.file,
        buffer: UnsafeMutableRawBufferPointer(start: slices.bytes + count * slice, count: slice))
      runs.append(SpilledRun(offset: 0, byteCount: 0))
      while let key = try merge.next() { try Self.append(key, to: &run) }
      runs[runs.count - 1] = try run.finish()
      runs.removeFirst(count)
      memory.file.endRuns(count)
    }
    merge = try EntryMerge(
      runs, memory.file, arena: slices, sliceBytes: plan.sliceBytes(runs: runs.count))
  }

  /// The key of the next entry in order, valid until the next call; `nil` after the last.
  func next() throws -> UnsafeRawBufferPointer? {
    if let merge { return try merge.next() }
    guard position < arena.count else { return nil }
    position += 1
    return arena.key(position - 1)
  }
}

/// An entry of an index is longer than one can be.
package struct EntryTooLong: Error, Sendable, Hashable {
  package let byteCount: Int
}
