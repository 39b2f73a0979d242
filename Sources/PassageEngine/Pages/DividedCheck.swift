internal import Dispatch
internal import PassagePages
internal import PassagePlatform
internal import PassageSQLite
internal import PassageValues
internal import Synchronization

/// SQLite's quick check of a large store by several threads.
///
/// Each thread has SQLite check tables in a view of the file that shows a part of a tree as if it were the
/// whole (`DividedTree`, `FileView`). What SQLite looks for only in the whole
/// (https://www.sqlite.org/pragma.html, on checks of a single table) is looked for here: that each page is
/// used once, and that the roots are noted. Any doubt is left to SQLite's check of the whole, so this may
/// say yes, and never no.
package struct DividedCheck {
  /// Checking fewer pages takes less time than to begin threads.
  package static let leastPages: UInt32 = 4_096
  /// The pages that are shown in the place of others take no more memory.
  private static let mostBytes = 8 << 20
  /// Each thread has a connection with a cache of its own.
  private static let mostThreads = 8
  /// So many parts of a table for each thread: who is done first takes what others have not begun.
  private static let partsPerThread = 8

  /// A part of a table, or what is between its parts.
  private struct Piece: Sendable {
    let table: String
    /// The root pages of the table and of its indexes.
    var roots: [UInt32] = []
    /// The pages that take the place of root pages.
    var replaced: [UInt32: [UInt8]] = [:]
  }

  private let pieces: [Piece]
  /// The root pages of all tables and indexes.
  private let roots: [UInt32]

  /// Checks a store.
  ///
  /// - Parameters:
  ///   - path: of a store that nobody writes to.
  ///   - threadCount: the threads that may check it; more than eight count as eight.
  ///   - fewestPages: a smaller store is not divided.
  /// - Returns: whether SQLite accepts every part, and each page is used once; `nil` when the store is
  ///   small, there is one thread, or only SQLite's check of the whole finds out whether it is sound.
  /// - Throws: `SQLiteError` when the run should stop, or a connection cannot be opened.
  package static func verdict(
    path: String, threadCount: Int, fewestPages: UInt32 = Self.leastPages, control: RunControl
  ) throws -> Bool? {
    let threadCount = min(threadCount, Self.mostThreads)
    guard threadCount > 1 else { return nil }
    // The file is closed after all connections to it, because that gives up their locks
    // (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    guard let reader = try? PageReader(path: path), reader.pageCount >= fewestPages else {
      return nil
    }
    defer { withExtendedLifetime(reader) {} }
    // The others open their connections while the trees are divided.
    let work = Work()
    let others = (1..<threadCount).map { _ in
      SideTask { try Checker(path, reader, control).accepts(work) }
    }
    defer {
      work.begin(nil, reader, threadCount: threadCount)
      withExtendedLifetime(others) {}
    }
    let checker = try Checker(path, reader, control)
    guard let check = try? DividedCheck(reader, checker.connection, threadCount: threadCount)
    else { return nil }
    work.begin(check, reader, threadCount: threadCount)
    var isSound = try checker.accepts(work)
    for other in others { isSound = try other.value() && isSound }
    return isSound && work.isComplete
  }

  // MARK: The pieces

  /// Divides the trees of a store.
  ///
  /// - Returns: `nil` when only SQLite's check of the whole finds out whether the store is sound.
  private init?(_ reader: PageReader, _ connection: Connection, threadCount: Int) throws {
    // Views and triggers have no pages. A virtual table is asked itself by the check of the whole.
    let schema = try connection.rows(
      "SELECT tbl_name, rootpage FROM sqlite_master WHERE type IN ('table', 'index') ORDER BY 1, 2")
    roots = schema.compactMap { $0[1].integer.flatMap { UInt32(exactly: $0) } }.filter { $0 > 1 }
    let partCount = min(
      threadCount * Self.partsPerThread,
      Self.mostBytes / max(1, roots.count * reader.geometry.pageBytes))
    guard partCount > 1, roots.count == schema.count, Set(roots).count == roots.count,
      try connection.integer("PRAGMA freelist_count") == 0,
      try connection.integer("PRAGMA page_count") == Int64(reader.pageCount),
      try reader.notesRoots(roots)
    else { return nil }
    var tables: [(name: String, trees: [DividedTree])] = []
    for (row, root) in zip(schema, roots) {
      guard let name = row[0].string,
        let tree = try DividedTree(reader, root: root, partCount: partCount)
      else { return nil }
      if tables.last.map({ $0.name.hasBytes(of: name) }) == true {
        tables[tables.count - 1].trees.append(tree)
      } else {
        tables.append((name, [tree]))
      }
    }
    pieces = Self.pieces(of: tables)
  }

  /// The parts of the tables, and what is between them. The schema's own table is not divided.
  private static func pieces(of tables: [(name: String, trees: [DividedTree])]) -> [Piece] {
    var parts: [Piece] = []
    var others = [Piece(table: "sqlite_master")]
    for (name, trees) in tables {
      let whole = Piece(table: name, roots: trees.map(\.root))
      guard trees.contains(where: \.isDivided) else {
        others.append(whole)
        continue
      }
      for number in 0..<(trees.map(\.partCount).max() ?? 0) {
        var part = whole
        for tree in trees { part.replaced[tree.root] = tree.parts[number] }
        parts.append(part)
      }
      guard trees.contains(where: { $0.dividers != nil }) else { continue }
      var between = whole
      for tree in trees { between.replaced[tree.root] = tree.dividers ?? tree.empty }
      others.append(between)
    }
    // What takes longest comes first.
    return parts + others
  }

  // MARK: The threads

  /// The pieces that no thread has begun, and what those had that are checked.
  private final class Work: Sendable {
    private struct State {
      var pieces: ArraySlice<Piece> = []
      var use: PageUse?
    }

    private let state = Mutex(State())
    private let isBegun = DispatchSemaphore(value: 0)

    /// Lets the threads begin. Only the first call has an effect.
    ///
    /// - Parameter check: what they check; `nil` for nothing.
    func begin(_ check: DividedCheck?, _ reader: PageReader, threadCount: Int) {
      if let check {
        let use = PageUse(
          geometry: reader.geometry, pageCount: reader.pageCount, roots: check.roots)
        state.withLock { $0 = State(pieces: check.pieces[...], use: use) }
      }
      for _ in 0..<threadCount { isBegun.signal() }
    }

    func wait() { isBegun.wait() }

    func next() -> Piece? { state.withLock { $0.pieces.popFirst() } }

    /// Leaves the pieces that no thread has begun.
    func stop() { state.withLock { $0.pieces = [] } }

    /// Adds the pages of a piece.
    ///
    /// - Returns: whether nothing else uses them.
    func add(_ read: PageBits, ofRoots roots: [UInt32]) -> Bool {
      state.withLock { $0.use }?.add(read, ofRoots: roots) ?? false
    }

    /// Whether every page of the store is used.
    var isComplete: Bool { state.withLock { $0.use }?.isComplete ?? false }
  }

  /// What a thread checks with.
  private struct Checker {
    let connection: Connection
    private let shown: FileView

    init(_ path: String, _ reader: PageReader, _ control: RunControl) throws {
      shown = FileView(pageBytes: reader.geometry.pageBytes, pageCount: reader.pageCount)
      connection = try Connection(path: path, mode: .readOnly, view: shown)
      control.stopStatements(of: connection)
    }

    /// Whether SQLite accepts the pieces that this thread takes, and nothing else uses their pages.
    func accepts(_ work: Work) throws -> Bool {
      do throws(SQLiteError) {
        try PageCheck.readOnce(connection)
        // SQLite reads the schema before it reads a table.
        _ = try connection.value("SELECT 1 FROM sqlite_master")
        work.wait()
        while let piece = work.next() {
          // What is kept of a page is not read again, and would not be noted.
          connection.releaseMemory()
          shown.begin(replacing: piece.replaced)
          let found = try connection.value("PRAGMA quick_check(\(piece.table.quotedIdentifier))")
          guard found?.string == "ok", work.add(shown.read, ofRoots: piece.roots) else {
            work.stop()
            return false
          }
        }
        return true
      } catch {
        work.stop()
        guard error.isDamage else { throw error }
        return false
      }
    }
  }
}
