/// Adjacent leaves of an index, and the entries between them and after the last, which are above them.
package struct IndexRange: Sendable {
  /// The page above the leaves; that of the leaf where it is the only one.
  let parent: UInt32
  let leaves: [UInt32]
  /// The entry after each leaf, with `nil` for one that leads to no object; none after the last leaf of
  /// all.
  let dividers: [PairEntry?]
}

/// Divides the leaves of an index over two columns into ranges, in order. It reads the pages above the
/// leaves, and the leaf at the left edge.
package final class IndexRanges {
  /// The bytes of the leaves of a range: their entries are enough work for a thread, and little memory.
  static let rangeBytes = 262_144
  private static let mostLeaves = 64

  /// A page above the leaves.
  private final class Level {
    let buffer: PageBuffer
    var number: UInt32 = 0
    var cellCount = 0
    var contentStart = 0
    /// The child that the walk is in, or comes to next in the lowest level.
    var child = 0

    init(pageBytes: Int) { buffer = PageBuffer(byteCount: pageBytes + RecordView.slack) }

    var bytes: UnsafeRawPointer { UnsafeRawPointer(buffer.bytes) }
  }

  private let reader: PageReader
  private let entries: PairEntryReader
  private let root: UInt32
  private let seen: SharedPages
  private let leavesInRange: Int
  /// The open pages above the leaves, from the root down; `nil` before the walk has begun.
  private var levels: [Level]?
  private var isAtEnd = false

  /// - Parameters:
  ///   - root: the index's root page.
  ///   - seen: the pages that this walk, and the readers of its ranges, have come to.
  init(_ reader: PageReader, root: UInt32, seen: SharedPages) {
    self.reader = reader
    entries = PairEntryReader(reader: reader)
    self.root = root
    self.seen = seen
    leavesInRange = max(1, min(Self.mostLeaves, Self.rangeBytes / reader.geometry.pageBytes))
  }

  /// The next range.
  ///
  /// - Returns: `nil` when there is none.
  /// - Throws: ``PageDamage``, ``ConvertedValue``, or an error of the file.
  package func next() throws -> IndexRange? {
    guard !isAtEnd else { return nil }
    let levels = try self.levels ?? begin()
    guard let lowest = levels.last else {
      isAtEnd = true
      return IndexRange(parent: root, leaves: [root], dividers: [])
    }
    let children = lowest.child..<min(lowest.child + leavesInRange, lowest.cellCount + 1)
    let parent = lowest.number
    let leaves = try children.map { try child($0, of: lowest) }
    var dividers: [PairEntry?] = []
    for place in children where place < lowest.cellCount {
      dividers.append(try divider(place, of: lowest))
    }
    lowest.child = children.upperBound
    if children.upperBound > lowest.cellCount { isAtEnd = try !goOn(levels, &dividers) }
    return IndexRange(parent: parent, leaves: leaves, dividers: dividers)
  }

  /// Goes down the left edge.
  private func begin() throws -> [Level] {
    var levels: [Level] = []
    var page = root
    var parent = root
    while let level = try read(page, from: parent, at: levels.count) {
      levels.append(level)
      parent = page
      page = try child(0, of: level)
    }
    self.levels = levels
    return levels
  }

  /// Goes on to the next page of the lowest level.
  ///
  /// - Parameter dividers: gets the entry before it.
  /// - Returns: false when there is no such page.
  private func goOn(_ levels: [Level], _ dividers: inout [PairEntry?]) throws -> Bool {
    guard let place = levels.dropLast().lastIndex(where: { $0.child < $0.cellCount }) else {
      return false
    }
    dividers.append(try divider(levels[place].child, of: levels[place]))
    levels[place].child += 1
    for depth in place + 1..<levels.count {
      let above = levels[depth - 1]
      let page = try child(above.child, of: above)
      guard try load(page, from: above.number, into: levels[depth]) else {
        throw PageDamage(page: page, "is a leaf above the depth of the other leaves")
      }
    }
    return true
  }

  // MARK: Pages

  /// - Returns: `nil` when the page is a leaf.
  private func read(_ page: UInt32, from parent: UInt32, at depth: Int) throws -> Level? {
    guard depth < TableSweep.mostLevels else {
      throw PageDamage(page: page, "is deeper in the index's tree than SQLite allows")
    }
    let level = Level(pageBytes: reader.geometry.pageBytes)
    return try load(page, from: parent, into: level) ? level : nil
  }

  /// Makes a level a page's.
  ///
  /// - Returns: false when it is a leaf, which then has not been seen.
  private func load(_ page: UInt32, from parent: UInt32, into level: Level) throws -> Bool {
    try reader.check(page, from: parent)
    try reader.read(page, count: 1, into: level.buffer.bytes)
    let header = try TreePageHeader(
      level.bytes, page: page, pageBytes: reader.geometry.pageBytes, isOfIndex: true)
    guard !header.isLeaf else { return false }
    if let page = seen.insert(page) {
      throw PageDamage(page: page, "is used twice in the index's tree")
    }
    guard header.cellCount > 0 else { throw PageDamage(page: page, "has no cells") }
    level.number = page
    level.cellCount = header.cellCount
    level.contentStart = header.contentStart
    level.child = 0
    return true
  }

  /// Where a cell is.
  private func cell(_ index: Int, of level: Level) throws -> Int {
    // No page but the first of the file begins with anything else, and that one is no index's.
    let offset = level.bytes.bigUInt16(at: 12 + 2 * index)
    guard offset >= level.contentStart, offset + 5 <= reader.geometry.pageBytes else {
      throw PageDamage(page: level.number, "has a cell outside its content area")
    }
    return offset
  }

  private func child(_ index: Int, of level: Level) throws -> UInt32 {
    index == level.cellCount
      ? level.bytes.bigUInt32(at: 8) : level.bytes.bigUInt32(at: try cell(index, of: level))
  }

  private func divider(_ index: Int, of level: Level) throws -> PairEntry? {
    try entries.entry(level.bytes, at: try cell(index, of: level) + 4, number: level.number)
  }
}
