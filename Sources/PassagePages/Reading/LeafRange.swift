/// Adjacent leaves of a table, below one page of the lowest level above the leaves.
package struct LeafRange: Sendable, Hashable {
  /// The page above the leaves.
  let parent: UInt32
  /// The bounds of the keys below that page: larger than the first, not larger than the second.
  let parentBounds: (low: Int64?, high: Int64)
  /// The leaves, as children of that page.
  let children: Range<Int>
  /// The keys of the range are larger than this one; `nil` at the left edge of the tree.
  package let after: Int64?
  /// The keys of the range are not larger than this one.
  package let through: Int64

  package static func == (one: LeafRange, other: LeafRange) -> Bool {
    one.parent == other.parent && one.children == other.children
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(parent)
    hasher.combine(children)
  }
}

/// Divides the leaves of a table into ranges, in the order of their keys. It reads the pages above
/// the leaves, and the leaf at the left edge.
package final class LeafRanges {
  /// The leaves of a range: their rows are enough work for a thread, and little memory.
  private static let leavesInRange = 64

  private let reader: PageReader
  private let root: UInt32
  private let after: Int64?
  private let seen: SeenPages
  /// The open pages above the leaves, from the root down.
  private var levels: [InteriorPage] = []
  /// How many levels there are above the leaves; `nil` before the walk has begun.
  private var height: Int?
  /// The page of the lowest level that is being divided, and its child that comes next.
  private var open: (bounds: (low: Int64?, high: Int64), next: Int)?

  /// - Parameters:
  ///   - root: the table's root page.
  ///   - after: ranges without larger keys are left out.
  package init(_ reader: PageReader, root: UInt32, after: Int64?) {
    self.reader = reader
    self.root = root
    self.after = after
    seen = SeenPages(pageCount: reader.pageCount)
  }

  /// The next range.
  ///
  /// - Returns: `nil` when there is none: also where the table is a single leaf.
  /// - Throws: ``PageDamage``, or an error of the file.
  package func next() throws -> LeafRange? {
    if height == nil { height = try begin() }
    guard let height, height > 0 else { return nil }
    while let open {
      let level = levels[height - 1]
      guard open.next < level.childCount else {
        self.open = try nextParent(height)
        continue
      }
      let children = open.next..<min(open.next + Self.leavesInRange, level.childCount)
      self.open?.next = children.upperBound
      let through = level.bounds(of: children.upperBound - 1).high
      if let after, through <= after { continue }
      return LeafRange(
        parent: level.number, parentBounds: open.bounds, children: children,
        after: level.bounds(of: children.lowerBound).low, through: through)
    }
    return nil
  }

  /// Goes down the left edge.
  ///
  /// - Returns: the number of levels above the leaves.
  private func begin() throws -> Int {
    var page = root
    var bounds: (low: Int64?, high: Int64) = (nil, .max)
    while try read(page, bounds, at: levels.count) {
      let first = levels[levels.count - 1]
      if let child = first.takeChild() { (page, bounds) = (child.page, (child.low, child.high)) }
    }
    // The last page was the leaf; the one above it is divided, not walked.
    if let lowest = levels.last { open = (lowest.ownBounds, 0) }
    return levels.count
  }

  /// Goes on to the next page of the lowest level.
  private func nextParent(
    _ height: Int
  ) throws -> (bounds: (low: Int64?, high: Int64), next: Int)? {
    var depth = height - 1
    while depth > 0 {
      guard let child = levels[depth - 1].takeChild() else {
        depth -= 1
        continue
      }
      guard try read(child.page, (child.low, child.high), at: depth) else {
        throw PageDamage(page: child.page, "is a leaf above the depth of the other leaves")
      }
      if depth == height - 1 { return ((child.low, child.high), 0) }
      depth += 1
    }
    return nil
  }

  /// Reads a page at a depth.
  ///
  /// - Returns: false when it is a leaf.
  private func read(
    _ page: UInt32, _ bounds: (low: Int64?, high: Int64), at depth: Int
  ) throws -> Bool {
    let parent = depth == 0 ? page : levels[depth - 1].number
    try reader.check(page, from: parent)
    if let page = seen.insert(page) {
      throw PageDamage(page: page, "is used twice in the table's tree")
    }
    guard depth < TableSweep.mostLevels else {
      throw PageDamage(page: page, "is deeper in the table's tree than SQLite allows")
    }
    let pageBytes = reader.geometry.pageBytes
    let level = depth < levels.count ? levels[depth] : InteriorPage(pageBytes: pageBytes)
    try reader.read(page, count: 1, into: level.bytes)
    let header = try TreePageHeader(level.bytes, page: page, pageBytes: pageBytes)
    guard !header.isLeaf else { return false }
    try level.load(header, page: page, low: bounds.low, high: bounds.high)
    if depth == levels.count { levels.append(level) }
    return true
  }
}
