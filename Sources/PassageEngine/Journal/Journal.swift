internal import PassageMappings
internal import PassagePlatform
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The progress of a step, in a file beside its pass stores: how far each entity mapping has come,
/// its account, associations, shared objects, what policies decided and which objects are
/// quarantined.
///
/// The journal is attached to the connection that writes a pass store, so rows, cursor and account
/// are committed in one transaction over both files. A pass store that the journal does not know is
/// treated as absent.
///
/// Neither file is synced while it grows: what a killed process wrote is in the system's cache, and
/// files that a power failure may have torn are never continued (see `FileSystem.bootIdentity`).
struct Journal {
  /// The schema name of the journal in a connection to a pass store.
  static let schema = "journal"

  /// The pass number of entries that belong to the assembled step and to no pass.
  static let wholeStep = -1

  /// The journal's tables.
  enum Table: String, CaseIterable {
    case state
    case progress
    case association
    case elementPlace = "element_place"
    case shared
    case combined
    case selected
    case defaultRelationship = "default_relationship"
    case relationship
    case quarantine

    /// The name in statements of a connection to which the journal is attached.
    var name: String { "\(Journal.schema).\(rawValue)" }
  }

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

  /// The progress of one entity mapping.
  struct Progress {
    var phase: Phase
    /// The last source key of the create phase, or the last destination key of the relate phase.
    var cursor: Int64
    var account: MappingAccount
  }

  let connection: Connection
  /// The pass whose entries are read and written, or ``wholeStep``.
  let pass: Int
  /// Whether anything is recorded. What is made in one go is never continued: then there is nothing
  /// to find, and what is set is forgotten.
  let isRecording: Bool
  /// The schema name of the journal in ``connection``.
  private let schema: String

  /// The name of a table in statements of ``connection``.
  func name(of table: Table) -> String { "\(schema).\(table.rawValue)" }

  /// The journal's file, for errors; empty where nothing is recorded.
  private let path: String

  /// Attaches the journal to a connection that writes a pass store, and creates its tables if they
  /// do not exist.
  ///
  /// - Parameters:
  ///   - path: an existing file, which may be empty.
  ///   - pass: the pass whose entries are written.
  ///   - connection: a connection that was opened without syncs.
  init(path: String, pass: Int, attachedTo connection: Connection) throws {
    self.connection = connection
    self.pass = pass
    isRecording = true
    schema = Self.schema
    self.path = path
    try connection.attach(path, as: schema, mode: .readWrite)
    // https://www.sqlite.org/pragma.html#pragma_journal_mode: truncating a rollback journal costs
    // less than deleting it, and is as safe if the process is killed. In memory there is none.
    if !MemoryDatabase.isPath(path) {
      try connection.execute(
        "PRAGMA journal.locking_mode = EXCLUSIVE; PRAGMA journal.journal_mode = TRUNCATE")
    }
    guard try connection.integer("SELECT count(*) FROM journal.sqlite_master") == 0 else { return }
    try connection.transaction {
      for statement in Self.statements { try connection.execute(statement) }
    }
  }

  /// Opens the journal of a step on a connection of its own.
  ///
  /// - Parameter byteCount: the size of the database; 0 if it does not exist.
  /// - Returns: `nil` when the step has none yet.
  static func ofStep(path: String, byteCount: Int64) throws -> Journal? {
    guard byteCount > 0 else { return nil }
    let connection = try Connection(path: path, mode: .readWrite, isSynced: false)
    // A run may have been killed before it created the tables.
    guard try connection.integer("SELECT count(*) FROM main.sqlite_master") > 0 else { return nil }
    return Journal(connection: connection, pass: wholeStep, schema: "main", path: path)
  }

  /// A journal of the whole step that records nothing.
  ///
  /// - Parameter connection: to the store that is made.
  init(recordingNothingOf connection: Connection) {
    self.connection = connection
    pass = Self.wholeStep
    isRecording = false
    schema = Self.schema
    path = ""
  }

  /// The columns for what selected objects are sorted by, the first before the others.
  static let sortColumns = (0..<PropertyMapping.maximumSortKeys).map { "s\($0)" }

