internal import PassageValues

/// Walks the rows of a table in the order of their keys, page by page
/// (https://www.sqlite.org/fileformat2.html#b_tree_pages).
///
/// ```swift
/// let sweep = TableSweep(reader, root: root, columnCount: 7)
/// while try sweep.next() {
///   let row = try sweep.record(through: 6)
///   write(sweep.key, row.image(0), row.image(6))
/// }
/// ```
///
/// Whatever the file says is checked before it is used. What is wrong gives ``PageDamage``, and the
/// sweep does not go on behind it. Memory: a run of pages, a page for each level, a bit for each
/// page of the file, and the longest payload that does not fit its page.
package final class TableSweep {
  /// SQLite's own limit for the depth of a tree.
  static let mostLevels = 20
  /// The sizes and type codes of longer payloads do not fit 32 bits.
  static let longestPayload = 0x7FFF_FFF0

  package let reader: PageReader
  package let root: UInt32
  let pageBytes: Int
  private let longestLocal: Int

  // The walk: see `TableSweep+Walk`.
  let seen: SeenPages
  let run: PageRun
  var levels: [InteriorPage] = []
  /// The levels of the walk that are in use.
  var depth = 0
  /// The depth of all leaves, once one was seen.
  var leafDepth: Int?
  var isStarted = false
  /// The page above the leaves of a range, while the first level has it.
  var rangeParent: UInt32?
  /// What ended the sweep.
  var failure: (any Error)?

  // The leaf.
  private var leaf: UInt32 = 0
  private var page: UnsafeRawPointer
  private var offsetsStart = 0
  private var contentStart = 0
  private var cellCount = 0
  /// The cell after the current one.
  private var cellIndex = 0
  /// The next key is larger than this one; but nothing is smaller than the first key of all.
  private var previousKey = Int64.min
  private var isBeforeFirst = true
  private var highestKey = Int64.max

  // The row: see `TableSweep+Record`.
  private var currentKey: Int64 = 0
  /// The record, as far as it is there.
  var record: UnsafeRawPointer
  var payloadBytes = 0
  var availableBytes = 0
  var hasOverflow = false
  var isOverflowBegun = false
  let overflow: OverflowPayload

  // The parsed columns.
  private(set) var columns: UnsafeMutablePointer<RecordColumn>
  let columnCapacity: Int
  private let ownColumns: UnsafeMutablePointer<RecordColumn>
  /// Keeps the memory of ``columns`` that is not the sweep's own.
  private var columnOwner: AnyObject?
  /// By type code.
  let sizes = TypeSizes.make()
  var parsedColumns = 0
  /// Where the next type code is; 0 before the header has been begun.
  var headerPlace = 0
  var headerBytes = 0
  /// Where the value of the next column is.
  var bodyPlace = 0

  /// Begins before the first row. Nothing is read yet.
  ///
  /// - Parameters:
  ///   - root: the table's root page, as `sqlite_master` tells it.
  ///   - columnCount: the columns that may be asked for, the key's own included.
  ///   - readsAhead: whether pages are read before they are needed, for a sweep of many.
  package convenience init(
    _ reader: PageReader, root: UInt32, columnCount: Int, readsAhead: Bool = true
  ) {
    self.init(
      reader, root: root, columnCount: columnCount,
      seen: SeenPages(pageCount: reader.pageCount), readsAhead: readsAhead)
  }

  /// Begins before the first row. Nothing is read yet.
  ///
  /// - Parameters:
  ///   - seen: for the pages that this sweep comes to.
  init(
    _ reader: PageReader, root: UInt32, columnCount: Int, seen: SeenPages,
    readsAhead: Bool = true
  ) {
    self.reader = reader
    self.root = root
    self.seen = seen
    pageBytes = reader.geometry.pageBytes
    longestLocal = reader.geometry.longestTablePayload
    run = PageRun(reader, readsAhead: readsAhead)
    overflow = OverflowPayload(reader, run: run, seen: seen)
    columnCapacity = max(1, columnCount)
    columns = .allocate(capacity: columnCapacity)
    columns.initialize(repeating: RecordColumn(type: 0, offset: 0), count: columnCapacity)
    ownColumns = columns
    // Before the first row there is a record without columns.
    page = UnsafeRawPointer(columns)
    record = page
  }

  deinit {
    ownColumns.deallocate()
    sizes.deallocate()
  }

  /// The key of the row.
  @inline(__always)
  package var key: Int64 { currentKey }

  /// Goes on to the next row. What was read of the row before is not valid any more.
  ///
  /// - Returns: false when there is none.
  /// - Throws: ``PageDamage``, or an error of the file.
  /// - Complexity: O(1); a page is read when the one before has ended.
  @inline(__always)
  package func next() throws -> Bool {
    while cellIndex >= cellCount {
      guard try advance() else { return false }
    }
    // The header of the page has been checked, and a cell lies in the page: no sum overflows.
    let offset = page.bigUInt16(at: offsetsStart &+ 2 &* cellIndex)
    guard offset >= contentStart, offset < pageBytes else {
      throw damage("has a cell outside its content area")
    }
    let cell = page + offset
    var rest = pageBytes &- offset
    guard let size = Varint.read(cell, limit: rest),
      let key = Varint.read(cell + size.byteCount, limit: rest &- size.byteCount)
    else { throw damage("has a cell beyond its end") }
    let start = size.byteCount &+ key.byteCount
    rest &-= start
    try take(Int64(bitPattern: key.value))
    record = cell + start
    parsedColumns = 0
    headerPlace = 0
    if size.value <= UInt64(longestLocal) {
      payloadBytes = Int(size.value)
      guard payloadBytes <= rest else { throw damage("has a cell beyond its end") }
      availableBytes = payloadBytes
      hasOverflow = false
    } else {
      try takeLong(size.value, rest: rest)
    }
    cellIndex &+= 1
    return true
  }

  /// Whether the parsed columns are in the sweep's own memory.
  var hasOwnColumns: Bool { columns == ownColumns }

  /// Moves the parsed columns to other memory, where those of the next rows will be too.
  ///
  /// - Parameters:
  ///   - target: with room for as many columns as may be asked for; `nil` for the sweep's own.
  ///   - owner: keeps that memory.
  func moveColumns(to target: UnsafeMutablePointer<RecordColumn>?, of owner: AnyObject?) {
    let target = target ?? ownColumns
    if target != columns { target.update(from: columns, count: parsedColumns) }
    columns = target
    columnOwner = owner
  }

  /// Checks a key and makes it the current one.
  @inline(__always)
  private func take(_ key: Int64) throws {
    guard key > previousKey || isBeforeFirst, key <= highestKey else {
      throw damage("has keys out of order")
    }
    isBeforeFirst = false
    previousKey = key
    currentKey = key
  }

  /// Begins a row that does not fit its page. Its chain is read when it is asked for.
  @inline(never)
  private func takeLong(_ size: UInt64, rest: Int) throws {
    guard size <= UInt64(Self.longestPayload) else { throw damage("has a row of \(size) bytes") }
    payloadBytes = Int(size)
    availableBytes = reader.geometry.localBytes(ofPayload: payloadBytes, longest: longestLocal)
    guard availableBytes + 4 <= rest else { throw damage("has a cell beyond its end") }
    hasOverflow = true
    isOverflowBegun = false
  }

  func damage(_ problem: String) -> PageDamage { PageDamage(page: leaf, problem) }

  // MARK: The leaf

  /// The page with the row.
  var leafPage: UInt32 { leaf }

  /// Begins with the cells of a leaf.
  ///
  /// - Parameters:
  ///   - low: its keys are larger.
  ///   - high: they are not larger than this one.
  func begin(
    _ header: TreePageHeader, _ bytes: UnsafeRawPointer, page: UInt32, low: Int64?, high: Int64
  ) {
    self.page = bytes
    leaf = page
    offsetsStart = header.offsetsStart
    contentStart = header.contentStart
    cellCount = header.cellCount
    cellIndex = 0
    previousKey = low ?? .min
    isBeforeFirst = low == nil
    highestKey = high
  }

  /// Leaves the leaf: there is no row.
  func clearLeaf() {
    cellIndex = 0
    cellCount = 0
    parsedColumns = 0
    headerPlace = 0
    payloadBytes = 0
    availableBytes = 0
    hasOverflow = false
  }

  /// The bytes of the page with the row.
  var leafBytes: UnsafeRawPointer { page }

  /// The rows of the leaf.
  var leafCellCount: Int { cellCount }

  /// Whether a row of the leaf does not fit its page.
  func leafHasOverflow() throws -> Bool {
    for index in 0..<cellCount {
      let offset = page.bigUInt16(at: offsetsStart + 2 * index)
      guard offset >= contentStart, offset < pageBytes,
        let size = Varint.read(page + offset, limit: pageBytes - offset)
      else { throw damage("has a cell outside its content area") }
      if size.value > UInt64(longestLocal) { return true }
    }
    return false
  }

  /// Leaves out the rows of the leaf with keys that are not larger than another.
  func skip(to key: Int64) throws {
    while cellIndex < cellCount {
      let offset = page.bigUInt16(at: offsetsStart + 2 * cellIndex)
      guard offset >= contentStart, offset < pageBytes,
        let size = Varint.read(page + offset, limit: pageBytes - offset),
        let next = Varint.read(
          page + offset + size.byteCount, limit: pageBytes - offset - size.byteCount)
      else { throw damage("has a cell outside its content area") }
      guard Int64(bitPattern: next.value) <= key else { return }
      try take(Int64(bitPattern: next.value))
      cellIndex += 1
    }
  }
}
