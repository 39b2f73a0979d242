internal import PassageSQLite
internal import PassageStores

/// How the source of a step is opened, and what its header and metadata say.
struct SourceAccess: Sendable {
  let path: String
  let mode: Connection.Mode
  /// The new store has the same text encoding, because SQLite attaches only databases of one
  /// encoding.
  let textEncoding: UInt32
  let metadata: StoreMetadata
  /// The new store gets them too.
  let marks: ApplicationMarks
  /// The folder of the files in which the migration's source stores external values.
  let externalFolder: ExternalFolder

  init(
    _ store: OpenStore, path: String, externalFolder: ExternalFolder
  ) throws(SQLiteError) {
    self.path = path
    self.externalFolder = externalFolder
    mode = store.mode
    textEncoding = store.header.textEncoding
    metadata = store.metadata
    marks = try store.applicationMarks()
  }

  /// What follows an expression in SQL by which texts are ordered, with a leading space. In every store
  /// they are ordered as in memory, by their bytes in UTF-8; SQLite's own order is that where it has them
  /// in UTF-8, and then nothing follows. On connections of a ``PassStore``.
  var textOrder: String { textEncoding > 1 ? " COLLATE \(Connection.utf8Order)" : "" }

  /// Opens a separate connection to the source, inside one read transaction.
  func open() throws -> Connection {
    let limits: ConnectionLimits =
      MemoryDatabase.isPath(path) ? .own : .foreign(unit: StoreUnit(path: path))
    let connection = try Connection(path: path, mode: mode, limits: limits)
    try connection.execute("BEGIN")
    // The transaction takes its snapshot at its first read.
    _ = try connection.integer("SELECT count(*) FROM sqlite_master")
    return connection
  }
}
