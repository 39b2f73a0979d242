/// The pages of one level of a table's b-tree above the leaves, the last of them open.
struct InteriorLevel {
  /// A page of children. The last child is the rightmost: it has no cell.
  struct Page {
    private(set) var page: TreePage
    private(set) var lastChild: UInt32 = 0
    private(set) var lastKey: Int64 = 0

    init(pageBytes: Int) { page = TreePage(.tableInterior, pageBytes: pageBytes) }

    var isEmpty: Bool { lastChild == 0 }
    var cellCount: Int { page.cellCount }

    /// Adds a child.
    ///
    /// - Returns: whether there was room for it.
    mutating func add(child: UInt32, key: Int64) -> Bool {
      if !isEmpty {
        let keyBytes = Varint.byteCount(UInt64(bitPattern: lastKey))
        guard page.hasRoom(for: 4 + keyBytes) else { return false }
        let cell = page.append(4 + keyBytes)
        cell.setBigUInt32(lastChild, at: 0)
        _ = Varint.write(UInt64(bitPattern: lastKey), to: cell + 4)
      }
      lastChild = child
      lastKey = key
      return true
    }

    /// Takes the last child away.
    ///
    /// - Precondition: there are two.
    mutating func removeLast() -> (child: UInt32, key: Int64) {
      let last = (lastChild, lastKey)
      let cell = page.cell(page.cellCount - 1)
      lastChild = cell.bigUInt32(at: 0)
      let key = Varint.read(cell + 4, limit: 9)
      lastKey = Int64(bitPattern: key?.value ?? 0)
      page.removeLast(4 + (key?.byteCount ?? 0))
      return last
    }

    func mark(_ mark: inout WriterMark) {
      mark.append(Int64(lastChild))
      mark.append(lastKey)
      page.mark(&mark)
    }

    init(
      _ file: PageFileWriter, from mark: inout WriterMark.Reader
    ) throws(UnreadableMark) {
      lastChild = try mark.page()
      lastKey = try mark.number()
      page = try TreePage(.tableInterior, pageBytes: file.geometry.pageBytes, from: &mark)
      if isEmpty, cellCount == 0 { return }
      let children = (0..<cellCount).map { page.cell($0).bigUInt32(at: 0) } + [lastChild]
      guard children.allSatisfy(file.hasGivenOut) else { throw UnreadableMark() }
    }

    /// Puts the page, which now is the parent of its children.
    func put(_ number: UInt32, to file: PageFileWriter) throws {
      for index in 0..<page.cellCount {
        try file.setPointer(to: page.cell(index).bigUInt32(at: 0), .tree, from: number)
      }
      try file.setPointer(to: lastChild, .tree, from: number)
      try file.put(number, page.complete(rightmost: lastChild))
    }
  }

  private let pageBytes: Int
  /// The page before the open one, kept until that one is sure to have two children: SQLite takes a page
  /// with one child for damaged.
  private var full: Page?
  private(set) var open: Page

  init(pageBytes: Int) {
    self.pageBytes = pageBytes
    open = Page(pageBytes: pageBytes)
  }

  /// Adds the level to a mark.
  func mark(_ mark: inout WriterMark) {
    mark.append(full == nil ? 0 : 1)
    full?.mark(&mark)
    open.mark(&mark)
  }

  /// The level of a mark.
  init(_ file: PageFileWriter, from mark: inout WriterMark.Reader) throws(UnreadableMark) {
    pageBytes = file.geometry.pageBytes
    full = try mark.number() == 0 ? nil : Page(file, from: &mark)
    open = try Page(file, from: &mark)
    guard full?.cellCount ?? 1 > 0 else { throw UnreadableMark() }
  }

  /// Adds a child after the others.
  ///
  /// - Parameter key: the largest key below the child.
  /// - Returns: a page that is complete.
  mutating func add(child: UInt32, key: Int64) -> Page? {
    if open.add(child: child, key: key) {
      guard open.cellCount > 0, let complete = full else { return nil }
      full = nil
      return complete
    }
    full = open
    open = Page(pageBytes: pageBytes)
    _ = open.add(child: child, key: key)
    return nil
  }

  /// Completes the level but for its open page, to which the other may have to give a child.
  ///
  /// - Returns: a page that is complete.
  mutating func finish() -> Page? {
    guard var complete = full else { return nil }
    full = nil
    if open.cellCount == 0, !open.isEmpty {
      let moved = complete.removeLast()
      var last = Page(pageBytes: pageBytes)
      _ = last.add(child: moved.child, key: moved.key)
      _ = last.add(child: open.lastChild, key: open.lastKey)
      open = last
    }
    return complete
  }
}
