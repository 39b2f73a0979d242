/// The pages of a table's b-tree above its leaves, built from left to right.
///
/// A page gets its number when it is full, and its children then learn of it.
struct TableLevels {
  /// The most levels of a tree that SQLite reads.
  private static let mostLevels = 20

  private let file: PageFileWriter
  private var levels: [InteriorLevel] = []
  /// Pages of a tree that is rebuilt, which get new contents before others are appended.
  var freePages: [UInt32] = []

  init(_ file: PageFileWriter) { self.file = file }

  /// Whether the tree is not more than one leaf.
  var isEmpty: Bool { levels.isEmpty }

  /// Adds the levels to a mark.
  func mark(_ mark: inout WriterMark) {
    mark.append(Int64(levels.count))
    for level in levels { level.mark(&mark) }
  }

  /// The levels of a mark.
  init(_ file: PageFileWriter, from mark: inout WriterMark.Reader) throws(UnreadableMark) {
    self.init(file)
    for _ in 0..<(try mark.number(in: 0...Self.mostLevels)) {
      levels.append(try InteriorLevel(file, from: &mark))
    }
  }

  /// Adds a page after the others.
  ///
  /// - Parameters:
  ///   - key: the keys below the page are not larger than this one, and those of later pages are.
  ///   - height: the levels from the page down to its leaves; 0 for a leaf.
  mutating func add(child: UInt32, key: Int64, height: Int = 0) throws {
    while levels.count <= height {
      levels.append(InteriorLevel(pageBytes: file.geometry.pageBytes))
    }
    if let full = levels[height].add(child: child, key: key) { try put(full, height: height) }
  }

  /// Completes the pages up to a height, so that a page of that height can be added.
  ///
  /// - Throws: ``SparseTree``, or an error of the file.
  mutating func close(below height: Int) throws {
    for level in 0..<min(height, levels.count) where !levels[level].open.isEmpty {
      if let full = levels[level].finish() { try put(full, height: level) }
      let last = levels[level].open
      levels[level] = InteriorLevel(pageBytes: file.geometry.pageBytes)
      guard last.cellCount > 0 else { throw SparseTree() }
      try put(last, height: level)
    }
  }

  /// Completes the tree. No page follows.
  ///
  /// - Precondition: at least two pages were added.
  /// - Throws: ``SparseTree``, or an error of the file.
  mutating func finish(root: UInt32) throws {
    var level = 0
    while level < levels.count {
      if let full = levels[level].finish() { try put(full, height: level) }
      let last = levels[level].open
      // What was closed before is empty.
      if !last.isEmpty {
        guard last.cellCount > 0 else { throw SparseTree() }
        if level + 1 == levels.count {
          try last.put(root, to: file)
        } else {
          try put(last, height: level)
        }
      }
      level += 1
    }
  }

  private mutating func put(_ page: InteriorLevel.Page, height: Int) throws {
    let number = try freePages.popLast() ?? file.allocate()
    try page.put(number, to: file)
    try add(child: number, key: page.lastKey, height: height + 1)
  }
}

/// A page above the leaves would have a single child, which SQLite takes for damage.
struct SparseTree: Error {}
