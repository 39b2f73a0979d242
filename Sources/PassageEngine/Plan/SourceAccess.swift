internal import PassageSQLite
internal import PassageStores

/// How the source of a step is reached, and what it says of itself.
struct SourceAccess: Sendable {
  let path: String
  let mode: Connection.Mode
  /// SQLite joins only databases of one text encoding, so the new store keeps it.
  let textEncoding: UInt32
  let metadata: StoreMetadata
  /// Where the values are that the migration's source keeps in files of their own.
  let externalFolder: ExternalFolder

  init(_ store: OpenStore, path: String, externalFolder: ExternalFolder) {
    self.path = path
    self.externalFolder = externalFolder
    mode = store.mode
    textEncoding = store.header.textEncoding
    metadata = store.metadata
  }

  /// A connection of its own to the source, inside one read transaction.
  func open() throws -> Connection {
    let connection = try Connection(path: path, mode: mode)
    try connection.execute("BEGIN")
    // The transaction takes its snapshot with its first read.
    _ = try connection.integer("SELECT count(*) FROM sqlite_master")
    return connection
  }
}
