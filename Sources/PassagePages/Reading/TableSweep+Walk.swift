extension TableSweep {
  /// Begins again before the first row.
  package func restart() { restart(in: nil) }

  private func restart(in others: SharedPages?) {
    seen.restart(in: others)
    depth = 0
    isStarted = false
    // The depth of a range begins with the page above its leaves.
    if rangeParent != nil { leafDepth = nil }
    rangeParent = nil
    failure = nil
    clearLeaf()
  }

  /// Goes to the first row with a key larger than another: ``next()`` comes to it.
  ///
  /// - Parameter key: need not be in the table.
  /// - Throws: ``PageDamage``, or an error of the file.
  /// - Complexity: O(depth) pages.
  package func seek(after key: Int64) throws {
    restart()
    isStarted = true
    run.shorten()
    try guarding {
      if try descend(to: root, low: nil, high: .max, after: key) { try skip(to: key) }
    }
  }

  /// Begins with the rows of a range: ``next()`` ends with it.
  ///
  /// - Throws: ``PageDamage``, or an error of the file.
  package func begin(_ range: LeafRange) throws { try begin(range, in: nil) }

  /// - Parameter others: the pages of the sweeps that share the table's ranges, if this one shares nothing
  ///   with them but the range.
  func begin(_ range: LeafRange, in others: SharedPages?) throws {
    let known = rangeParent
    restart(in: others)
    isStarted = true
    leafDepth = 1
    try guarding {
      if levels.isEmpty { levels.append(InteriorPage(pageBytes: pageBytes)) }
      let level = levels[0]
      if range.parent != known || level.ownBounds != range.parentBounds {
        try load(range, into: level)
      }
      rangeParent = range.parent
      level.restrict(to: range.children)
      depth = 1
    }
  }

  private func load(_ range: LeafRange, into level: InteriorPage) throws {
    try reader.read(range.parent, count: 1, into: level.bytes)
    let header = try TreePageHeader(level.bytes, page: range.parent, pageBytes: pageBytes)
    guard !header.isLeaf else { throw PageDamage(page: range.parent, "has become a leaf") }
    try level.load(
      header, page: range.parent, low: range.parentBounds.low, high: range.parentBounds.high)
  }

  /// Goes on to the next leaf.
  ///
  /// - Returns: false when there is none.
  @inline(never)
  func advance() throws -> Bool {
    try guarding {
      clearLeaf()
      if !isStarted {
        isStarted = true
        return try descend(to: root, low: nil, high: .max, after: nil)
      }
      while depth > 0 {
        if let child = levels[depth - 1].takeChild() {
          return try descend(to: child.page, low: child.low, high: child.high, after: nil)
        }
        depth -= 1
      }
      try checkRepeated(seen.tell())
      return false
    }
  }

  private func checkRepeated(_ page: UInt32?) throws {
    if let page { throw PageDamage(page: page, "is used twice in the table's tree") }
  }

  /// Keeps an error: a walk that failed does not go on behind the place.
  private func guarding<Result>(_ body: () throws -> Result) throws -> Result {
    if let failure { throw failure }
    do {
      return try body()
    } catch {
      clearLeaf()
      failure = error
      throw error
    }
  }

  /// Goes down to the first leaf below a page, or to the one with the first key after another.
  ///
  /// - Returns: whether the leaf has rows.
  private func descend(
    to page: UInt32, low: Int64?, high: Int64, after key: Int64?
  ) throws -> Bool {
    var (page, low, high) = (page, low, high)
    while true {
      let parent = depth == 0 ? nil : levels[depth - 1]
      try reader.check(page, from: parent?.number ?? page)
      try checkRepeated(seen.insert(page))
      if depth == leafDepth {
        let bytes = try run.read(page, parent: parent)
        let header = try TreePageHeader(bytes, page: page, pageBytes: pageBytes)
        return try begin(header, bytes, page, low: low, high: high)
      }
      guard depth < Self.mostLevels else {
        throw PageDamage(page: page, "is deeper in the table's tree than SQLite allows")
      }
      if levels.count == depth { levels.append(InteriorPage(pageBytes: pageBytes)) }
      let level = levels[depth]
      try reader.read(page, count: 1, into: level.bytes)
      let header = try TreePageHeader(level.bytes, page: page, pageBytes: pageBytes)
      if header.isLeaf {
        guard leafDepth == nil else {
          throw PageDamage(page: page, "is a leaf above the depth of the other leaves")
        }
        leafDepth = depth
        let bytes = run.take(page, level.bytes)
        return try begin(header, bytes, page, low: low, high: high)
      }
      try level.load(header, page: page, low: low, high: high)
      if let key { level.skip(to: key) }
      depth += 1
      guard let child = level.takeChild() else { return false }
      (page, low, high) = (child.page, child.low, child.high)
    }
  }

  private func begin(
    _ header: TreePageHeader, _ bytes: UnsafeRawPointer, _ page: UInt32, low: Int64?, high: Int64
  ) throws -> Bool {
    guard header.isLeaf else {
      throw PageDamage(page: page, "is an interior page at the depth of the leaves")
    }
    // Only a table without rows has a leaf without them.
    guard header.cellCount > 0 || depth == 0 else { throw PageDamage(page: page, "has no rows") }
    begin(header, bytes, page: page, low: low, high: high)
    return header.cellCount > 0
  }
}
