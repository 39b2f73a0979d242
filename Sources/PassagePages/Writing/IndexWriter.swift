/// Builds the b-tree of an empty index from entries in ascending order, from left to right
/// (https://www.sqlite.org/fileformat2.html#b_tree_pages).
///
/// An entry is a record: the indexed values, then the key of the row. Other than in a table's tree,
/// the interior pages hold entries of their own, which the leaves do not have.
package final class IndexWriter {
  private let file: PageFileWriter
  private let geometry: PageGeometry
  private let root: UInt32
  private let longest: Int
  private let leaf: IndexLevel
  /// The levels above the leaves, the lowest first.
  private var levels: [IndexLevel] = []
  /// Whether an entry goes on in overflow pages.
  private var hasLong = false
  private var encoder = RecordEncoder()

  /// - Parameters:
  ///   - root: the index's root page: an empty leaf.
  package init(_ file: PageFileWriter, root: UInt32) {
    self.file = file
    self.root = root
    geometry = file.geometry
    longest = geometry.longestIndexPayload
    leaf = IndexLevel(.indexLeaf, geometry: geometry)
  }

  // MARK: Entries

  /// Appends an entry.
  ///
  /// - Parameter cells: the indexed values and the key of the row, larger than those before.
  package func append(_ cells: UnsafeBufferPointer<CellImage>) throws {
    encoder.measure(cells)
    let payload = encoder.byteCount
    let encoder = encoder
    guard payload <= longest else {
      return try appendLong(payload) { try encoder.forEachPiece(cells, $0) }
    }
    let lengthBytes = Varint.byteCount(UInt64(payload))
    let cell = try room(for: lengthBytes + payload)
    _ = Varint.write(UInt64(payload), to: cell)
    encoder.write(cells, to: cell + lengthBytes)
  }

  /// Appends an entry of whole numbers and NULL.
  @inline(__always)
  func append<Entry: WordEntry>(
    _ entry: Entry, inversions: (Entry.Word, Entry.Word)
  ) throws {
    let numbers = EntryNumbers(entry, inversions: inversions)
    // The length of such an entry takes one byte.
    let byteCount = 1 &+ numbers.byteCount
    let room = max(TreePage.fewestCellBytes, byteCount)
    if let cell = leaf.room(for: room, margin: EntryNumbers.margin) {
      numbers.write(before: cell + byteCount)
      cell.storeBytes(of: UInt8(truncatingIfNeeded: numbers.byteCount), as: UInt8.self)
    } else {
      try appendAtEnd(numbers)
    }
  }

  /// Appends an entry for which the page has little room.
  @inline(never)
  private func appendAtEnd(_ numbers: EntryNumbers) throws {
    let cell = try room(for: 1 + numbers.byteCount)
    withUnsafeTemporaryAllocation(
      byteCount: EntryNumbers.margin + EntryNumbers.longest, alignment: 8
    ) { scratch in
      guard let start = scratch.baseAddress else { return }
      let record = start + EntryNumbers.margin
      numbers.write(before: record + numbers.byteCount)
      cell.storeBytes(of: UInt8(truncatingIfNeeded: numbers.byteCount), as: UInt8.self)
      (cell + 1).copyMemory(from: record, byteCount: numbers.byteCount)
    }
  }

  /// Appends entries that are cells already.
  package func append(_ cells: CellBuffer) throws {
    try cells.withCells { cells in
      var rest = cells
      while true {
        leaf.append(&rest)
        guard rest.count > 0 else { return }
        // It is what divides this page from the next.
        let byteCount = rest.byteCount
        try room(for: byteCount).copyMemory(from: rest.end - byteCount, byteCount: byteCount)
        rest.advance()
      }
    }
  }

  /// Appends an entry that is a record already.
  package func append(record: UnsafeRawBufferPointer) throws {
    guard let bytes = record.baseAddress else { return }
    guard record.count <= longest else {
      return try appendLong(record.count) { try $0(record) }
    }
    let lengthBytes = Varint.byteCount(UInt64(record.count))
    let cell = try room(for: lengthBytes + record.count)
    _ = Varint.write(UInt64(record.count), to: cell)
    (cell + lengthBytes).copyMemory(from: bytes, byteCount: record.count)
  }

  /// Appends an entry that is too long for a page.
  private func appendLong(
    _ payload: Int, _ forEachPiece: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    hasLong = true
    let lengthBytes = Varint.byteCount(UInt64(payload))
    let local = geometry.localBytes(ofPayload: payload, longest: longest)
    let cell = try room(for: lengthBytes + local + 4)
    _ = Varint.write(UInt64(payload), to: cell)
    _ = try OverflowWriter.write(
      to: cell + lengthBytes, localBytes: local, file: file, forEachPiece)
  }

  /// Makes room for an entry in the open leaf, or between it and the next.
  @inline(__always)
  private func room(for byteCount: Int) throws -> UnsafeMutableRawPointer {
    let byteCount = max(TreePage.fewestCellBytes, byteCount)
    if let place = leaf.room(for: byteCount) { return place }
    return try turn(leaf, at: 0, dividerBytes: byteCount, rightmost: 0)
  }

  // MARK: Levels

  /// Ends the open page of a level.
  ///
  /// - Returns: where the entry goes that lies between it and the next page.
  private func turn(
    _ level: IndexLevel, at height: Int, dividerBytes: Int, rightmost: UInt32
  ) throws -> UnsafeMutableRawPointer {
    try putFull(level, at: height)
    level.turn(dividerBytes: dividerBytes, rightmost: rightmost)
    return level.divider.bytes
  }

  /// Puts the full page of a level, and hands the entry after it to the level above.
  private func putFull(_ level: IndexLevel, at height: Int) throws {
    guard level.hasFull else { return }
    let page = try file.allocate()
    try put(level.full, rightmost: level.fullRightmost, at: page)
    level.dropFull()
    if levels.count == height { levels.append(IndexLevel(.indexInterior, geometry: geometry)) }
    let above = levels[height]
    let byteCount = level.dividerBytes
    if let cell = above.room(for: byteCount) {
      cell.setBigUInt32(page, at: 0)
      (cell + 4).copyMemory(from: level.divider.bytes, byteCount: byteCount)
    } else {
      try turn(above, at: height + 1, dividerBytes: byteCount, rightmost: page)
        .copyMemory(from: level.divider.bytes, byteCount: byteCount)
    }
  }

  /// Puts a page, to which its children and the chains that begin in it now belong.
  private func put(_ page: TreePage, rightmost: UInt32, at number: UInt32) throws {
    if geometry.hasPointerMap, page.kind.isInterior || hasLong {
      let childBytes = page.kind.isInterior ? 4 : 0
      for index in 0..<page.cellCount {
        let cell = page.cell(index)
        if childBytes > 0 {
          try file.setPointer(to: cell.bigUInt32(at: 0), .tree, from: number)
        }
        if let head = overflowHead(of: cell + childBytes) {
          try file.setPointer(to: head, .firstOverflow, from: number)
        }
      }
      if childBytes > 0 { try file.setPointer(to: rightmost, .tree, from: number) }
    }
    try file.put(number, page.complete(rightmost: rightmost))
  }

  /// The first page of the chain in which an entry of ours goes on.
  private func overflowHead(of entry: UnsafeRawPointer) -> UInt32? {
    guard hasLong, let length = Varint.read(entry, limit: 9), length.value > UInt64(longest) else {
      return nil
    }
    let local = geometry.localBytes(ofPayload: Int(length.value), longest: longest)
    return entry.bigUInt32(at: length.byteCount + local)
  }

  /// Completes the tree. No entry follows.
  package func finish() throws {
    var level = leaf
    var height = 0
    var lastChild: UInt32 = 0
    while true {
      level.fillOpenPage()
      try putFull(level, at: height)
      if levels.count == height { break }
      let page = try file.allocate()
      try put(level.open, rightmost: lastChild, at: page)
      lastChild = page
      level = levels[height]
      height += 1
    }
    try put(level.open, rightmost: lastChild, at: root)
  }
}