  private static let statements = [
    // Values stored by name, for a pass or for the whole step.
    """
    CREATE TABLE journal.state (
      pass INTEGER, name TEXT, value, PRIMARY KEY (pass, name)) WITHOUT ROWID
    """,
    """
    CREATE TABLE journal.progress (
      mapping INTEGER PRIMARY KEY, pass INTEGER, phase INTEGER, cursor INTEGER, account TEXT)
    """,
    // The destination objects that policies made of source objects, other than those at the same
    // key.
    """
    CREATE TABLE journal.association (
      mapping INTEGER, source INTEGER, destination INTEGER, entity INTEGER,
      PRIMARY KEY (mapping, source, destination, entity)) WITHOUT ROWID
    """,
    // Where in the list of a source object the elements were of which destination objects were made, for
    // ordered relationships.
    """
    CREATE TABLE journal.element_place (
      mapping INTEGER, source INTEGER, destination INTEGER, place INTEGER,
      PRIMARY KEY (mapping, source, destination)) WITHOUT ROWID
    """,
    // The objects made from several source objects, by a policy's own key.
    """
    CREATE TABLE journal.shared (
      entity INTEGER, key BLOB, destination INTEGER, pass INTEGER,
      PRIMARY KEY (entity, key)) WITHOUT ROWID
    """,
    // The values of objects that several source objects became, where they combine.
    """
    CREATE TABLE journal.combined (
      mapping INTEGER, position INTEGER, destination INTEGER, value,
      PRIMARY KEY (mapping, position, destination)) WITHOUT ROWID
    """,
    // The source objects that a relationship refers to, where its value selects them, and what each is
    // sorted by.
    """
    CREATE TABLE journal.selected (
      mapping INTEGER, relationship TEXT, owner INTEGER, position INTEGER, target INTEGER,
      \(sortColumns.joined(separator: ", ")),
      PRIMARY KEY (mapping, relationship, owner, position)) WITHOUT ROWID
    """,
    // The objects for which a policy requested the relationships of its mapping.
    """
    CREATE TABLE journal.default_relationship (
      mapping INTEGER, destination INTEGER, PRIMARY KEY (mapping, destination)) WITHOUT ROWID
    """,
    // The links that the policy of a mapping decided; position -1 records that it decided, even if
    // there are no links.
    """
    CREATE TABLE journal.relationship (
      entity INTEGER, relationship TEXT, owner INTEGER, pass INTEGER, position INTEGER,
      target INTEGER, target_entity INTEGER, mapping INTEGER,
      PRIMARY KEY (entity, relationship, owner, pass, position)) WITHOUT ROWID
    """,
    // The quarantined objects. Each is listed once per pass, with the first reason.
    """
    CREATE TABLE journal.quarantine (
      entity TEXT, source INTEGER, pass INTEGER, mapping TEXT, code TEXT, reason TEXT,
      cause_entity TEXT, cause_source INTEGER, cause_code TEXT,
      PRIMARY KEY (entity, source, pass)) WITHOUT ROWID
    """,
  ]

  // MARK: State

  /// The value stored under a name; `nil` when there is none.
  func state(_ name: String) throws -> Value? {
    guard isRecording else { return nil }
    return
      try connection.value(
        "SELECT value FROM \(schema).state WHERE pass = ? AND name = ?",
        [.integer(Int64(pass)), .text(name)])
  }

  /// The number of objects, rows or links stored under a name; `nil` when there is none.
  ///
  /// - Throws: `RUN-063` when no run can have counted so many, so that sums of such numbers fit.
  func count(_ name: String) throws -> Int64? {
    guard let value = try state(name) else { return nil }
    guard let count = value.integer, MappingAccount.possibleCounts.contains(count) else {
      throw MigrationError.unreadableRecord(path)
    }
    return count
  }

  /// Stores a value under a name, replacing the previous one.
  func setState(_ name: String, _ value: Value) throws {
    guard isRecording else { return }
    try connection.execute(
      "INSERT OR REPLACE INTO \(schema).state (pass, name, value) VALUES (?, ?, ?)",
      [.integer(Int64(pass)), .text(name), value])
  }

  /// Deletes the value stored under a name.
  func removeState(_ name: String) throws {
    try connection.execute(
      "DELETE FROM \(schema).state WHERE pass = ? AND name = ?",
      [.integer(Int64(pass)), .text(name)])
  }

  /// The states of all passes whose names begin with `prefix`, in the order of passes. The returned
  /// names lack the prefix.
  func statesOfAllPasses(_ prefix: String) throws -> [(name: String, value: Value)] {
    try connection.rows(
      "SELECT substr(name, ?2), value FROM \(schema).state WHERE substr(name, 1, ?2 - 1) = ?1 "
        + "ORDER BY pass, name",
      [.text(prefix), .integer(Int64(prefix.unicodeScalars.count + 1))]
    ).map { ($0[0].string ?? "", $0[1]) }
  }

  /// The same journal, for the entries of another pass or of the whole step.
  func of(pass: Int) -> Journal {
    Journal(
      connection: connection, pass: pass, schema: schema, path: path, isRecording: isRecording)
  }

  private init(
    connection: Connection, pass: Int, schema: String, path: String, isRecording: Bool = true
  ) {
    self.connection = connection
    self.pass = pass
    self.schema = schema
    self.path = path
    self.isRecording = isRecording
  }

  // MARK: Passes

  /// Whether the tables of the pass store have been created. Until then its file contains nothing
  /// to keep.
  var isBegun: Bool { get throws { try state("begun") != nil } }

  /// Whether the pass is complete.
  var isFinished: Bool { get throws { try state("finished") != nil } }

  func setBegun() throws { try setState("begun", 1) }

  func setFinished() throws { try setState("finished", 1) }

