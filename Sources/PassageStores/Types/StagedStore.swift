public import PassageDiagnostics
internal import PassageFiles
public import PassageModels
internal import PassagePlatform
package import PassageSQLite
public import PassageValues

/// The pages of a staged store are not those that were written to it: its rows are to be written by SQL.
package struct StagedPagesDiffer: Error {
  package init() {}
}

/// A store in Core Data's layout that holds the objects of a store of another type during a
/// migration.
///
/// It is written in one transaction and not synced before it is sealed. If the process is killed,
/// staging starts again. Not shared between threads.
public final class StagedStore {
  /// The model of the objects.
  public let model: Model
  /// The layout of the model.
  package let layout: StoreLayout
  /// How many rows may be quarantined before staging fails.
  public let maximumQuarantined: Int

  /// The app's own entries of the metadata, for types of store that have any.
  public var appMembers: [PropertyList.Member] = []

  /// The connection through which rows are written, inside one transaction.
  package let connection: Connection
  private let builder: StoreBuilder
  private var writers: [ObjectIdentifier: StagedObjectWriter] = [:]
  private var linkStatements: [String: Statement] = [:]
  private var quarantinedCount = 0
  private var refused = Diagnostics()
  private var isInTransaction = false
  private var attached: [(schema: String, path: String)] = []
  /// What the transaction reads from: it must not be closed before the end.
  private var kept: [AnyObject] = []
  private let usesPages: Bool

  /// The table that holds the warnings.
  private static let warningTable = "passage_staging_warning"

  /// How many of the rows that cannot be quarantined `Diagnostics` lists.
  private static let shownRows = 20

  /// Creates the tables in a new file.
  ///
  /// - Parameters:
  ///   - textEncoding: the number in a database header.
  ///   - usesPages: whether rows may be written without SQL; see ``writingPages(_:)``.
  /// - Throws: `StoreError`.
  package init(
    path: String, model: Model, maximumQuarantined: Int = 0, textEncoding: UInt32 = 1,
    usesPages: Bool = true
  ) throws {
    self.model = model
    self.maximumQuarantined = maximumQuarantined
    // A temporary database has no file of its own.
    self.usesPages = usesPages && textEncoding == 1 && !path.isEmpty
    layout = StoreLayout(model: model)
    do {
      connection = try Connection(path: path, mode: .create)
      // No other process reads the file before it is sealed, and an unfinished one is created
      // again.
      try connection.execute(
        "PRAGMA main.locking_mode = EXCLUSIVE; PRAGMA main.synchronous = OFF")
      try connection.turnOffJournal()
      builder = try StoreBuilder(
        connection: connection, layout: layout, textEncoding: textEncoding)
      try builder.createTables()
      try connection.execute(QuarantinedRow.createTable)
      try connection.execute(
        "CREATE TABLE \(Self.warningTable) (code TEXT, message TEXT, reason TEXT, remedy TEXT)")
    } catch let error as SQLiteError {
      throw StoreError(error, path: path)
    }
  }

  /// Reads a whole store of another type into a new file.
  ///
  /// - Throws: `StoreError`, and `Diagnostics` with every row that cannot become an object.
  package static func stage(
    _ source: String, of type: any StoreType, as model: Model, to path: String
  ) throws {
    func stage(usesPages: Bool) throws {
      let staged = try StagedStore(path: path, model: model, usesPages: usesPages)
      try type.open(path: source, as: model).read(into: staged)
      try staged.seal(storeUUID: "")
    }
    do {
      try stage(usesPages: true)
    } catch is StagedPagesDiffer {
      try FileSystem().remove(path)
      try stage(usesPages: false)
    }
  }

  /// Writes one object: its key, its stored attributes and the keys of its to-one relationships.
  ///
  /// Use one `ObjectShape` for many objects, because its names are looked up once. Properties that
  /// it leaves out are nil. Keys are unique in the table of the root entity.
  ///
  /// - Throws: `StoreError`: `layoutMismatch` for a name that is not a stored property of the
  ///   entity.
  public func append(_ object: SourceObject) throws {
    try writing {
      let identifier = ObjectIdentifier(object.shape)
      if let writer = writers[identifier] { return try writer.append(object) }
      let writer = try StagedObjectWriter(shape: object.shape, layout: layout, connection)
      writers[identifier] = writer
      try writer.append(object)
    }
  }

  /// Writes one link of a to-many relationship that no to-one relationship stores: many-to-many,
  /// to-many without inverse, or the position in an ordered relationship.
  ///
  /// For a many-to-many relationship, both objects may be written later. For the others, the
  /// related object must have been written.
  ///
  /// - Parameters:
  ///   - relationship: of `entity`.
  ///   - entity: the owner's entity.
  ///   - owner: the key of the object the link starts from.
  ///   - target: the key of the related object.
  ///   - position: the position from 0, for an ordered relationship.
  /// - Throws: `StoreError`: `layoutMismatch` for a name that is not such a relationship.
  public func link(
    _ relationship: String, of entity: String, from owner: Int64, to target: Int64,
    position: Int64? = nil
  ) throws {
    try writing {
      let name = "\(entity).\(relationship)"
      let statement = try linkStatements[name] ?? linkStatement(relationship, of: entity)
      linkStatements[name] = statement
      try statement.bind([
        .integer(owner), .integer(target),
        // Positions are spaced out, as Core Data's are.
        position.map { .integer(($0 &+ 1) &* 1024) } ?? .null,
      ])
      try statement.run()
    }
  }

