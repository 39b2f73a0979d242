/// Takes the leaves of another table over into a table, as whole pages: no record is decoded.
///
/// The leaves of the table stay where they are. Those of the other one are appended to its file, and
/// so are new pages above them. The pages of the tree on the way to each place where leaves are added
/// get new contents; what lies beside the way keeps its pages. With a writer that keeps the pages of
/// the file until its end, the table is as it was until then.
package final class LeafMerge {
  /// The pages of the tree that may get new contents: they wait in memory.
  private static let mostReplaced = 256
  /// After so many leaves the caller may stop the merge.
  private static let leavesBetweenChecks = 256

  private let reader: PageReader
  private let root: UInt32
  private let file: PageFileWriter
  private let seen: SeenPages
  private let leaves: LeafCopier
  private let check: () throws -> Void
  private var levels: TableLevels
  /// No key so far is larger than this one.
  private var highest: Int64?
  private var replacedCount = 0
  private var leafCount = 0

  /// - Parameters:
  ///   - table: in the file of `reader`, with no index.
  ///   - other: a table with the same columns, whose pages are as large, before its first row.
  ///   - file: a writer to the file of `reader` that keeps its pages.
  ///   - check: called now and then; may throw to stop.
  package init(
    into table: TableSweep, of reader: PageReader, from other: TableSweep, file: PageFileWriter,
    checking check: @escaping () throws -> Void = {}
  ) {
    self.reader = reader
    self.file = file
    self.check = check
    root = table.root
    seen = SeenPages(pageCount: reader.pageCount)
    leaves = LeafCopier(other, to: file)
    levels = TableLevels(file)
  }

  /// Adds the rows of the other table.
  ///
  /// - Returns: the digest of what was added; `nil` when rows of the two tables lie between each
  ///   other on a page, or when too much of the tree would change: then the writer is to be
  ///   discarded.
  /// - Throws: ``PageDamage``, an error of a file, or what `check` throws.
  /// - Complexity: O(n) in the leaves of the other table, and in the places where they are added.
  package func run() throws -> PageDigest? {
    do {
      try leaves.next()
      guard leaves.hasLeaf else { return leaves.digest }
      let height = try self.height()
      if height == 0 {
        try addToLeaf()
      } else {
        try add(below: root, low: nil, high: .max, height: height)
        try levels.finish(root: root)
      }
      return levels.freePages.isEmpty ? leaves.digest : nil
    } catch is RowsInterleave {
      return nil
    } catch is SparseTree {
      return nil
    }
  }

  /// Rows of two tables cannot be put together leaf by leaf.
  private struct RowsInterleave: Error {}

  /// The levels above the leaves.
  private func height() throws -> Int {
    var page = root
    for height in 0..<TableSweep.mostLevels {
      let level = InteriorPage(pageBytes: reader.geometry.pageBytes)
      let header = try read(page, into: level.bytes)
      if header.isLeaf { return height }
      try level.load(header, page: page, low: nil, high: .max)
      if let child = level.takeChild() {
        try reader.check(child.page, from: page)
        page = child.page
      }
    }
    throw PageDamage(page: page, "is deeper in the table's tree than SQLite allows")
  }

  private func read(
    _ page: UInt32, into bytes: UnsafeMutableRawPointer
  ) throws -> TreePageHeader {
    try reader.read(page, count: 1, into: bytes)
    return try TreePageHeader(bytes, page: page, pageBytes: reader.geometry.pageBytes)
  }

  // MARK: The tree

  /// Adds leaves to a table that is a single one, or empty.
  private func addToLeaf() throws {
    let own = LeafCopier(
      TableSweep(reader, root: root, columnCount: 1), to: file, keepsChains: true)
    try own.next()
    if own.hasLeaf {
      try addLeaves(before: own.keys.first)
      let page = try file.allocate()
      try own.put(page)
      try add(leaf: page, own.keys)
    } else if leaves.isSingle {
      return try leaves.put(root)
    }
    try addLeaves(through: .max)
    try levels.finish(root: root)
  }

  /// Adds a page with everything below it, and the leaves that belong between.
  ///
  /// - Parameters:
  ///   - low: the keys below the page are larger.
  ///   - high: they are not larger than this one.
  ///   - height: the levels from the page down to its leaves.
  private func add(below page: UInt32, low: Int64?, high: Int64, height: Int) throws {
    let level = InteriorPage(pageBytes: reader.geometry.pageBytes)
    let header = try read(page, into: level.bytes)
    guard header.isLeaf == (height == 0) else {
      throw PageDamage(page: page, "is not at the depth of its kind")
    }
    if height == 0 {
      let keys = try Self.keys(header, UnsafeRawPointer(level.bytes), page: page, reader.geometry)
      try addLeaves(before: keys.first)
      try add(leaf: page, keys)
      return try addLeaves(through: high)
    }
    try level.load(header, page: page, low: low, high: high)
    if page != root {
      replacedCount += 1
      guard replacedCount <= Self.mostReplaced else { throw RowsInterleave() }
      levels.freePages.append(page)
    }
    while let child = level.takeChild() {
      try reader.check(child.page, from: page)
      if let page = seen.insert(child.page) {
        throw PageDamage(page: page, "is used twice in the table's tree")
      }
      if isAdded(to: child.low, child.high) {
        try add(below: child.page, low: child.low, high: child.high, height: height - 1)
      } else {
        try levels.close(below: height - 1)
        try levels.add(child: child.page, key: child.high, height: height - 1)
        highest = child.high
      }
    }
  }

  /// Whether a leaf of the other table belongs between some keys, or reaches there.
  private func isAdded(to low: Int64?, _ high: Int64) -> Bool {
    if leaves.hasLeaf, leaves.keys.first <= high { return true }
    guard let highest, let low else { return false }
    return highest > low
  }

  /// The first and the last key of a leaf.
  private static func keys(
    _ header: TreePageHeader, _ bytes: UnsafeRawPointer, page: UInt32, _ geometry: PageGeometry
  ) throws(PageDamage) -> (first: Int64, last: Int64) {
    func key(_ index: Int) throws(PageDamage) -> Int64 {
      let offset = bytes.bigUInt16(at: header.offsetsStart + 2 * index)
      let rest = geometry.pageBytes - offset
      guard offset >= header.contentStart, rest > 0,
        let size = Varint.read(bytes + offset, limit: rest),
        let key = Varint.read(bytes + offset + size.byteCount, limit: rest - size.byteCount)
      else { throw PageDamage(page: page, "has a cell outside its content area") }
      return Int64(bitPattern: key.value)
    }
    guard header.cellCount > 0 else { throw PageDamage(page: page, "has no rows") }
    return (try key(0), try key(header.cellCount - 1))
  }

  // MARK: The leaves

  private func add(leaf page: UInt32, _ keys: (first: Int64, last: Int64)) throws {
    if let highest, highest >= keys.first { throw RowsInterleave() }
    try levels.add(child: page, key: keys.last)
    highest = keys.last
  }

  /// Adds the leaves of the other table with smaller keys.
  private func addLeaves(before key: Int64) throws {
    while leaves.hasLeaf, leaves.keys.first < key { try addLeaf() }
  }

  /// Adds the leaves of the other table that begin with keys up to one.
  private func addLeaves(through key: Int64) throws {
    while leaves.hasLeaf, leaves.keys.first <= key { try addLeaf() }
  }

  private func addLeaf() throws {
    let page = try file.allocate()
    try leaves.put(page)
    try add(leaf: page, leaves.keys)
    leafCount += 1
    if leafCount % Self.leavesBetweenChecks == 0 { try check() }
    try leaves.next()
  }
}
