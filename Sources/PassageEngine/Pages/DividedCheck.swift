internal import PassagePages
internal import PassageSQLite
internal import PassageValues

/// SQLite's quick check of a large store by several threads.
///
/// Each thread has SQLite check the store's tables in a view of the file that shows a part of every tree
/// as if it were the whole (`DividedTree`, `FileView`). What SQLite looks for only in the whole
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

  private let path: String
  private let reader: PageReader
  private let views: [View]
  private let roots: [UInt32]

  /// What one thread has SQLite check.
  private struct View {
    /// The tables, and the root pages of each and of its indexes.
    var tables: [(name: String, roots: [UInt32])] = []
    /// The pages that take the place of root pages.
    var replaced: [UInt32: [UInt8]] = [:]
  }

  /// Divides the trees of a store.
  ///
  /// - Parameters:
  ///   - path: of a store that nobody writes to.
  ///   - threadCount: the threads that may check it; more than eight count as eight.
  ///   - fewestPages: a smaller store is not divided.
  /// - Returns: `nil` when the store is small, there is one thread, or only SQLite's check of the whole
  ///   finds out whether the store is sound.
  /// - Throws: an error of the file.
  package init?(
    path: String, threadCount: Int, fewestPages: UInt32 = Self.leastPages
  ) throws {
    let partCount = min(threadCount, Self.mostThreads)
    guard partCount > 1 else { return nil }
    // The file is closed after all connections to it, because that gives up their locks
    // (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    let reader = try PageReader(path: path)
    guard reader.pageCount >= fewestPages else { return nil }
    let connection = try Connection(path: path, mode: .readOnly)
    defer { withExtendedLifetime(reader) {} }
    // Views and triggers have no pages. A virtual table is asked itself by the check of the whole.
    let schema = try connection.rows(
      "SELECT tbl_name, rootpage FROM sqlite_master WHERE type IN ('table', 'index') ORDER BY 1, 2")
    let roots = schema.compactMap { $0[1].integer.flatMap { UInt32(exactly: $0) } }
      .filter { $0 > 1 }
    guard roots.count == schema.count, Set(roots).count == roots.count,
      roots.count * partCount * reader.geometry.pageBytes <= Self.mostBytes,
      try connection.integer("PRAGMA freelist_count") == 0,
      try connection.integer("PRAGMA page_count") == Int64(reader.pageCount),
      try reader.notesRoots(roots)
    else { return nil }
    var tables: [(name: String, trees: [DividedTree])] = []
    for (row, root) in zip(schema, roots) {
      guard let name = row[0].string,
        let tree = try DividedTree(reader, root: root, partCount: partCount)
      else { return nil }
      if tables.last?.name == name {
        tables[tables.count - 1].trees.append(tree)
      } else {
        tables.append((name, [tree]))
      }
    }
    self.path = path
    self.reader = reader
    self.roots = roots
    views = Self.views(of: tables, partCount: partCount)
  }

  /// The parts of the tables, and what is between them. The schema's own table is not divided.
  private static func views(
    of tables: [(name: String, trees: [DividedTree])], partCount: Int
  ) -> [View] {
    var views = Array(repeating: View(), count: partCount)
    var between = View()
    views[0].tables.append(("sqlite_master", []))
    for (name, trees) in tables {
      let table = (name, trees.map(\.root))
      for part in 0..<partCount where part == 0 || trees.contains(where: { $0.isDivided }) {
        views[part].tables.append(table)
        for tree in trees { views[part].replaced[tree.root] = tree.parts[part] }
      }
      guard trees.contains(where: { $0.dividers != nil }) else { continue }
      between.tables.append(table)
      for tree in trees { between.replaced[tree.root] = tree.dividers ?? tree.empty }
    }
    return views + [between]
  }

  /// Whether SQLite accepts every part, and each page is used once.
  ///
  /// - Throws: `SQLiteError` when the run should stop, or a connection cannot be opened.
  package func isSound(control: RunControl) throws -> Bool {
    let use = PageUse(geometry: reader.geometry, pageCount: reader.pageCount, roots: roots)
    let others = views.dropFirst().map { view in
      SideTask { try accepts(view, use, control) }
    }
    var isSound = try accepts(views[0], use, control)
    for other in others { isSound = try other.value() && isSound }
    return isSound && use.isComplete
  }

  /// Whether SQLite accepts the tables of a view, and nothing else uses their pages.
  private func accepts(_ view: View, _ use: PageUse, _ control: RunControl) throws -> Bool {
    let shown = FileView(
      pageBytes: reader.geometry.pageBytes, pageCount: reader.pageCount, replaced: view.replaced)
    let connection = try Connection(path: path, mode: .readOnly, view: shown)
    control.stopStatements(of: connection)
    do throws(SQLiteError) {
      // SQLite reads the schema before it reads a table.
      _ = try connection.value("SELECT 1 FROM sqlite_master")
      for (name, roots) in view.tables {
        // What is kept of a page is not read again, and would not be noted.
        connection.releaseMemory()
        shown.forgetRead()
        let found = try connection.value("PRAGMA quick_check(\(name.quotedIdentifier))")?.string
        guard found == "ok", use.add(shown.read, ofRoots: roots) else { return false }
      }
      return true
    } catch {
      guard error.isDamage else { throw error }
      return false
    }
  }
}