  private func linkStatement(_ relationship: String, of entity: String) throws -> Statement {
    switch layout.entity(named: entity)?.storage(ofRelationship: relationship) {
    case .joinTable(let table, let this, let other, let order):
      let columns = [this, other] + [order].compactMap(\.self)
      let cells = ["?1", "?2"] + (order == nil ? [] : ["?3"])
      // The other end may have written the pair already; each end has its own position.
      let onConflict =
        order.map { "DO UPDATE SET \($0.quotedIdentifier) = excluded.\($0.quotedIdentifier)" }
        ?? "DO NOTHING"
      let sql =
        "INSERT INTO main.\(table.name.quotedIdentifier) "
        + "(\(columns.map(\.quotedIdentifier).joined(separator: ", "))) "
        + "SELECT \(cells.joined(separator: ", ")) FROM (SELECT ?3) WHERE 1 "
        + "ON CONFLICT \(onConflict)"
      return try connection.prepare(sql)
    case .inverseForeignKey(let table, let column, _, let order):
      let place = order.map { ", \($0.quotedIdentifier) = ?3" } ?? ""
      return try connection.prepare(
        "UPDATE main.\(table.quotedIdentifier) SET \(column.quotedIdentifier) = ?1\(place) "
          + "WHERE Z_PK = ?2 AND (?3 IS ?3)")
    default:
      throw StoreError(
        .layoutMismatch, path: builder.path,
        detail: "“\(entity).\(relationship)” is not a to-many relationship with its own links")
    }
  }

  /// Quarantines a row that cannot become an object, and continues as long as the limit allows.
  ///
  /// - Throws: `Diagnostics` with the first rows, if there are more than ``maximumQuarantined``; at
  ///   the latest when the store is sealed.
  public func quarantine(_ row: QuarantinedRow) throws {
    quarantinedCount += 1
    if refused.all.count < Self.shownRows { refused.append(row.diagnostic) }
    if quarantinedCount > maximumQuarantined {
      // Several rows are collected for one message, so that they can be corrected together.
      if quarantinedCount >= maximumQuarantined + Self.shownRows { throw refused }
      return
    }
    try writing {
      try connection.execute(QuarantinedRow.insert, row.values)
    }
  }

  /// Keeps a warning for the report of the migration.
  public func warn(_ warning: Diagnostic) throws {
    func text(_ value: String?) -> Value { value.map { .text($0) } ?? .null }
    try writing {
      try connection.execute(
        "INSERT INTO main.\(Self.warningTable) VALUES (?, ?, ?, ?)",
        [
          .text(warning.code), .text(warning.message), text(warning.reason), text(warning.remedy),
        ])
    }
  }

  /// The warnings of staging, for a staged store with which a run continues; empty for any other
  /// store.
  package static func warnings(_ connection: Connection, path: String) throws -> Diagnostics {
    guard
      try connection.integer(
        "SELECT count(*) FROM sqlite_master WHERE name = ?", [.text(warningTable)]) > 0
    else { return Diagnostics() }
    return Diagnostics(
      try connection.rows(
        "SELECT code, message, reason, remedy FROM \(warningTable) ORDER BY rowid"
      )
      .map { row in
        Diagnostic(
          row[0].string ?? "", row[1].string ?? "", severity: .warning,
          at: SourceLocation(file: path), reason: row[2].string, remedy: row[3].string)
      })
  }

