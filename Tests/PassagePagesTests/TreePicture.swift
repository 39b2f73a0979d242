import PassageFiles
import Testing

/// A b-tree of a file, read as the format describes it and by nothing of the code under test
/// (https://www.sqlite.org/fileformat2.html#b_tree_pages).
///
/// Where a page tells the number of another one, a picture has zeros: SQLite gives out numbers in another
/// order.
struct TreePicture {
  struct Page {
    /// How far below the root.
    let depth: Int
    let bytes: [UInt8]
    /// Where the cells are, in order.
    let cells: [Range<Int>]
    /// The place of the first divider after everything below.
    fileprivate(set) var nextDivider = 0

    var contents: [ArraySlice<UInt8>] { cells.map { bytes[$0] } }
  }

  private let file: [UInt8]
  private let pageBytes: Int
  /// From left to right.
  private(set) var leaves: [Page] = []
  /// From left to right, each before the pages below it.
  private(set) var interiors: [Page] = []
  /// The cells between two leaves, in order: keys of a table, entries of an index.
  private(set) var dividers: [ArraySlice<UInt8>] = []
  /// The levels of the tree.
  private(set) var height = 0

  init(path: String, root: UInt32, pageBytes: Int) throws {
    file = try #require(FileSystem().contents(path))
    self.pageBytes = pageBytes
    try add(Int(root), level: 1)
  }

  private mutating func add(_ number: Int, level: Int) throws {
    height = max(height, level)
    try #require(level < 20 && number > 0 && number * pageBytes <= file.count)
    var bytes = Array(file[(number - 1) * pageBytes..<number * pageBytes])
    let isLeaf = bytes[0] == 10 || bytes[0] == 13
    try #require(isLeaf || bytes[0] == 2 || bytes[0] == 5)
    let header = isLeaf ? 8 : 12
    var cells: [Range<Int>] = []
    var children: [Int] = []
    for index in 0..<Self.number(bytes, 3, 2) {
      let start = Self.number(bytes, header + 2 * index, 2)
      if !isLeaf {
        children.append(Self.number(bytes, start, 4))
        bytes.replaceSubrange(start..<start + 4, with: [0, 0, 0, 0])
      }
      cells.append(start..<hideChain(in: &bytes, at: start))
    }
    if !isLeaf {
      children.append(Self.number(bytes, 8, 4))
      bytes.replaceSubrange(8..<12, with: [0, 0, 0, 0])
    }
    let page = Page(depth: level - 1, bytes: bytes, cells: cells)
    if isLeaf { return leaves.append(page) }
    let place = interiors.count
    interiors.append(page)
    for (index, child) in children.enumerated() {
      try add(child, level: level + 1)
      if index < cells.count { dividers.append(bytes[cells[index]]) }
    }
    interiors[place].nextDivider = dividers.count
  }

  /// Hides where the rest of a long payload is.
  ///
  /// - Returns: where the cell ends.
  private func hideChain(in bytes: inout [UInt8], at start: Int) -> Int {
    var place = start
    let kind = bytes[0]
    if kind == 2 || kind == 5 { place += 4 }
    let first = Self.varint(bytes, &place)
    if kind == 5 { return place }
    if kind == 13 { _ = Self.varint(bytes, &place) }
    let longest = kind == 13 ? pageBytes - 35 : (pageBytes - 12) * 64 / 255 - 23
    guard first > longest else { return place + first }
    let shortest = (pageBytes - 12) * 32 / 255 - 23
    let local = shortest + (first - shortest) % (pageBytes - 4)
    place += local <= longest ? local : shortest
    bytes.replaceSubrange(place..<place + 4, with: [0, 0, 0, 0])
    return place + 4
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func varint(_ bytes: [UInt8], _ place: inout Int) -> Int {
    var value: UInt64 = 0
    for index in 0..<9 {
      let byte = bytes[place]
      place += 1
      if index == 8 { return Int(truncatingIfNeeded: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { break }
    }
    return Int(truncatingIfNeeded: value)
  }
}

extension TreePicture {
  /// Holds a table against the one that SQLite makes when the rows are appended in order.
  ///
  /// Every leaf has the same bytes, and between two leaves is the same key. How keys are spread over the
  /// pages above is another thing: where one of them is full, SQLite spreads its keys over that page and
  /// its neighbours and leaves room in each, because it does not know what comes; a writer fills each
  /// before the next, up to the last two of a level. So there may be fewer of these pages, and where SQLite
  /// needs one, it is the same.
  func expectTable(_ made: TreePicture) {
    #expect(leaves.count == made.leaves.count)
    #expect(Self.firstOther(leaves.map(\.bytes), made.leaves.map(\.bytes)) == leaves.count)
    #expect(dividers == made.dividers)
    #expect(interiors.count <= made.interiors.count && height <= made.height)
    for depth in 0..<height {
      for page in interiors.filter({ $0.depth == depth }).dropLast(2) {
        let end = page.cells.map(\.lowerBound).min() ?? 0
        #expect(end - 12 - 2 * page.cells.count < 2 + dividers[page.nextDivider].count)
      }
    }
    if made.interiors.count == 1 {
      #expect(interiors.map(\.cells) == made.interiors.map(\.cells))
    }
  }

  /// Holds an index against the one that SQLite makes of sorted rows.
  ///
  /// In order, all entries have the same bytes, and they are on the same pages but for the end: the last
  /// two leaves share their entries otherwise, because SQLite moves some to the right when it begins a page.
  /// The last two pages of a level above may be one, or three, for the same reason.
  func expectIndex(_ made: TreePicture, _ name: String) {
    #expect(leaves.count == made.leaves.count && height == made.height, "\(name)")
    for depth in 0..<max(0, height - 1) {
      let mine = interiors.filter { $0.depth == depth }
      let others = made.interiors.filter { $0.depth == depth }
      #expect(abs(mine.count - others.count) <= 1, "\(name)")
      let other = Self.firstOther(mine.map(\.contents), others.map(\.contents))
      #expect(other >= mine.count - 2, "\(name): page \(other) of \(mine.count) at depth \(depth)")
    }
    let other = Self.firstOther(leaves.map(\.contents), made.leaves.map(\.contents))
    #expect(other >= leaves.count - 2, "\(name): leaf \(other) of \(leaves.count)")
    #expect(dividers.dropLast() == made.dividers.dropLast(), "\(name)")
    #expect(tail == made.tail, "\(name)")
  }

  /// The first place where two lists differ; where the shorter one ends if they do not.
  private static func firstOther<Element: Equatable>(_ one: [Element], _ other: [Element]) -> Int {
    zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      ?? min(one.count, other.count)
  }

  /// The entries of an index from the leaf before the last one on.
  private var tail: [ArraySlice<UInt8>] {
    guard leaves.count > 1 else { return leaves.flatMap(\.contents) }
    let last = leaves.suffix(2).map(\.contents)
    // An entry above the leaves has room for its child's number before it.
    return last[0] + dividers.suffix(1).map { $0.dropFirst(4) } + last[1]
  }
}
