internal import FoundationEssentials
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The fresh store one pass writes, with what is needed to continue it: the cursor and the account
/// of each entity mapping, associations, shared objects. A batch and its cursor are one transaction.
///
/// The file is not synced while it grows: what a killed process wrote is in the system's cache, and
/// what a power failure tears is never continued (see `FileSystem.bootIdentity`). The rollback
/// journal stays, because a killed transaction must be undone.
final class PassStore {
  /// How far an entity mapping has come.
  enum Phase: Int64, Comparable {
    case begin
    case create
    case relate
    case validate
    case end
    case finished

    static func < (a: Phase, b: Phase) -> Bool { a.rawValue < b.rawValue }
  }

  struct Progress {
    var phase: Phase
    /// The last source key of the create phase, or the last destination key of the relate phase.
    var cursor: Int64
    var account: MappingAccount
  }

  /// The prefix of every table that the finished store must not have.
  static let prefix = "passage_"

  let path: String
  let connection: Connection
  let builder: StoreBuilder

  /// Opens the pass store, and makes its tables when it is new.
  ///
  /// - Parameter textEncoding: of a new one, as the header of a database counts it.
  init(path: String, layout: StoreLayout, textEncoding: UInt32) throws {
    self.path = path
    connection = try Connection(path: path, mode: .create)
    // Without the schema name the mode would hold for the attached source too, which is read-only.
    // https://www.sqlite.org/pragma.html#pragma_journal_mode: a truncated journal is cheaper than
    // a deleted one, and as safe against the end of the process.
    try connection.execute("PRAGMA main.locking_mode = EXCLUSIVE; PRAGMA main.synchronous = OFF")
    builder = try StoreBuilder(
      connection: connection, layout: layout, textEncoding: textEncoding)
    try connection.execute("PRAGMA main.journal_mode = TRUNCATE")
    try builder.createTables()
    try connection.transaction {
      for statement in Self.bookkeeping { try connection.execute(statement) }
    }
  }

  private static let bookkeeping = [
    Quarantine.createTable,
    """
    CREATE TABLE IF NOT EXISTS passage_state (name TEXT PRIMARY KEY, value) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS passage_progress (
      mapping INTEGER PRIMARY KEY, phase INTEGER, cursor INTEGER, account TEXT)
    """,
    """
    CREATE TABLE IF NOT EXISTS passage_association (
      mapping INTEGER, source INTEGER, destination INTEGER, entity INTEGER,
      PRIMARY KEY (mapping, source, destination, entity)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS passage_shared (
      entity INTEGER, key BLOB, destination INTEGER, PRIMARY KEY (entity, key)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS passage_default_relationships (
      mapping INTEGER, destination INTEGER, PRIMARY KEY (mapping, destination)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS passage_relationship (
      entity INTEGER, relationship TEXT, owner INTEGER, position INTEGER, target INTEGER,
      target_entity INTEGER, PRIMARY KEY (entity, relationship, owner, position)) WITHOUT ROWID
    """,
  ]

  /// The tables of bookkeeping that the store of a whole step needs too, and the order of each.
  static let copiedTables = [
    ("passage_association", ["mapping", "source", "destination"]),
    ("passage_default_relationships", ["mapping", "destination"]),
    ("passage_relationship", ["entity", "relationship", "owner", "position"]),
    ("passage_progress", ["mapping"]),
    (Quarantine.table, ["entity", "source"]),
  ]

  // MARK: State

  func state(_ name: String) throws -> Value? {
    try connection.value("SELECT value FROM passage_state WHERE name = ?", [.text(name)])
  }

  func setState(_ name: String, _ value: Value) throws {
    try connection.execute(
      "INSERT OR REPLACE INTO passage_state (name, value) VALUES (?, ?)", [.text(name), value])
  }

  /// Every state whose name begins with `prefix`, the prefix taken away.
  func states(_ prefix: String) throws -> [(name: String, value: Value)] {
    try connection.rows(
      "SELECT substr(name, ?2), value FROM passage_state WHERE substr(name, 1, ?2 - 1) = ?1",
      [.text(prefix), .integer(Int64(prefix.unicodeScalars.count + 1))]
    ).map { ($0[0].string ?? "", $0[1]) }
  }

  var isFinished: Bool {
    get throws { try state("finished") != nil }
  }

  // MARK: Progress

  func progress(of mapping: Int) throws -> Progress? {
    guard
      let row = try connection.rows(
        "SELECT phase, cursor, account FROM passage_progress WHERE mapping = ?",
        [.integer(Int64(mapping))]
      ).first, let phase = row[0].integer.flatMap(Phase.init(rawValue:)),
      let cursor = row[1].integer, let text = row[2].string
    else { return nil }
    let account = try JSONDecoder().decode(MappingAccount.self, from: Data(text.utf8))
    return Progress(phase: phase, cursor: cursor, account: account)
  }

  func setProgress(_ progress: Progress, of mapping: Int) throws {
    let account = String(decoding: try JSONEncoder().encode(progress.account), as: UTF8.self)
    try connection.execute(
      """
      INSERT OR REPLACE INTO passage_progress (mapping, phase, cursor, account)
      VALUES (?, ?, ?, ?)
      """,
      [
        .integer(Int64(mapping)), .integer(progress.phase.rawValue), .integer(progress.cursor),
        .text(account),
      ])
  }

  /// The objects a policy inserted when it began, in their order.
  func madeInBegin(of mapping: Int) throws -> [ObjectReference] {
    guard let text = try state("begin:\(mapping)")?.string else { return [] }
    return try JSONDecoder().decode([[String]].self, from: Data(text.utf8)).compactMap { parts in
      guard parts.count == 2, let key = Int64(parts[1]) else { return nil }
      return ObjectReference(entityName: parts[0], key: key)
    }
  }

  func setMadeInBegin(_ objects: [ObjectReference], of mapping: Int) throws {
    guard !objects.isEmpty else { return }
    let parts = objects.map { [$0.entityName, String($0.key)] }
    let text = String(decoding: try JSONEncoder().encode(parts), as: UTF8.self)
    try setState("begin:\(mapping)", .text(text))
  }

  // MARK: Size

  /// The bytes of the store so far.
  var byteCount: Int64 {
    get throws { try connection.integer("PRAGMA page_count") * 4096 }
  }

  /// Whether a run was interrupted before the store's tables were there.
  static func isNew(_ connection: Connection) throws -> Bool {
    try connection.integer("SELECT count(*) FROM sqlite_master WHERE name = 'Z_METADATA'") == 0
      || connection.integer("SELECT count(*) FROM Z_METADATA") == 0
  }

  /// The bookkeeping tables that exist.
  static func bookkeepingTables(of connection: Connection) throws -> [String] {
    try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .compactMap { $0[0].string }.filter { $0.hasPrefix(prefix) }
  }
}