  /// Attaches the source database. Must be called before the first row is written.
  package func attach(_ path: String, as schema: String, mode: Connection.Mode) throws {
    do {
      try connection.attach(path, as: schema, mode: mode)
      attached.append((schema, path))
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Fills the store from a source in another text encoding, through a temporary store in that
  /// encoding: SQLite attaches only databases of one encoding
  /// (https://www.sqlite.org/lang_attach.html).
  ///
  /// - Parameters:
  ///   - textEncoding: the number in a database header: 2 for UTF-16 with the low byte first, 3 for
  ///     UTF-16 with the high byte first.
  ///   - body: fills the store that it receives.
  /// - Throws: `Diagnostics` with `ROW-009` for text that is not valid UTF-16, and the errors of
  ///   `body`.
  package func fill(
    recodingFrom textEncoding: UInt32, body: (StagedStore) throws -> Void
  ) throws {
    let other = try StagedStore(
      path: "", model: model, maximumQuarantined: maximumQuarantined, textEncoding: textEncoding)
    try body(other)
    if other.quarantinedCount > maximumQuarantined { throw other.refused }
    quarantinedCount = other.quarantinedCount
    let malformed = try MalformedText(connection: other.connection, layout: layout)
      .findings(isBigEndian: textEncoding == 3)
    if malformed.hasErrors { throw malformed }
    let tables =
      layout.tables.map(\.name) + layout.joinTables.map(\.name)
      + [QuarantinedRow.tableName, Self.warningTable]
    try writing {
      for table in tables {
        let name = table.quotedIdentifier
        let rows = try other.connection.prepare("SELECT * FROM main.\(name)")
        let marks = (0..<rows.columnCount).map { _ in "?" }.joined(separator: ", ")
        let statement = try connection.prepare("INSERT INTO main.\(name) VALUES (\(marks))")
        while try rows.step() {
          for column in 0..<rows.columnCount {
            try statement.bind(cell: column, of: rows, at: column + 1)
          }
          try statement.run()
        }
      }
    }
  }

  /// Writes what is known only at the end, writes the bookkeeping tables and commits the
  /// transaction. The caller must then sync and rename the file.
  ///
  /// - Throws: the errors of ``quarantine(_:)`` if it received too many rows.
  package func seal(storeUUID: String) throws {
    if quarantinedCount > maximumQuarantined { throw refused }
    writers.removeAll()
    linkStatements.removeAll()
    try writing {
      try writeEntityColumns()
      var largest: [String: Int64] = [:]
      for table in layout.tables {
        largest[table.rootEntityName] = try connection.integer(
          "SELECT max(Z_PK) FROM main.\(table.name.quotedIdentifier)")
      }
      if isInTransaction { try connection.execute("COMMIT") }
      isInTransaction = false
      kept.removeAll()
      for source in attached { try connection.detach(source.schema) }
      try builder.writePrimaryKeys(largest)
    }
    try builder.writeMetadata(
      StoreMetadata(
        storeUUID: storeUUID, hashes: ModelHashes(model: model),
        versionIdentifiers: model.versionIdentifiers, appMembers: appMembers))
    // A related object's entity number is looked up by key, which needs no index, and the engine
    // reads tables only in key order.
    try builder.finish(journalMode: .delete)
  }

  /// Writes the entity number of the related object beside foreign keys to entities with
  /// subentities.
  private func writeEntityColumns() throws {
    for table in layout.tables {
      for column in table.columns {
        guard case .foreignEntity(let entity, let relationship) = column.role,
          case .foreignKey(let key, _, _)? = layout.entity(named: entity)?
            .storage(ofRelationship: relationship),
          let declared = model.entity(named: entity),
          let related = model.relationships(of: declared).first(where: { $0.name == relationship }),
          let target = layout.entity(named: related.destinationEntityName)
        else { continue }
        try connection.execute(
          "UPDATE main.\(table.name.quotedIdentifier) AS t SET \(column.name.quotedIdentifier) = "
            + "(SELECT r.Z_ENT FROM main.\(target.tableName.quotedIdentifier) AS r "
            + "WHERE r.Z_PK = t.\(key.quotedIdentifier)) WHERE \(key.quotedIdentifier) IS NOT NULL")
      }
    }
  }

  /// Runs `body`, which may append pages to the store's file, before the first row is written by SQL:
  /// no lock is held on the file, and SQLite reads it again afterwards.
  ///
  /// - Parameter body: receives the path, and a function that begins the transaction in which all
  ///   other rows are written. From then on `body` asks SQLite about the source only. What it
  ///   returns is kept until that transaction ends: closing a file drops the locks of this process on
  ///   it (https://www.sqlite.org/howtocorrupt.html, section 2.2).
  package func writingPages(
    _ body: (_ path: String, _ begin: () throws -> Void) throws -> AnyObject?
  ) throws {
    guard usesPages, !isInTransaction else { return }
    do {
      // The lock of this mode goes with the next access.
      try connection.execute("PRAGMA main.locking_mode = NORMAL")
      _ = try connection.integer("SELECT count(*) FROM main.sqlite_master")
      let held = try body(builder.path) {
        try connection.execute("BEGIN")
        isInTransaction = true
      }
      if let held { kept.append(held) }
      try connection.execute("PRAGMA main.locking_mode = EXCLUSIVE")
    } catch let error as SQLiteError {
      throw storeError(error)
    }
  }

  /// Runs `body` inside the transaction, which it begins if necessary.
  package func writing(_ body: () throws -> Void) throws {
    do {
      if !isInTransaction {
        try connection.execute("BEGIN IMMEDIATE")
        isInTransaction = true
      }
      try body()
    } catch let error as SQLiteError {
      throw storeError(error)
    }
  }

  /// Damage and locks are the source's: the store is one that has just been made, and nobody else opens.
  private func storeError(_ error: SQLiteError) -> StoreError {
    let isOfSource = error.isDamage || error.isBusy
    return StoreError(error, path: (isOfSource ? attached.first?.path : nil) ?? builder.path)
  }
}
