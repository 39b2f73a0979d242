import PassageFiles
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Each kind of damage by itself, made by hand in a good file.
@Suite struct ReadingFaultTests {
  /// A file of pages of 512 bytes, with a table `t` of three levels, `other` with larger keys, and
  /// `long` with rows in chains of pages.
  struct Store {
    let folder: TemporaryDirectory
    let path: String
    let connection: Connection
    var file: DamagedFile
    /// The root pages.
    let t: Int
    let other: Int
    let long: Int

    init(isAutoVacuum: Bool = false) throws {
      folder = try TemporaryDirectory()
      path = folder.path("store.db")
      connection = try Connection(path: path, mode: .create, isSynced: false)
      try connection.execute(
        """
        PRAGMA page_size = 512;
        PRAGMA auto_vacuum = \(isAutoVacuum ? 2 : 0);
        CREATE TABLE t (k INTEGER PRIMARY KEY, a, b);
        CREATE TABLE other (k INTEGER PRIMARY KEY, a, b);
        CREATE TABLE long (k INTEGER PRIMARY KEY, a, b);
        CREATE TABLE pairs (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
        INSERT INTO pairs VALUES (1, 2);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
          INSERT INTO t SELECT i, 'some text of row ' || i, i FROM n;
        INSERT INTO other SELECT k + 100000, a, b FROM t;
        INSERT INTO long SELECT k, hex(zeroblob(1200)), b FROM t WHERE k < 6;
        """)
      t = Int(try connection.rootPage(of: "t"))
      other = Int(try connection.rootPage(of: "other"))
      long = Int(try connection.rootPage(of: "long"))
      file = DamagedFile(bytes: try #require(folder.contents("store.db")), pageBytes: 512)
      #expect(file[t, 0] == 5)
      #expect(file[interior, 0] == 5)
      #expect(file[leaf, 0] == 13)
    }

    /// The first child of an interior page.
    func child(_ page: Int) -> Int { file.number(page, file.cells(page)[0], bytes: 4) }

    /// The first page below the root of `t`, and its first leaf.
    var interior: Int { child(t) }
    var leaf: Int { child(interior) }

    mutating func setChild(of page: Int, _ value: Int) {
      file.set(page, file.cells(page)[0], bytes: 4, value)
    }

    /// Where the first chain of `long` begins: the leaf's cell ends with the number.
    var chain: (leaf: Int, offset: Int) {
      let page = file[long, 0] == 13 ? long : child(long)
      let cell = file.cells(page)[0]
      // Two bytes of size and one of the key; of the payload, what does not fill the chain's pages.
      let payload =
        (file.number(page, cell, bytes: 1) & 0x7F) << 7 | file.number(page, cell + 1, bytes: 1)
      let local = 39 + (payload - 39) % 508
      return (page, cell + 3 + (local <= 477 ? local : 39))
    }

    /// The error of reading every cell of a table.
    func failure(_ root: Int) throws -> String? {
      try folder.write(file.bytes, to: "store.db")
      let table = SweptTable(path: path, root: UInt32(root), columnCount: 3)
      do {
        _ = try table.rows()
        return nil
      } catch let error as PageDamage {
        // Counting does not look into the leaves, but walks the same tree.
        _ = try? table.sweep().rowCount()
        _ = try? table.rows(after: 0)
        return error.problem
      }
    }
  }

  @Test func `a tree that leads in a circle`() throws {
    var store = try Store()
    #expect(try store.failure(store.t) == nil)
    for target in [store.interior, store.t] {
      store = try Store()
      store.setChild(of: store.interior, target)
      #expect(try store.failure(store.t) == "is used twice in the table's tree")
    }
    store = try Store()
    // The next page of the same depth is come to twice.
    store.setChild(of: store.t, store.file.number(store.t, store.file.cells(store.t)[1], bytes: 4))
    #expect(try store.failure(store.t) != nil)
    store = try Store()
    store.file.set(
      store.interior, store.file.cells(store.interior)[1], bytes: 4, store.leaf)
    #expect(try store.failure(store.t) == "is used twice in the table's tree")
  }

