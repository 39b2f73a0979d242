internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Appends the tables of a pass store to the adopted one by taking their leaves over as whole pages,
/// without SQL.
///
/// The leaves are appended to the adopted store's file, where SQLite does not see them yet. Then the
/// few pages that lead to them are written: that is one short moment, which the journal records,
/// because a run that is interrupted in it cannot be continued. One that is interrupted before it
/// begins the table again.
struct LeafAssembly {
  private enum State {
    /// That the pages that lead to the leaves of a table are being written.
    static let moment = "assembly:moment"
  }

  /// The schema name of the pass store that is appended.
  private static let other = "other"

  private let store: PassStore
  private let adopted: Int
  private let control: RunControl
  /// A smaller table is appended by SQLite in less time than its pages are opened.
  private let fewestRows: Int

  /// - Parameters:
  ///   - store: the adopted store, with the pass store that is appended attached as `other`.
  ///   - adopted: the pass whose store it is.
  /// - Returns: `nil` when SQL appends every table.
  init?(to store: PassStore, adopted: Int, step: StepRun, control: RunControl) throws {
    // A database in memory has no file to write pages to.
    guard step.pages != nil, !MemoryDatabase.isPath(store.path),
      try !PageIndexes.isAbandoned(store.journal)
    else { return nil }
    self.store = store
    self.adopted = adopted
    self.control = control
    fewestRows = step.plan.lanes.isForcedToPages ? 0 : 500
  }

  /// Whether a run was interrupted in the moment.
  static func isTorn(_ journal: Journal) throws -> Bool { try journal.state(State.moment) != nil }

  /// Appends a table.
  ///
  /// - Parameters:
  ///   - path: of the pass store.
  ///   - part: what the journal records once the table is appended.
  /// - Returns: whether it did; otherwise nothing was changed, and SQL does it.
  /// - Throws: ``PagesUnsuitable`` when the pages are not what was written.
  func append(_ name: String, from path: String, part: String) throws -> Bool {
    let connection = store.connection
    guard try isWorthIt(name), let table = try PageTable(name, connection),
      let added = try PageTable(name, connection, schema: Self.other), table.names == added.names,
      table.columns == added.columns,
      try connection.value(
        "SELECT 1 FROM main.sqlite_master WHERE tbl_name = ? AND type != 'table'",
        [.text(name)]) == nil
    else { return false }
    try store.releaseLocks()
    defer { try? store.takeLocks() }
    guard let digest = try write(table, added, from: path) else { return false }
    let written = try sweep(table, PageReader(path: store.path)).digest()
    guard written == digest else {
      throw PagesUnsuitable("the pages of \(name) are not as they were written")
    }
    try connection.transaction {
      try store.journal.of(pass: adopted).setDigest(digest, ofTable: name)
      try store.journal.setState(part, 1)
      try store.journal.removeState(State.moment)
    }
    return true
  }

  private func isWorthIt(_ name: String) throws -> Bool {
    try store.connection.value(
      "SELECT 1 FROM \(Self.other).\(name.quotedIdentifier) LIMIT 1 OFFSET ?",
      [.integer(Int64(fewestRows))]) != nil
  }

  private func sweep(_ table: PageTable, _ reader: PageReader) -> TableSweep {
    TableSweep(reader, root: table.root, columnCount: table.names.count)
  }

  /// - Returns: the digest that the table must have now; `nil` when SQL must append it.
  private func write(
    _ table: PageTable, _ added: PageTable, from path: String
  ) throws -> PageDigest? {
    let (reader, other): (PageReader, PageReader)
    do {
      (reader, other) = (try PageReader(path: store.path), try PageReader(path: path))
    } catch is Unsoundness {
      return nil
    }
    guard reader.geometry.pageBytes == other.geometry.pageBytes else { return nil }
    let own = sweep(table, reader)
    let before = try own.digest()
    try control.checkCancellation()
    let writer = try PageFileWriter(path: store.path, keepsPages: true)
    let merged = Result {
      try LeafMerge(
        into: own, of: reader, from: sweep(added, other), file: writer,
        checking: { try control.checkCancellation() }
      ).run()
    }
    guard let digest = try? merged.get() else {
      try writer.discard()
      _ = try merged.get()
      return nil
    }
    try store.journal.setWrittenByPages()
    try store.journal.setState(State.moment, 1)
    try writer.finish()
    return before.adding(digest)
  }
}
