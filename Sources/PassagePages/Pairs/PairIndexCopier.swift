/// Copies the entries of an index over the two ends of a join table, whose keys are moved by sums: they
/// stay in order, so nothing is sorted.
///
/// An index of the source may lack pairs or have others than its table. The counts of all ranges tell:
/// they must be those of the table's pairs, see ``PairDigest``.
package final class PairIndexCopier {
  /// What the copiers of an index have in common.
  package struct Job: Sendable {
    fileprivate let reader: PageReader
    fileprivate let root: UInt32
    fileprivate let shifts: (PairShift, PairShift)
    fileprivate let isReversed: Bool
    fileprivate let isUnique: Bool
    /// Whether nothing but the counts is asked for.
    fileprivate let isCount: Bool
    fileprivate let seen: SharedPages

    /// - Parameters:
    ///   - root: the root page of the source's index, which has both ends in ascending order.
    ///   - shifts: how the keys of the first and the second end are moved.
    ///   - isReversed: whether the index begins with the second end.
    ///   - isUnique: whether the copy must not have a pair twice.
    package init(
      _ reader: PageReader, root: UInt32, shifts: (CopyProgram.Shift, CopyProgram.Shift),
      isReversed: Bool, isUnique: Bool
    ) {
      self.init(
        reader, root: root, shifts: shifts, isReversed: isReversed, isUnique: isUnique,
        isCount: false)
    }

    /// What an index has, whose keys stay as they are.
    package init(counting reader: PageReader, root: UInt32, isReversed: Bool) {
      let kept = CopyProgram.Shift(offset: 0, keys: nil)
      self.init(
        reader, root: root, shifts: (kept, kept), isReversed: isReversed, isUnique: false,
        isCount: true)
    }

    private init(
      _ reader: PageReader, root: UInt32, shifts: (CopyProgram.Shift, CopyProgram.Shift),
      isReversed: Bool, isUnique: Bool, isCount: Bool
    ) {
      self.reader = reader
      self.root = root
      self.shifts = (PairShift(shifts.0), PairShift(shifts.1))
      self.isReversed = isReversed
      self.isUnique = isUnique
      self.isCount = isCount
      seen = SharedPages(pageCount: reader.pageCount)
    }

    /// The pages of the source.
    package var pageCount: UInt32 { reader.pageCount }

    /// The ranges of the index's leaves.
    package func makeRanges() -> IndexRanges { IndexRanges(reader, root: root, seen: seen) }
  }

  /// Pages of somebody else in between are read along, rather than to read twice.
  private static let gap: UInt32 = 4

  private let job: Job
  private let shifts: (PairShift, PairShift)
  private let isReversed: Bool
  private let isUnique: Bool
  private let isCount: Bool
  private let entries: PairEntryReader
  private let seen: SeenPages
  private let memory: CellMemory
  private let pageBytes: Int
  private let mostPages: Int
  /// The pages that were read at once.
  private let run: PageBuffer
  private var firstPage: UInt32 = 0
  private var pageCount: UInt32 = 0

  private var counts = PairCounts()
  /// The first and the last entry, when there is one.
  private var first = PairEntry.none
  private var last = PairEntry.none

  /// A copier for a thread of its own.
  package init(_ job: Job) {
    self.job = job
    shifts = job.isReversed ? (job.shifts.1, job.shifts.0) : job.shifts
    isReversed = job.isReversed
    isUnique = job.isUnique
    isCount = job.isCount
    entries = PairEntryReader(reader: job.reader)
    seen = SeenPages(of: job.seen)
    memory = CellMemory()
    pageBytes = job.reader.geometry.pageBytes
    mostPages = max(1, IndexRanges.rangeBytes / pageBytes)
    run = PageBuffer(byteCount: mostPages * pageBytes + RecordView.slack)
  }

  /// Counts the entries of a range.
  ///
  /// - Throws: as ``copy(_:)``.
  package func count(_ range: IndexRange) throws -> PairCounts {
    try read(range)
    return counts
  }

  /// Copies the entries of a range.
  ///
  /// - Throws: ``PageDamage``, ``ConvertedValue``, ``EntryOutOfOrder``, or an error of the file.
  package func copy(_ range: IndexRange) throws -> CopiedEntries {
    try read(range)
    return CopiedEntries(
      entries: memory.take(), counts: counts, edges: counts.copied.count > 0 ? (first, last) : nil)
  }

  private func read(_ range: IndexRange) throws {
    counts = PairCounts()
    memory.removeAll()
    seen.restart()
    for (place, leaf) in range.leaves.enumerated() {
      try copyLeaf(try bytes(ofLeaf: place, of: range), leaf)
      guard place < range.dividers.count else { continue }
      try reserve(1)
      try add(range.dividers[place])
    }
    try checkRepeated(seen.tell())
  }

  private func checkRepeated(_ page: UInt32?) throws {
    if let page { throw PageDamage(page: page, "is used twice in the index's tree") }
  }

  private func copyLeaf(_ page: UnsafeRawPointer, _ number: UInt32) throws {
    let header = try TreePageHeader(page, page: number, pageBytes: pageBytes, isOfIndex: true)
    guard header.isLeaf else {
      throw PageDamage(page: number, "is an interior page at the depth of the leaves")
    }
    try reserve(header.cellCount)
    for index in 0..<header.cellCount {
      let place = page.bigUInt16(at: header.offsetsStart &+ 2 &* index)
      guard place >= header.contentStart, place < pageBytes else {
        throw PageDamage(page: number, "has a cell outside its content area")
      }
      try add(try entries.entry(page, at: place, number: number))
    }
  }

  private func reserve(_ count: Int) throws {
    let bytes = 1 + EntryNumbers.longest + WaitingCells.headBytes
    guard memory.reserve(count * bytes + CellMemory.margin) else { throw RowTooLong() }
  }

  @inline(__always)
  private func add(_ entry: PairEntry?) throws {
    guard var moved = entry, shifts.0.move(&moved.first, &moved.types.first),
      shifts.1.move(&moved.second, &moved.types.second)
    else {
      counts.leftOut &+= 1
      return
    }
    if counts.copied.count == 0 {
      first = moved
    } else if !last.isBefore(moved, isUnique: isUnique) {
      throw EntryOutOfOrder()
    }
    last = moved
    if !isCount { write(moved) }
    counts.copied.add(
      isReversed ? moved.second : moved.first, isReversed ? moved.first : moved.second,
      row: moved.row)
  }

  /// Writes the cell of an entry.
  @inline(__always)
  private func write(_ entry: PairEntry) {
    let numbers = EntryNumbers(entry)
    numbers.write(before: memory.start)
    memory.append(1 &+ numbers.byteCount).storeBytes(
      of: UInt8(truncatingIfNeeded: numbers.byteCount), as: UInt8.self)
  }

  /// The bytes of a leaf, and ``RecordView/slack`` more. With it are read those after it.
  private func bytes(ofLeaf place: Int, of range: IndexRange) throws -> UnsafeRawPointer {
    let leaf = range.leaves[place]
    let reader = job.reader
    try reader.check(leaf, from: range.parent)
    try checkRepeated(seen.insert(leaf))
    if leaf < firstPage || leaf - firstPage >= pageCount {
      var last = leaf
      for next in range.leaves[(place + 1)...] {
        guard next > last, next - last <= Self.gap, next - leaf < UInt32(mostPages),
          reader.isReadable(next)
        else { break }
        last = next
      }
      // Until all pages are there, there are none.
      pageCount = 0
      try reader.read(leaf, count: Int(last - leaf) + 1, into: run.bytes)
      (firstPage, pageCount) = (leaf, last - leaf + 1)
    }
    return UnsafeRawPointer(run.bytes) + Int(leaf - firstPage) * pageBytes
  }
}

