/// Builds the b-tree of an empty table from rows in ascending key order, from left to right
/// (https://www.sqlite.org/fileformat2.html#b_tree_pages).
///
/// A page gets its number when it is full, so the pages of a table are in key order, and what leads to a
/// page is known when its pointer-map entry is made.
package final class TableTreeWriter {
  private let file: PageFileWriter
  private let geometry: PageGeometry
  let root: UInt32
  // Nothing that is called while the leaf is changed comes back to this object, so that need not be
  // checked for each row.
  @exclusivity(unchecked) private var leaf: TreePage
  /// The first pages of the chains that begin in the open leaf.
  private var overflowHeads: [UInt32] = []
  private var lastKey = Int64.min
  private var isEmpty = true
  /// What the finished table will be compared with; without the open leaf.
  package private(set) var digest = PageDigest()
  private var levels: TableLevels
  private var encoder = RecordEncoder()

  /// - Parameters:
  ///   - root: the table's root page: an empty leaf.
  package init(_ file: PageFileWriter, root: UInt32) {
    self.file = file
    self.root = root
    geometry = file.geometry
    leaf = TreePage(.tableLeaf, pageBytes: geometry.pageBytes)
    levels = TableLevels(file)
  }

  /// The key of the last row; `nil` for none.
  package var largestKey: Int64? { isEmpty ? nil : lastKey }

  /// The longest record that fits a leaf.
  package var longestPayload: Int { geometry.longestTablePayload }

  // MARK: Marks

  /// The state of the open table, with its open pages.
  var mark: WriterMark {
    var mark = WriterMark()
    mark.append(isEmpty ? 0 : 1)
    mark.append(lastKey)
    mark.append(Int64(bitPattern: digest.sum))
    mark.append(digest.rowCount)
    mark.append(Int64(overflowHeads.count))
    for head in overflowHeads { mark.append(Int64(head)) }
    leaf.mark(&mark)
    levels.mark(&mark)
    return mark
  }

  /// Continues a table that was open at the mark at which the file's writer continues.
  ///
  /// - Throws: ``UnreadableMark`` when it was not, or an error of the file.
  package init(continuing file: PageFileWriter, root: UInt32) throws {
    var mark = try file.takeMark(ofTable: root)
    self.file = file
    self.root = root
    geometry = file.geometry
    let pageBytes = geometry.pageBytes
    isEmpty = try mark.number() == 0
    lastKey = try mark.number()
    digest = PageDigest(
      sum: UInt64(bitPattern: try mark.number()), rowCount: try mark.number())
    for _ in 0..<(try mark.number(in: 0...pageBytes)) {
      let head = try mark.page()
      guard file.hasGivenOut(head) else { throw UnreadableMark() }
      overflowHeads.append(head)
    }
    leaf = try TreePage(.tableLeaf, pageBytes: pageBytes, from: &mark)
    levels = try TableLevels(file, from: &mark)
  }

  // MARK: Rows

  /// Appends a row.
  ///
  /// - Parameters:
  ///   - key: larger than that of the row before.
  ///   - cells: every column but the key's own, in order; NULL in the place of the key.
  /// - Throws: ``KeyOutOfOrder``, or an error of the file.
  package func append(key: Int64, _ cells: UnsafeBufferPointer<CellImage>) throws {
    guard isEmpty || key > lastKey else { throw KeyOutOfOrder(key: key, previous: lastKey) }
    encoder.measure(cells)
    let payload = encoder.byteCount
    let keyBytes = Varint.byteCount(UInt64(bitPattern: key))
    let lengthBytes = Varint.byteCount(UInt64(payload))
    guard payload <= geometry.longestTablePayload else {
      return try appendLong(key: key, payload: payload) { try encoder.forEachPiece(cells, $0) }
    }
    let cell = try room(for: lengthBytes + keyBytes + payload)
    _ = Varint.write(UInt64(payload), to: cell)
    _ = Varint.write(UInt64(bitPattern: key), to: cell + lengthBytes)
    encoder.write(cells, to: cell + lengthBytes + keyBytes)
    lastKey = key
    isEmpty = false
  }

  /// Appends a row whose record has been put together.
  ///
  /// - Throws: ``KeyOutOfOrder``, or an error of the file.
  @inline(__always)
  func append(key: Int64, _ parts: RecordParts) throws {
    guard isEmpty || key > lastKey else { throw KeyOutOfOrder(key: key, previous: lastKey) }
    let head = parts.head(key: key)
    guard head.payload <= geometry.longestTablePayload else {
      return try appendLong(
        key: key, UnsafeRawBufferPointer(start: head.start, count: head.header - head.start),
        payload: head.payload
      ) { write in
        try write(UnsafeRawBufferPointer(start: head.header, count: parts.type - head.header))
        try write(UnsafeRawBufferPointer(start: parts.firstValue, count: parts.valueBytes))
      }
    }
    let cell = try room(for: parts.type - head.start + parts.valueBytes)
    parts.copyCell(from: head.start, to: cell)
    lastKey = key
    isEmpty = false
  }

  /// Appends rows that are cells already, each of which fits a page.
  ///
  /// - Throws: ``KeyOutOfOrder``, or an error of the file.
  package func append(_ rows: RowBuffer) throws {
    try rows.withRows { cells, keys in
      guard isEmpty || keys.first > lastKey else {
        throw KeyOutOfOrder(key: keys.first, previous: lastKey)
      }
      var rest = cells
      while true {
        leaf.append(&rest)
        if rest.count == 0 { break }
        lastKey = leaf.lastKey
        try closeLeaf()
      }
      (lastKey, isEmpty) = (keys.last, false)
    }
  }

  /// Appends a row whose record is in one piece.
  ///
  /// - Throws: ``KeyOutOfOrder``, or an error of the file.
  func append(key: Int64, record: UnsafeRawBufferPointer) throws {
    guard isEmpty || key > lastKey else { throw KeyOutOfOrder(key: key, previous: lastKey) }
    guard let start = record.baseAddress else { return }
    let keyBytes = Varint.byteCount(UInt64(bitPattern: key))
    let lengthBytes = Varint.byteCount(UInt64(record.count))
    guard record.count <= geometry.longestTablePayload else {
      return try appendLong(key: key, payload: record.count) { try $0(record) }
    }
    let cell = try room(for: lengthBytes + keyBytes + record.count)
    _ = Varint.write(UInt64(record.count), to: cell)
    _ = Varint.write(UInt64(bitPattern: key), to: cell + lengthBytes)
    (cell + lengthBytes + keyBytes).copyMemory(from: start, byteCount: record.count)
    lastKey = key
    isEmpty = false
  }

  /// Appends a row that is longer than a page.
  ///
  /// - Parameter forEachPiece: gives the record piece by piece.
  private func appendLong(
    key: Int64, payload: Int,
    _ forEachPiece: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    let scratch = RawMemory(byteCount: 18)
    let lengthBytes = Varint.write(UInt64(payload), to: scratch.bytes)
    let keyBytes = Varint.write(UInt64(bitPattern: key), to: scratch.bytes + lengthBytes)
    try appendLong(
      key: key, UnsafeRawBufferPointer(start: scratch.bytes, count: lengthBytes + keyBytes),
      payload: payload, forEachPiece)
  }

  /// - Parameters:
  ///   - start: the length of the payload, and the key, as the cell begins with them.
  ///   - forEachPiece: gives the payload piece by piece.
  private func appendLong(
    key: Int64, _ start: UnsafeRawBufferPointer, payload: Int,
    _ forEachPiece: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    let local = geometry.localBytes(ofPayload: payload, longest: geometry.longestTablePayload)
    // The leaf before is closed first, because the chain belongs to the leaf with the cell.
    let cell = try room(for: start.count + local + 4)
    if let bytes = start.baseAddress { cell.copyMemory(from: bytes, byteCount: start.count) }
    let chain = try OverflowWriter.write(
      to: cell + start.count, localBytes: local, file: file, forEachPiece)
    digest.add(chain.hash)
    overflowHeads.append(chain.head)
    lastKey = key
    isEmpty = false
  }

  /// Makes room for a cell in the open leaf, or in the next.
  @inline(__always)
  private func room(for byteCount: Int) throws -> UnsafeMutableRawPointer {
    let byteCount = max(TreePage.fewestCellBytes, byteCount)
    if !leaf.hasRoom(for: byteCount) { try closeLeaf() }
    return leaf.append(byteCount)
  }

  private func closeLeaf() throws {
    let page = try file.allocate()
    try put(page)
    try levels.add(child: page, key: lastKey)
    leaf.removeAll()
  }

  /// Puts the leaf, to which the chains that begin in it now belong.
  private func put(_ page: UInt32) throws {
    for head in overflowHeads { try file.setPointer(to: head, .firstOverflow, from: page) }
    overflowHeads.removeAll(keepingCapacity: true)
    let bytes = leaf.complete()
    digest.add(leaf: bytes, byteCount: geometry.pageBytes, rows: leaf.cellCount)
    try file.put(page, bytes)
  }

  /// Completes the tree. No row follows.
  package func finish() throws {
    guard !isEmpty else { return }
    guard !levels.isEmpty else { return try put(root) }
    try closeLeaf()
    try levels.finish(root: root)
  }
}

/// Rows came in another order than that of their keys.
package struct KeyOutOfOrder: Error, Sendable, Hashable {
  package let key: Int64
  package let previous: Int64
}
