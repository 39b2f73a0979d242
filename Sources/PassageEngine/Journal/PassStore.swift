internal import PassageSQLite
internal import PassageStores

/// The new store that one pass writes, with the step's ``Journal`` attached. It contains what the
/// finished store will contain, and nothing else.
final class PassStore {
  let path: String
  let connection: Connection
  let builder: StoreBuilder
  let journal: Journal

  /// Opens the pass store, and creates its tables if they do not exist.
  ///
  /// - Parameters:
  ///   - path: an existing file, which may be empty.
  ///   - journalPath: the step's journal, also an existing file.
  ///   - pass: the pass whose entries are written; ``Journal/wholeStep`` for those of the assembled
  ///     step.
  ///   - adopted: the pass whose store it is, if that is not `pass`.
  ///   - textEncoding: the encoding of a new store, as the number in a database header.
  init(
    path: String, journalPath: String, pass: Int, adopted: Int? = nil, layout: StoreLayout,
    textEncoding: UInt32
  ) throws {
    self.path = path
    connection = try Connection(path: path, mode: .create, isSynced: false)
    if textEncoding > 1 { try connection.registerUTF8Order() }
    let isInMemory = MemoryDatabase.isPath(path)
    // Without the schema name, the mode would also apply to the attached source, which is
    // read-only.
    if !isInMemory { try connection.execute("PRAGMA main.locking_mode = EXCLUSIVE") }
    builder = try StoreBuilder(
      connection: connection, layout: layout, textEncoding: textEncoding)
    if !isInMemory { try connection.execute("PRAGMA main.journal_mode = TRUNCATE") }
    try builder.createTables()
    journal = try Journal(path: journalPath, pass: pass, attachedTo: connection)
    if pass != Journal.wholeStep, try !journal.isBegun { try journal.setBegun() }
    if !isInMemory { StoreMoment.stampCommits(of: connection, pass: adopted ?? pass) }
  }

  /// The store while its pages are written without SQLite: the connection has the journal, and an
  /// empty private database in the place of the store.
  ///
  /// - Parameters:
  ///   - path: of a pass store that has its tables.
  ///   - journalPath: of the step's journal.
  init(
    writtenByPages path: String, journalPath: String, pass: Int, layout: StoreLayout
  ) throws {
    self.path = path
    connection = try Connection(path: "", mode: .create, isSynced: false)
    builder = try StoreBuilder(connection: connection, layout: layout, textEncoding: 1)
    journal = try Journal(path: journalPath, pass: pass, attachedTo: connection)
  }

  /// The store of a whole step that is made in memory in one go, without a journal.
  ///
  /// - Parameter database: has the tables, and no connection but its own.
  init(inOneGo database: MemoryDatabase, layout: StoreLayout) {
    path = database.path
    connection = database.keeper
    builder = StoreBuilder(existing: connection, layout: layout)
    journal = Journal(recordingNothingOf: connection)
  }

  /// Lets the store's pages be changed without SQLite, between two transactions. The next one sees
  /// the change, because the header counts it.
  func releaseLocks() throws {
    try connection.execute("PRAGMA main.locking_mode = NORMAL")
    // The lock goes with the next access.
    _ = try connection.value("SELECT 1 FROM main.sqlite_master LIMIT 1")
  }

  /// Keeps the store's lock again between transactions, which spares asking for it each time.
  func takeLocks() throws { try connection.execute("PRAGMA main.locking_mode = EXCLUSIVE") }

  /// The current size of the store, in bytes.
  var byteCount: Int64 {
    get throws { try connection.integer("PRAGMA main.page_count") * 4096 }
  }
}