/// An entry of an index is not larger than the one before.
package struct EntryOutOfOrder: Error, Sendable, Hashable {}

/// The entries of a range of an index, for the thread that has the writer.
package struct CopiedEntries: Sendable {
  fileprivate let entries: CellBuffer
  fileprivate let counts: PairCounts
  /// The first and the last entry; `nil` when there is none.
  fileprivate let edges: (first: PairEntry, last: PairEntry)?
}

/// Writes an index of entries that come range by range.
package final class PairIndexWriter {
  private let writer: IndexWriter
  private let isUnique: Bool
  private var last: PairEntry?
  /// What the ranges had.
  package private(set) var counts = PairCounts()

  /// - Parameters:
  ///   - root: the index's root page: an empty leaf.
  package init(_ file: PageFileWriter, root: UInt32, isUnique: Bool) {
    writer = IndexWriter(file, root: root)
    self.isUnique = isUnique
  }

  /// Appends the entries of the next range.
  ///
  /// - Throws: ``EntryOutOfOrder``, or an error of the file.
  package func append(_ copied: CopiedEntries) throws {
    if let edges = copied.edges {
      if let last, !last.isBefore(edges.first, isUnique: isUnique) { throw EntryOutOfOrder() }
      last = edges.last
    }
    counts.add(copied.counts)
    try writer.append(copied.entries)
  }

  /// Completes the index. No entry follows.
  package func finish() throws { try writer.finish() }
}
