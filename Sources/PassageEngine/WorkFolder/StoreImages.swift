internal import PassageSQLite
internal import PassageStores
internal import Synchronization
internal import PassagePlatform

/// The bytes of databases that have all their tables and no rows, made once by SQLite and used for
/// every pass store and journal in memory.
final class StoreImages: Sendable {
  private let images = Mutex<[String: [UInt8]]>([:])

  /// The empty store with which a pass begins.
  func passStore(layout: StoreLayout, textEncoding: UInt32) throws -> [UInt8] {
    let tables = layout.tableStatements.joined(separator: ";")
    return try image("\(textEncoding) \(tables)") { path in
      let connection = try Connection(path: path, mode: .create)
      try StoreBuilder(connection: connection, layout: layout, textEncoding: textEncoding)
        .createTables()
    }
  }

  /// The empty journal of a step, whose databases all have the encoding of the source.
  func journal(textEncoding: UInt32) throws -> [UInt8] {
    try image("journal-\(textEncoding)") { path in
      let encoding = StoreBuilder.encodingName(textEncoding)
      let connection = try Connection(path: "", mode: .create)
      try connection.execute("PRAGMA encoding = '\(encoding)'")
      _ = try Journal(path: path, pass: Journal.wholeStep, attachedTo: connection)
    }
  }

  private func image(_ key: String, _ build: (String) throws -> Void) throws -> [UInt8] {
    if let known = images.withLock({ $0[key] }) { return known }
    let path = MemoryDatabase.path(ofName: UUID().uuidString)
    let database = try MemoryDatabase(path: path, maximumBytes: 64 << 20)
    try build(path)
    let image = try database.withImage(isWAL: false) { Array($0) }
    images.withLock { $0[key] = image }
    return image
  }
}
