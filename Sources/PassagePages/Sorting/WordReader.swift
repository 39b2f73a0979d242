/// Gives the entries of a ``WordSorter`` in order, one at a time.
final class WordReader<Entry: WordEntry> {
  private let merge: WordMerge<Entry>?
  // What is left of the entries in memory.
  private let arena: RawMemory
  private var entries: UnsafeMutablePointer<Entry>
  private var count: Int

  init(_ entries: UnsafeMutablePointer<Entry>, count: Int, arena: RawMemory) {
    (merge, self.entries, self.count, self.arena) = (nil, entries, count, arena)
  }

  init(_ merge: WordMerge<Entry>, entries: UnsafeMutablePointer<Entry>, arena: RawMemory) {
    (self.merge, self.entries, count, self.arena) = (merge, entries, 0, arena)
  }

  /// The next entry; `nil` after the last one.
  @inline(__always)
  func next() throws -> Entry? {
    if let merge { return try merge.next() }
    guard count > 0 else { return nil }
    defer {
      entries += 1
      count -= 1
    }
    return entries.pointee
  }
}
