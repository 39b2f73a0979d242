/// Merges runs of entries of words.
final class WordMerge<Entry: WordEntry>: MergeRuns {
  private struct Reader {
    var next: UnsafeMutablePointer<Entry>
    var end: UnsafeMutablePointer<Entry>
    let buffer: UnsafeMutablePointer<Entry>
    var offset: Int64
    var remaining: Int64
  }

  private let file: SpillFile
  private let arena: RawMemory
  private let sliceBytes: Int
  private let count: Int
  private let readers: UnsafeMutablePointer<Reader>
  private let heads: UnsafeMutablePointer<Entry>
  private let isLive: UnsafeMutablePointer<Bool>
  private let tree: LoserTree

  /// - Parameters:
  ///   - runs: at least one.
  ///   - arena: has a slice for each run.
  init(_ runs: [SpilledRun], _ file: SpillFile, arena: RawMemory, sliceBytes: Int) throws {
    self.file = file
    self.arena = arena
    let stride = MemoryLayout<Entry>.stride
    self.sliceBytes = sliceBytes / stride * stride
    count = runs.count
    tree = LoserTree(count: count)
    readers = .allocate(capacity: count)
    heads = .allocate(capacity: count)
    isLive = .allocate(capacity: count)
    isLive.initialize(repeating: true, count: count)
    for (index, run) in runs.enumerated() {
      let buffer = (arena.bytes + index * sliceBytes).assumingMemoryBound(to: Entry.self)
      readers[index] = Reader(
        next: buffer, end: buffer, buffer: buffer, offset: run.offset, remaining: run.byteCount)
    }
    for index in 0..<count { try advance(index) }
    tree.begin(self)
  }

  deinit {
    readers.deallocate()
    heads.deallocate()
    isLive.deallocate()
  }

  @inline(__always)
  func isBefore(_ one: Int, _ other: Int) -> Bool {
    guard isLive[one], isLive[other] else { return isLive[one] }
    return Entry.isBefore(heads[one], heads[other])
  }

  /// Gives all entries in order.
  @inline(__always)
  func forEach(_ body: (Entry) throws -> Void) throws {
    while let entry = try next() { try body(entry) }
  }

  /// The next entry; `nil` after the last one.
  @inline(__always)
  func next() throws -> Entry? {
    let run = tree.winner
    guard isLive[run] else { return nil }
    let entry = heads[run]
    try advance(run)
    tree.replay(self)
    return entry
  }

  @inline(__always)
  private func advance(_ run: Int) throws {
    if readers[run].next == readers[run].end { try fill(run) }
    guard isLive[run] else { return }
    heads[run] = readers[run].next.pointee
    readers[run].next += 1
  }

  private func fill(_ run: Int) throws {
    let stride = MemoryLayout<Entry>.stride
    let reader = readers[run]
    let byteCount = Int(min(reader.remaining, Int64(sliceBytes)))
    guard byteCount >= stride else {
      isLive[run] = false
      return
    }
    try file.read(
      into: UnsafeMutableRawBufferPointer(start: reader.buffer, count: byteCount), at: reader.offset
    )
    readers[run].next = reader.buffer
    readers[run].end = reader.buffer + byteCount / stride
    readers[run].offset += Int64(byteCount)
    readers[run].remaining -= Int64(byteCount)
  }
}