  @Test func `a leaf of another table`() throws {
    var store = try Store()
    store.setChild(of: store.interior, store.child(store.child(store.other)))
    #expect(try store.failure(store.t) == "has keys out of order")
    store = try Store()
    store.setChild(of: store.t, store.child(store.other))
    #expect(try store.failure(store.t) == "has keys out of order")
  }

  @Test func `a page that cannot be part of a tree`() throws {
    for target in [0, 1, 1_000_000, Int(UInt32.max)] {
      var store = try Store()
      store.setChild(of: store.interior, target)
      #expect(
        try store.failure(store.t)
          == "leads to page \(target) of \(store.file.pageCount)")
    }
    var store = try Store(isAutoVacuum: true)
    store.setChild(of: store.interior, 2)
    #expect(try store.failure(store.t) == "leads to page 2, which cannot be part of a tree")
    #expect(try store.failure(2) == "leads to page 2, which cannot be part of a tree")
    store = try Store()
    #expect(try store.failure(0) == "leads to page 0 of \(store.file.pageCount)")
  }

  @Test func `the page that SQLite locks`() throws {
    var store = try Store()
    let lockPage = 0x4000_0000 / 512 + 1
    store.setChild(of: store.interior, lockPage)
    store.file.set(1, 28, bytes: 4, lockPage + 1)
    try store.folder.write(store.file.bytes, to: "store.db")
    // A file with a hole takes no room.
    try PositionalFile(store.path, mode: .updating).truncate(to: Int64(lockPage + 1) * 512)
    let table = SweptTable(path: store.path, root: UInt32(store.t), columnCount: 3)
    #expect(
      throws: PageDamage(
        page: UInt32(store.interior), "leads to page \(lockPage), which cannot be part of a tree")
    ) { try table.rows() }
    // Pages of a hole are no pages of a table.
    store.setChild(of: store.interior, lockPage - 1)
    try PositionalFile(store.path, mode: .updating)
      .write(bytes: store.file.bytes, at: 0)
    #expect(throws: PageDamage(page: UInt32(lockPage - 1), "is not part of a table")) {
      try table.rows()
    }
  }

  @Test func `pages of another kind`() throws {
    var store = try Store()
    #expect(
      try store.failure(Int(store.connection.rootPage(of: "pairs")))
        == "belongs to an index, not to a table with rowids")
    for kind: UInt8 in [0, 1, 4, 12, 255] {
      store = try Store()
      store.file[store.leaf, 0] = kind
      #expect(try store.failure(store.t) == "is not part of a table")
    }
    store = try Store()
    // The second leaf is an interior page, and the second page above the leaves is a leaf.
    store.file.set(store.interior, store.file.cells(store.interior)[1], bytes: 4, store.other)
    #expect(try store.failure(store.t) == "is an interior page at the depth of the leaves")
    store = try Store()
    let leaf = store.file.number(store.child(store.other), 8, bytes: 4)
    store.file.set(store.t, store.file.cells(store.t)[1], bytes: 4, leaf)
    #expect(try store.failure(store.t) == "is a leaf above the depth of the other leaves")
  }

  @Test func `more levels than SQLite makes`() throws {
    var store = try Store()
    // Every page of the other table leads to the next one.
    let pages = (2...store.file.pageCount).filter {
      ![store.t, store.interior].contains($0) && store.file[$0, 0] == 13
    }
    for (index, page) in pages.prefix(40).enumerated() {
      store.file.set(page, 0, bytes: 12, 0)
      store.file[page, 0] = 5
      store.file.set(page, 3, bytes: 2, 1)
      store.file.set(page, 5, bytes: 2, 500)
      store.file.set(page, 8, bytes: 4, pages[100])
      store.file.set(page, 12, bytes: 2, 500)
      store.file.set(page, 500, bytes: 4, pages[index + 1])
      // The keys of a cell on the left are not larger than those of the cell above.
      store.file[page, 504] = 1
    }
    #expect(try store.failure(pages[0]) == "is deeper in the table's tree than SQLite allows")
  }

  @Test func `cells out of their room`() throws {
    for offset in [0, 7, 8, 9, 511, 512, 0xFFFF] {
      for page in [\Store.leaf, \Store.interior] {
        var store = try Store()
        let number = store[keyPath: page]
        let start = store.file[number, 0] == 5 ? 12 : 8
        store.file.set(number, start, bytes: 2, offset)
        #expect(try store.failure(store.t) != nil)
      }
    }
    var store = try Store()
    store.file.set(store.leaf, 3, bytes: 2, 300)
    #expect(try store.failure(store.t) == "claims more cells than it can hold")
    store = try Store()
    store.file.set(store.leaf, 3, bytes: 2, 0)
    #expect(try store.failure(store.t) == "has no rows")
    store = try Store()
    store.file.set(store.interior, 3, bytes: 2, 0)
    #expect(try store.failure(store.t) == "has no cells")
    for start in [0, 1, 600, 0xFFFF] {
      store = try Store()
      store.file.set(store.leaf, 5, bytes: 2, start)
      #expect(try store.failure(store.t) == "claims more cells than it can hold")
    }
  }

  @Test func `keys out of order`() throws {
    var store = try Store()
    let cells = store.file.cells(store.leaf)
    store.file.set(store.leaf, 8, bytes: 2, cells[1])
    #expect(try store.failure(store.t) == "has keys out of order")
    store = try Store()
    let cell = store.file.cells(store.interior)[0]
    store.file[store.interior, cell + 4] = 0
    #expect(try store.failure(store.t) == "has keys out of order")
    store = try Store()
    let inner = store.file.cells(store.interior)
    store.file.set(store.interior, 12, bytes: 2, inner[1])
    #expect(try store.failure(store.t) == "has keys out of order")
  }

  @Test(
    arguments: [
      ([0x88, 0x80, 0x80, 0x80, 0x00, 0x01], "has a row of 2147483648 bytes"),
      (
        [0x87, 0xFF, 0xFF, 0xFF, 0x70, 0x01],
        "has a row of 2147483632 bytes, which is larger than the file"
      ),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], nil),
      ([0x83, 0x80, 0x00, 0x01], nil),
    ] as [([UInt8], String?)])
  func `a row that tells an impossible size`(bytes: [UInt8], problem: String?) throws {
    var store = try Store()
    // The last cell has the most room behind it.
    let cell = try #require(store.file.cells(store.leaf).last)
    store.file.set(store.leaf, 8, bytes: 2, cell)
    for (index, byte) in bytes.enumerated() { store.file[store.leaf, cell + index] = byte }
    let failure = try #require(try store.failure(store.t))
    if let problem { #expect(failure.hasPrefix(problem)) }
  }

  @Test func `chains that are too short, too long, or lead in a circle`() throws {
    func failure(_ change: (inout Store, _ head: Int) -> Void) throws -> String? {
      var store = try Store()
      let (leaf, offset) = store.chain
      change(&store, store.file.number(leaf, offset, bytes: 4))
      return try store.failure(store.long)
    }
    #expect(try failure { _, _ in } == nil)
    for target in [0, 1, 99_999] {
      #expect(
        try failure { store, head in store.file.set(head, 0, bytes: 4, target) }?
          .hasPrefix("leads to page \(target) of") == true)
      #expect(
        try failure { store, _ in
          store.file.set(store.chain.leaf, store.chain.offset, bytes: 4, target)
        }?.hasPrefix("leads to page \(target) of") == true)
    }
    let circle = "is used twice: by the overflow chain of a row on page"
    #expect(
      try failure { store, head in store.file.set(head, 0, bytes: 4, head) }?.hasPrefix(circle)
        == true)
    #expect(
      try failure { store, head in store.file.set(head, 0, bytes: 4, store.chain.leaf) }?
        .hasPrefix(circle) == true)
    #expect(
      try failure { store, head in
        let second = store.file.number(head, 0, bytes: 4)
        store.file.set(store.file.number(second, 0, bytes: 4), 0, bytes: 4, second)
      }?.hasPrefix(circle) == true)
    #expect(
      try failure { store, head in
        // The last page of the chain leads to the root of another table.
        var page = head
        while store.file.number(page, 0, bytes: 4) != 0 {
          page = store.file.number(page, 0, bytes: 4)
        }
        store.file.set(page, 0, bytes: 4, store.t)
      } == "has a row with an overflow chain that does not end")
  }

  @Test func `records with headers that lie`() throws {
    // The first row: its size, its key, then the record: its header's bytes and three types.
    func failure(_ place: Int, _ value: UInt8) throws -> String? {
      var store = try Store()
      let cell = store.file.cells(store.leaf)[0] + 2
      #expect(store.file[store.leaf, cell] == 4)
      store.file[store.leaf, cell + place] = value
      return try store.failure(store.t)
    }
    #expect(try failure(0, 4) == nil)
    for length: UInt8 in [0, 100, 127, 128, 255] {
      #expect(try failure(0, length) == "has a record with an invalid header")
    }
    for type: UInt8 in [10, 11] {
      #expect(try failure(1, type) == "has a record with an unknown type")
    }
    for type: UInt8 in [1, 3, 14, 0x7F] {
      #expect(try failure(3, type) == "has a record whose values do not fit into it")
    }
    #expect(try failure(3, 0xFF) == "has a record with an invalid header")
  }

  @Test(arguments: [0, 1, 5, 0x100_0001])
  func `an encoding that SQLite takes for UTF-8 is read by pages`(encoding: Int) throws {
    var store = try Store()
    store.file.set(1, 56, bytes: 4, encoding)
    try store.folder.write(store.file.bytes, to: "store.db")
    #expect(throws: Never.self) { _ = try PageReader(path: store.path) }
  }

  @Test(arguments: [
    (0, 1, 0, "the first page has no SQLite header"),
    (16, 2, 513, "the first page has an impossible page size"),
    (16, 2, 256, "the first page has an impossible page size"),
    (20, 1, 8, "the first page has reserved bytes"),
    (18, 1, 3, "the first page has a later version of the format"),
    (44, 4, 5, "the schema is in the unknown format 5"),
    (56, 4, 2, "texts are in UTF-16 (encoding 2)"),
    (28, 4, 5_000, "the header claims 5000 pages, but the file has"),
  ])
  func `a header that is not read by pages`(
    offset: Int, count: Int, value: Int, sentence: String
  ) throws {
    var store = try Store()
    store.file.set(1, offset, bytes: count, value)
    try store.folder.write(store.file.bytes, to: "store.db")
    let error = try #require(throws: Unsoundness.self) { _ = try PageReader(path: store.path) }
    #expect("\(error)".hasPrefix(sentence))
  }

  @Test func `files that are no databases`() throws {
    let folder = try TemporaryDirectory()
    for bytes in [[], [0], Array("SQLite format 3\0".utf8), [UInt8](repeating: 0, count: 5_000)] {
      let path = try folder.write(bytes, to: "none.db")
      #expect(throws: Unsoundness.header("has no SQLite header")) {
        _ = try PageReader(path: path)
      }
    }
    #expect(throws: FileSystem.Failure.self) {
      _ = try PageReader(path: folder.path("missing.db"))
    }
  }

  @Test func `a size that an old library has not kept is that of the file`() throws {
    var store = try Store()
    store.file.set(1, 92, bytes: 4, 0)
    #expect(try store.failure(store.t) == nil)
    store.file.bytes.removeLast(100)
    try store.folder.write(store.file.bytes, to: "store.db")
    #expect(throws: Unsoundness.partialPage) { _ = try PageReader(path: store.path) }
  }

  @Test func `more pages than a bit can be kept for`() throws {
    var store = try Store()
    let count = Int64(PageReader.largestPageCount) + 1
    store.file.set(1, 28, bytes: 4, Int(count))
    try store.folder.write(store.file.bytes, to: "store.db")
    try PositionalFile(store.path, mode: .updating).truncate(to: count * 512)
    #expect(throws: Unsoundness.tooManyPages(count)) { _ = try PageReader(path: store.path) }
  }
}

extension PositionalFile {
  func write(bytes: [UInt8], at offset: Int64) throws {
    try bytes.withUnsafeBytes { try write($0, at: offset) }
  }
}
