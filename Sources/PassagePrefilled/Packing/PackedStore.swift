internal import PassageEngine
internal import PassageFiles
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Makes the bytes of a packed store depend on nothing but its contents.
///
/// Two stores with the same schema, in the same order, and the same rows give the same bytes with
/// one version of SQLite. Everything that is not content is normalized in every packed store: free
/// pages, the order of pages and cells, the format of records, the omitted cells of appended
/// columns, the hidden row numbers of Core Data's tables without a key of their own, and in the
/// header (https://www.sqlite.org/fileformat2.html, section 1.3) the change counters and the number
/// of the library that wrote last. The following is taken from the source: the order of tables in
/// the schema, the text encoding, the bytes reserved in each page, the user version and the
/// application id.
struct PackedStore {
  private let files: FileSystem
  private let control: RunControl

  init(files: FileSystem, control: RunControl) {
    self.files = files
    self.control = control
  }

  /// Makes the packed store; it is synced later, when it is put in place.
  ///
  /// - Parameters:
  ///   - source: a store that is open, inside its read transaction.
  ///   - path: where the packed store is made; no file may exist there.
  ///   - scratch: the path of a working copy, which is removed.
  func make(
    from source: OpenStore, at path: String, scratch: String,
    journalMode: StoreBuilder.JournalMode
  ) throws {
    let work = StoreUnit(path: scratch)
    defer { for path in [work.path] + work.sidecarPaths { try? files.remove(path) } }
    try files.makeFile(scratch)
    do {
      let copy = try Connection(path: scratch, mode: .readWrite)
      try copy.execute("PRAGMA synchronous = OFF")
      try source.connection.copyPages(to: copy, isCancelled: { control.shouldStop })
    }
    try files.makeFile(path)
    do {
      let connection = try Connection(path: scratch, mode: .readWrite)
      control.stopStatements(of: connection)
      // No other program uses the copy, and it is made again after a crash.
      try connection.execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF")
      // Files of old libraries store 0 and 1 in more bytes. VACUUM changes the format of the file,
      // and the records that are rewritten below get it.
      if try isOfOldFormat(scratch) { try connection.vacuum() }
      for table in try SchemaTable.all(of: connection) {
        try control.checkCancellation()
        try table.rewriteRecords(on: connection)
        try table.renumberRows(on: connection)
      }
      // The values that Core Data uses; both take effect in the file that is written.
      try connection.execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL")
      try connection.vacuum(into: path)
    }
    try normalizeHeader(of: path, journalMode: journalMode)
  }

  /// Whether the file's record format differs from that of new files: offset 44 of the header.
  private func isOfOldFormat(_ path: String) throws -> Bool {
    try FileSystem.prefix(path, count: 48).suffix(4) != [0, 0, 0, 4]
  }

  /// The version number of an SQLite library that is written to the header: the oldest that Passage
  /// supports.
  private static let libraryNumber: UInt32 = 3_040_000

  private func normalizeHeader(of path: String, journalMode: StoreBuilder.JournalMode) throws {
    let version: UInt8 = journalMode == .wal ? 2 : 1
    // Offsets 18 and 19: format versions for writing and reading; 24: change counter; 40: schema
    // cookie; 92: the change counter for which the page count at 28 is valid; 96: the library's
    // number.
    try files.overwrite([version, version], in: path, at: 18)
    try files.overwrite(Self.big(1), in: path, at: 24)
    try files.overwrite(Self.big(1), in: path, at: 40)
    try files.overwrite(Self.big(1) + Self.big(Self.libraryNumber), in: path, at: 92)
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
