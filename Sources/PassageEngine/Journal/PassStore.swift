internal import PassageSQLite
internal import PassageStores

/// The fresh store one pass writes, with the step's ``Journal`` at hand. It holds what the finished store
/// holds, and nothing else.
final class PassStore {
  let path: String
  let connection: Connection
  let builder: StoreBuilder
  let journal: Journal

  /// Opens the pass store, and makes its tables when it is new.
  ///
  /// - Parameters:
  ///   - path: of a file that is there, perhaps empty.
  ///   - journalPath: of the step's journal; another such file.
  ///   - pass: the pass whose entries are written; ``Journal/wholeStep`` for those of the assembled step.
  ///   - textEncoding: of a new one, as the header of a database counts it.
  init(
    path: String, journalPath: String, pass: Int, layout: StoreLayout, textEncoding: UInt32
  ) throws {
    self.path = path
    connection = try Connection(path: path, mode: .create, isSynced: false)
    // Without the schema name the mode would hold for the attached source too, which is read-only.
    try connection.execute("PRAGMA main.locking_mode = EXCLUSIVE")
    builder = try StoreBuilder(
      connection: connection, layout: layout, textEncoding: textEncoding)
    try connection.execute("PRAGMA main.journal_mode = TRUNCATE")
    try builder.createTables()
    journal = try Journal(path: journalPath, pass: pass, attachedTo: connection)
    if pass != Journal.wholeStep, try !journal.isBegun { try journal.setBegun() }
  }

  /// The bytes of the store so far.
  var byteCount: Int64 {
    get throws { try connection.integer("PRAGMA main.page_count") * 4096 }
  }
}