  /// Deletes all entries of the pass; its store is then no longer used. Once the assembly has begun, its work
  /// needs that of all passes: then all entries are deleted.
  func forget() throws {
    if try adoptedPass != nil { return try forgetStep() }
    let mappings = "SELECT mapping FROM \(schema).progress WHERE pass = \(pass)"
    let own = "(\(mappings))"
    try connection.transaction {
      for table in [
        Table.association, .elementPlace, .defaultRelationship, .combined, .selected,
      ] {
        try connection.execute("DELETE FROM \(schema).\(table.rawValue) WHERE mapping IN \(own)")
      }
      // Associations of elements have numbers of their own: see ``MappingPlan/associationsOfRead``.
      try connection.execute(
        "DELETE FROM \(schema).\(Table.association.rawValue) WHERE -1 - mapping IN \(own)")
      try dropElements(of: mappings)
      for table in [Table.shared, .relationship, .quarantine, .state, .progress] {
        try connection.execute("DELETE FROM \(schema).\(table.rawValue) WHERE pass = \(pass)")
      }
    }
  }

  /// Deletes the entries of all passes and of the whole step, in one transaction: a part of the assembly
  /// that is on record must never be found without the passes that it was made from.
  ///
  /// - Parameter note: writes entries in the same transaction.
  func forgetStep(noting note: () throws -> Void = {}) throws {
    try connection.transaction {
      try dropElements(of: "SELECT mapping FROM \(schema).progress")
      for table in Table.allCases {
        try connection.execute("DELETE FROM \(schema).\(table.rawValue)")
      }
      try note()
    }
  }

  private func dropElements(of mappings: String) throws {
    for row in try connection.rows(mappings) {
      guard let mapping = row[0].integer else { continue }
      try connection.execute("DROP TABLE IF EXISTS \(schema).elements_\(mapping)")
    }
  }

  // MARK: The whole step

  /// The pass whose store becomes the step's store; `nil` before the assembly has begun.
  var adoptedPass: Int? {
    get throws { try of(pass: Self.wholeStep).state("adopted")?.integer.map { Int($0) } }
  }

  func setAdopted(pass: Int) throws { try setState("adopted", .integer(Int64(pass))) }

  /// Whether the step's store is complete except for being synced.
  var isSealed: Bool {
    get throws { try of(pass: Self.wholeStep).state("sealed") != nil }
  }

  func setSealed() throws { try setState("sealed", 1) }

  // MARK: Progress

  /// How far an entity mapping has come; `nil` before it has begun.
  ///
  /// - Throws: `RUN-063` when that is not what a run has written.
  func progress(of mapping: Int) throws -> Progress? {
    guard isRecording,
      let row = try connection.rows(
        "SELECT phase, cursor, account FROM \(schema).progress WHERE mapping = ?",
        [.integer(Int64(mapping))]
      ).first
    else { return nil }
    guard let phase = row[0].integer.flatMap(Phase.init(rawValue:)), let cursor = row[1].integer,
      let text = row[2].string,
      let account = try? JSONDecoder().decode(MappingAccount.self, from: Data(text.utf8)),
      account.isPossible
    else { throw MigrationError.unreadableRecord(path) }
    return Progress(phase: phase, cursor: cursor, account: account)
  }

  /// Writes how far an entity mapping of the pass has come.
  func setProgress(_ progress: Progress, of mapping: Int) throws {
    try connection.execute(
      """
      INSERT OR REPLACE INTO \(schema).progress (mapping, pass, phase, cursor, account)
      VALUES (?, ?, ?, ?, ?)
      """,
      [
        .integer(Int64(mapping)), .integer(Int64(pass)), .integer(progress.phase.rawValue),
        .integer(progress.cursor), .text(try Self.text(progress.account)),
      ])
  }

  /// Changes the account of an entity mapping of any pass.
  func setAccount(_ account: MappingAccount, of mapping: Int) throws {
    try connection.execute(
      "UPDATE \(schema).progress SET account = ? WHERE mapping = ?",
      [.text(try Self.text(account)), .integer(Int64(mapping))])
  }

  private static func text(_ account: MappingAccount) throws -> String {
    String(decoding: try JSONEncoder().encode(account), as: UTF8.self)
  }

  // MARK: What policies did

  /// Creates the index that finds the source objects of a destination object.
  func indexAssociationsByDestination() throws {
    try connection.execute(
      "CREATE INDEX IF NOT EXISTS \(schema).association_inverse "
        + "ON association (mapping, destination, entity)")
  }

  /// The objects that a policy inserted in its begin hook, in order.
  func madeInBegin(of mapping: Int) throws -> [ObjectReference] {
    guard let text = try state("begin:\(mapping)")?.string else { return [] }
    guard let objects = try? JSONDecoder().decode([[String]].self, from: Data(text.utf8)) else {
      throw MigrationError.unreadableRecord(path)
    }
    return objects.compactMap { parts in
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
}
