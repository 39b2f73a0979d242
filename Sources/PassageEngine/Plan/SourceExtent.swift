internal import PassageDiagnostics
internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The objects and keys of a step's source, read once before its plan is made.
struct SourceExtent: Sendable {
  let counts: ObjectCounts
  /// The range of keys of each source table that has rows.
  let keys: [String: Keyspace.Extent]
  /// The largest key ever assigned, by source root entity.
  let largestKeys: [String: Int64]

  /// That of a store that does not exist yet, as if it had no objects.
  static let unknown = SourceExtent()

  private init() {
    counts = ObjectCounts(byEntity: [:])
    keys = [:]
    largestKeys = [:]
  }

  /// - Parameters:
  ///   - counts: the objects of the source, if they have been counted already.
  ///   - pages: the pages of the source, if they may be read without SQLite.
  ///   - threadCount: the threads that may read them, this one included.
  /// - Throws: `RUN-022` when there are rows of no entity, `StoreError`.
  init(
    _ store: OpenStore, path: String, layout: StoreLayout, counts: ObjectCounts?,
    pages: PageReader? = nil, threadCount: Int = 1
  ) throws {
    self.counts = try counts ?? store.objectCounts(layout)
    // A walk over pages finds by itself that a table has more rows than the file can hold.
    let count = pages.map { PageCount($0, store, threadCount: threadCount) }
    let tables = layout.tables.map(\.name)
    // What is left to SQL also reads by indexes. Those of a large store are not all read beforehand.
    if pages == nil || store.unit.totalBytes < PageCount.fewestBytes {
      try store.checkRowCountsByIndexes(ofTables: tables)
    }
    let uncounted = layout.joinTables.map(\.name).filter { name in
      count.flatMap { try? $0.rows(of: name) } == nil
    }
    try store.checkRowCounts(layout, ofTables: uncounted)
    if let stranger = self.counts.strangers.sorted(by: { $0.key < $1.key }).first {
      throw MigrationError(
        .sourceDamaged,
        SourceDamage.strangers(count: stranger.value, table: stranger.key, path: path))
    }
    var keys: [String: Keyspace.Extent] = [:]
    var largestKeys: [String: Int64] = [:]
    let numbers = 0...Int64(layout.entities.count)
    let recorded =
      try count.flatMap { try? $0.recordedKeys(numbered: numbers) }
      ?? Dictionary(
        store.primaryKeys(numbered: numbers).map { ($0.number, $0.largestKey) },
        uniquingKeysWith: { first, _ in first })
    for table in layout.tables {
      let (smallest, largest) =
        try count.flatMap { try? $0.keys(of: table.name) } ?? Self.keys(of: table.name, store)
      if let smallest, let largest {
        keys[table.name] = Keyspace.Extent(smallest: smallest, largest: largest)
      }
      let number = Int64(layout.entity(named: table.rootEntityName)?.number ?? 0)
      largestKeys[table.rootEntityName] = max(largest ?? 0, recorded[number] ?? 0)
    }
    self.keys = keys
    self.largestKeys = largestKeys
  }

  private static func keys(
    of table: String, _ store: OpenStore
  ) throws -> (smallest: Int64?, largest: Int64?) {
    let name = table.quotedIdentifier
    // Each is one look into the table; both in one query would read all rows.
    let ends = try store.connection.rows(
      "SELECT (SELECT min(Z_PK) FROM \(name)), (SELECT max(Z_PK) FROM \(name))")
    return (ends.first?.first?.integer, ends.first?.last?.integer)
  }
}
