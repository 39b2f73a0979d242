internal import PassageFiles
internal import PassagePages
internal import PassageSQLite
internal import PassageValues

/// A table with more indexes than any program makes.
///
/// SQLite compares each index of a table with those before it, so that the time in which it reads a schema
/// grows with the square of their number: 50,000 take half a minute, and nothing interrupts it. The
/// schema is therefore looked at in its pages before SQLite opens the store.
struct CrowdedTable {
  /// The largest number of indexes of a table: one for each column that a table may have.
  static let maximumIndexes = ConnectionLimits.maximumColumns
  /// SQLite's smallest page. Every index has a page of its own.
  private static let smallestPageBytes: Int64 = 512

  let name: String

  /// - Parameter tables: the table of each index of a schema.
  /// - Returns: `nil` when no table has too many.
  init?(ofIndexes tables: some Sequence<String>) {
    var counts: [SQLName: Int] = [:]
    guard let name = tables.first(where: { Self.isTooMany($0, &counts) }) else { return nil }
    self.name = name
  }

  /// - Returns: `nil` also for a store that is too small for so many, and where the pages are not of the
  ///   usual kind: whoever opens the store looks again.
  /// - Complexity: O(n) in the entries of the schema and the bytes of the log.
  init?(inPagesOf unit: StoreUnit, readsLog: Bool) {
    let paths = [unit.path] + (readsLog ? [unit.walPath] : [])
    let bytes = paths.reduce(Int64(0)) {
      $0.saturatingAdd((try? FileSystem.status($1))?.bytes ?? 0)
    }
    guard bytes / Self.smallestPageBytes > Int64(Self.maximumIndexes),
      let reader = try? PageReader(path: unit.path, logPath: readsLog ? unit.walPath : nil),
      Int(reader.pageCount) > Self.maximumIndexes, let found = try? Self.first(in: reader)
    else { return nil }
    name = found
  }

  /// The first table of a schema with too many indexes.
  private static func first(in reader: PageReader) throws -> String? {
    let schema = TableSweep(reader, root: 1, columnCount: 5, readsAhead: false)
    var counts: [SQLName: Int] = [:]
    // Pages that lead back to themselves show entries without end; an entry has more bytes than these.
    for _ in 0..<Int(reader.pageCount) * reader.geometry.pageBytes / 8 {
      guard try schema.next() else { return nil }
      guard case .text(let type) = try schema.cell(0), type.elementsEqual("index".utf8),
        case .text(let table) = try schema.cell(2)
      else { continue }
      let name = String(decoding: table, as: UTF8.self)
      if isTooMany(name, &counts) { return name }
    }
    return nil
  }

  /// Counts an index of a table.
  private static func isTooMany(_ table: String, _ counts: inout [SQLName: Int]) -> Bool {
    let name = SQLName(table)
    let count = counts[name, default: 0] + 1
    counts[name] = count
    return count > maximumIndexes
  }

  /// The refusal of a store with the table.
  func error(path: String) -> StoreError {
    StoreError(
      .damaged, path: path,
      detail: "its schema has more than \(Self.maximumIndexes) indexes of the table \(name)")
  }
}
