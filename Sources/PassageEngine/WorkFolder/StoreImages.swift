internal import PassageSQLite
internal import PassageStores
internal import Synchronization

/// The bytes of databases that have all their tables and no rows, made once by SQLite and used for
/// every pass store and journal in memory.
final class StoreImages: Sendable {
  /// An empty database.
  struct Image: Sendable {
    let bytes: [UInt8]
    /// Its tables of objects and Core Data's own, whose pages can be written without SQL, by name.
    let tables: [String: PageTable]
  }

  private let images = Mutex<[String: Image]>([:])
  /// The databases in which one store after the other is made.
  let databases = MemoryDatabasePool()

  /// The empty store with which a pass begins.
  ///
  /// - Parameters:
  ///   - step: the number of the pass's step.
  ///   - layout: that of every store of the step.
  func passStore(ofStep step: Int, layout: StoreLayout, textEncoding: UInt32) throws -> Image {
    try image("store-\(step)-\(textEncoding)") { database in
      let connection = database.keeper
      try StoreBuilder(connection: connection, layout: layout, textEncoding: textEncoding)
        .createTables()
      var pages: [String: PageTable] = [:]
      let names = layout.tables.map(\.name) + BookkeepingTable.allCases.map(\.rawValue)
      for name in names { pages[name] = try PageTable(name, connection) }
      return pages
    }
  }

  /// The empty journal of a step, whose databases all have the encoding of the source.
  func journal(textEncoding: UInt32) throws -> [UInt8] {
    try image("journal-\(textEncoding)") { database in
      let encoding = StoreBuilder.encodingName(textEncoding)
      let connection = try Connection(path: "", mode: .create)
      try connection.execute("PRAGMA encoding = '\(encoding)'")
      _ = try Journal(path: database.path, pass: Journal.wholeStep, attachedTo: connection)
      return [:]
    }.bytes
  }

  private func image(
    _ key: String, _ build: (MemoryDatabase) throws -> [String: PageTable]
  ) throws -> Image {
    if let known = images.withLock({ $0[key] }) { return known }
    let path = MemoryDatabase.path(ofName: MemoryDatabase.freshName())
    let database = try MemoryDatabase(path: path, maximumBytes: 64 << 20)
    let tables = try build(database)
    let image = try database.withImage(isWAL: false) { Image(bytes: Array($0), tables: tables) }
    images.withLock { $0[key] = image }
    return image
  }
}
