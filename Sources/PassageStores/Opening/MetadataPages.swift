internal import PassageFiles
internal import PassagePages
internal import PassageSQLite
internal import PassageValues

/// Reads the metadata of a store that nobody has open from its pages, and nothing else of it.
///
/// To read one row, SQLite parses the whole schema, which takes most of the time of a look at a store
/// that is done.
enum MetadataPages {
  /// A larger database is left to SQLite: a value may be as long as the file, and is read as a whole.
  private static let mostBytes = Int64(StoreMetadata.maximumBytes)
  /// The schema of the largest store seen has a few hundred entries.
  private static let mostEntries = 10_000

  /// - Parameters:
  ///   - look: says that the store is alone; the caller looks again afterwards.
  ///   - file: the main file.
  /// - Returns: `nil` where the pages are not of the usual kind, or the table is not declared as Core Data
  ///   declares it. Whoever opens the store says what is wrong.
  /// - Throws: the errors of ``PageReader`` and ``TableSweep``, and `unreadableMetadata`.
  static func metadata(
    of unit: StoreUnit, _ look: StoreLook, _ file: PositionalFile
  ) throws -> StoreMetadata? {
    guard look.status.bytes <= mostBytes else { return nil }
    let reader = try PageReader(
      SeenFile(file: file, start: look.start, byteCount: look.status.bytes))
    guard let root = try root(reader) else { return nil }
    return try metadata(of: unit, reader, root: root)
  }

  /// A file without a log of which the header and the size were seen.
  private struct SeenFile: PageStorage {
    let file: PositionalFile
    let start: [UInt8]
    let byteCount: Int64

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
      guard offset == 0, buffer.count <= start.count else {
        return try file.read(into: buffer, at: offset)
      }
      buffer.copyBytes(from: start.prefix(buffer.count))
      return buffer.count
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
      try file.write(bytes, at: offset)
    }
    func reserve(_ byteCount: Int64, at offset: Int64) {}
    func truncate(to byteCount: Int64) throws { try file.truncate(to: byteCount) }
  }

  /// The largest store at rest that is read in one call: it has little more than what is asked of it.
  private static let mostBytesAtOnce = Int64(256 << 10)

  /// The pages of a store at rest.
  ///
  /// - Parameters:
  ///   - bytes: the size of its file when it was looked at.
  ///   - file: no longer needed where the store is read at once.
  /// - Throws: the errors of ``PageReader``.
  static func pages(
    ofRest unit: StoreUnit, bytes: Int64, _ file: PositionalFile
  ) throws -> PageReader {
    guard bytes <= mostBytesAtOnce else { return try PageReader(file, logPath: unit.walPath) }
    return try PageReader(PageBytes(file.prefix(Int(bytes))))
  }

  private static func metadata(
    of unit: StoreUnit, _ reader: PageReader, root: UInt32
  ) throws -> StoreMetadata? {
    let sweep = TableSweep(reader, root: root, columnCount: 3, readsAhead: false)
    // Core Data's own row is number 1. A store with others, before it or after it, is left to SQLite.
    guard try sweep.next(), sweep.key == 1, case .text(let uuid) = try sweep.cell(1),
      case .blob(let list) = try sweep.cell(2),
      let uuid = String(validating: uuid, as: UTF8.self)
    else { return nil }
    let metadata = try StoreMetadata(
      storeUUID: uuid, propertyList: Array(list), path: unit.path)
    return try sweep.next() ? nil : metadata
  }

  /// A small store at rest, without SQLite.
  ///
  /// - Parameters:
  ///   - pages: of the store.
  ///   - known: its metadata, if it was read already.
  /// - Returns: `nil` where ``metadata(of:bytes:)`` is, and where no store had the same schema.
  static func store(
    of unit: StoreUnit, _ header: DatabaseHeader, _ pages: PageReader,
    metadata known: StoreMetadata? = nil, limits: ConnectionLimits
  ) throws -> OpenStore? {
    let table = BookkeepingTable.metadata
    guard let rows = try schema(pages), let facts = SchemaFacts.known(rows),
      let row = rows.first(where: { $0[1].string == table.rawValue }),
      row[0].string == "table", row[4].string == table.createStatement,
      let root = row[3].integer.flatMap({ UInt32(exactly: $0) }),
      let metadata = try known ?? metadata(of: unit, pages, root: root)
    else { return nil }
    return try OpenStore(atRest: unit, header, facts, metadata, pages, limits: limits)
  }

  /// The rows of `sqlite_master`; `nil` when there are too many of them.
  private static func schema(_ reader: PageReader) throws -> [[Value]]? {
    let schema = TableSweep(reader, root: 1, columnCount: 5, readsAhead: false)
    var rows: [[Value]] = []
    while try schema.next() {
      guard rows.count < mostEntries else { return nil }
      rows.append(try (0..<5).map { Value(try schema.cell($0)) })
    }
    return rows
  }

  /// The root page of `Z_METADATA`
  /// (https://www.sqlite.org/fileformat2.html#storage_of_the_sql_database_schema).
  private static func root(_ reader: PageReader) throws -> UInt32? {
    let table = BookkeepingTable.metadata
    let schema = TableSweep(reader, root: 1, columnCount: 5, readsAhead: false)
    for _ in 0..<mostEntries {
      guard try schema.next() else { return nil }
      guard case .text(let name) = try schema.cell(1), name.elementsEqual(table.rawValue.utf8)
      else { continue }
      guard case .text(let type) = try schema.cell(0), type.elementsEqual("table".utf8),
        case .integer(let root) = try schema.cell(3),
        case .text(let sql) = try schema.cell(4), sql.elementsEqual(table.createStatement.utf8)
      else { return nil }
      return UInt32(exactly: root)
    }
    return nil
  }
}
