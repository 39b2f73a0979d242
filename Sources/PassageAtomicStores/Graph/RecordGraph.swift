internal import PassageDiagnostics
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The records of a file with all references resolved, in tables of a private database on disk. It
/// has the same rules and messages as ``ObjectGraph``, which works in memory.
///
/// The tables are attached to the staged store's connection, so that SQLite can copy from them.
final class RecordGraph: RecordSink {
  let schema: RecordSchema
  let path: String
  let store: StagedStore
  private let model: Model

  var connection: Connection { store.connection }

  /// The warnings found while reading.
  var warnings: [Diagnostic] = []
  var rejectedCount = 0

  private var recordCount: Int64 = 0
  private var linkCount: Int64 = 0
  /// By root entity: whether each identifier is a number, and whether each is stored in an
  /// attribute.
  private(set) var hasOnlyNumbers: [String: Bool] = [:]
  private(set) var keepsIdentifiers: [String: Bool] = [:]
  private var insertCells: [String: Statement] = [:]
  private let insertRecord: Statement
  private let insertLink: Statement
  private let insertMistake: Statement
  private let markRejected: Statement

  /// Creates the tables. Must be called before the first row of the store is written.
  init(model: Model, path: String, in store: StagedStore) throws {
    self.model = model
    self.path = path
    self.store = store
    schema = RecordSchema(model: model, layout: store.layout)
    let name = RecordSchema.name
    try store.attach("", as: name, mode: .create)
    let connection = store.connection
    (insertRecord, insertLink, insertMistake, markRejected) = try Self.sql(path) {
      try connection.turnOffJournal(of: name)
      try connection.execute(
        """
        PRAGMA \(name).synchronous = OFF;
        PRAGMA \(name).cache_size = -8000;
        CREATE TABLE \(name).record (number INTEGER PRIMARY KEY, name TEXT, root INTEGER,
          entity INTEGER, same, written, line INTEGER, place INTEGER, key INTEGER,
          rejected INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE \(name).link (id INTEGER PRIMARY KEY, number INTEGER, relation INTEGER,
          same, written, line INTEGER, place INTEGER, target INTEGER,
          derived INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE \(name).mistake (id INTEGER PRIMARY KEY, number INTEGER, phase INTEGER,
          link INTEGER, line INTEGER, place INTEGER, code TEXT, message TEXT, reason TEXT,
          remedy TEXT);
        CREATE TABLE \(name).relation (id INTEGER PRIMARY KEY, root INTEGER, required INTEGER);
        CREATE TABLE \(name).family (relation INTEGER, entity INTEGER,
          PRIMARY KEY (relation, entity)) WITHOUT ROWID;
        CREATE TABLE \(name).inverse (relation INTEGER, entity INTEGER, inverse INTEGER,
          many INTEGER, written INTEGER, PRIMARY KEY (relation, entity)) WITHOUT ROWID
        """)
      return (
        try connection.prepare(
          "INSERT INTO \(name).record (number, name, root, entity, same, written, line, place, key, "
            + "rejected) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        try connection.prepare(
          "INSERT INTO \(name).link (id, number, relation, same, written, line, place) "
            + "VALUES (?, ?, ?, ?, ?, ?, ?)"),
        try connection.prepare(
          "INSERT INTO \(name).mistake (number, phase, link, line, place, code, message, reason, "
            + "remedy) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        try connection.prepare(
          "UPDATE \(name).record SET rejected = 1 WHERE number = ? AND rejected = 0")
      )
    }
    try store.writing { try describeRelationships() }
  }

  static func sql<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw StoreError(error, path: path)
    }
  }

  private func describeRelationships() throws {
    let name = RecordSchema.name
    for link in schema.links {
      let facts = link.entity
      let root = facts.targetRoots[link.relationship.name].flatMap(schema.number(ofRoot:))
      try connection.execute(
        "INSERT INTO \(name).relation VALUES (?, ?, ?)",
        [
          .integer(link.number), root.map { .integer($0) } ?? .null,
          .integer(link.relationship.isOptional ? 0 : 1),
        ])
      for member in facts.targetFamilies[link.relationship.name] ?? [] {
        guard let entity = schema.number(ofEntity: member) else { continue }
        try connection.execute(
          "INSERT INTO \(name).family VALUES (?, ?)", [.integer(link.number), .integer(entity)])
      }
      for (entity, inverse) in schema.inverses(of: link) {
        try connection.execute(
          "INSERT INTO \(name).inverse VALUES (?, ?, ?, ?, ?)",
          [
            .integer(link.number), .integer(entity), .integer(inverse.number),
            .integer(inverse.relationship.isToMany ? 1 : 0), .integer(inverse.isWritten ? 1 : 0),
          ])
      }
    }
  }

  // MARK: Records

  func add(_ node: CacheNode) throws {
    guard let facts = schema.facts[node.identifier.entityName] else { return }
    try store.writing {
      recordCount += 1
      let reference = node.identifier.reference
      let same = IdentifierIndex.key(reference)
      try insertRecord.bind([
        .integer(recordCount), .null, Self.cell(schema.number(ofRoot: facts.rootName)),
        Self.cell(schema.number(ofEntity: facts.entity.name)), same, Self.written(reference, same),
        Self.cell(node.location?.line), Self.cell(node.location?.column),
        Self.cell(reference.number), .integer(0),
      ])
      try insertRecord.run()
      hasOnlyNumbers[facts.rootName, default: true] =
        hasOnlyNumbers[facts.rootName, default: true] && reference.number != nil
      keepsIdentifiers[facts.rootName, default: true] =
        keepsIdentifiers[facts.rootName, default: true] && node.keepsIdentifier
      for name in facts.requiredAttributes where node.values[name, default: .null].isNull {
        try reject(
          recordCount,
          RecordMistake.missingValue(name, of: facts.entity.name, at: node.location), phase: 1)
      }
      try addCells(node, facts)
      try addLinks(node, facts)
    }
  }

  func reject(_ record: AtomicStore.Contents.RejectedRecord) throws {
    try store.writing {
      recordCount += 1
      rejectedCount += 1
      let place = record.mistakes.first?.location
      var cells: [Value] = [.null, .null, .null, .null]
      var state: Int64 = 1
      if let identifier = record.identifier, let facts = schema.facts[identifier.entityName] {
        // A link to it counts as a link to a quarantined object. It gets no key and does not make
        // another record a duplicate.
        let same = IdentifierIndex.key(identifier.reference)
        cells = [
          Self.cell(schema.number(ofRoot: facts.rootName)),
          Self.cell(schema.number(ofEntity: facts.entity.name)), same,
          Self.written(identifier.reference, same),
        ]
        state = 2
      }
      try insertRecord.bind(
        [.integer(recordCount), .text(record.entityName)] + cells + [
          Self.cell(place?.line), Self.cell(place?.column), .null, .integer(state),
        ])
      try insertRecord.run()
      for mistake in record.mistakes { try note(recordCount, mistake, phase: 0) }
    }
  }

  /// Adds a mistake to a record and rejects the record.
  ///
  /// - Parameters:
  ///   - phase: 0 for a mistake in its identifier, 1 in its values, 2 in its links, 3 for the
  ///     consequence of another rejected record.
  ///   - link: the number of the wrong link.
  func reject(_ number: Int64, _ mistake: Diagnostic, phase: Int64, link: Int64 = 0) throws {
    try markRejected.bind(number, at: 1)
    try markRejected.run()
    if connection.changes > 0 { rejectedCount += 1 }
    try note(number, mistake, phase: phase, link: link)
  }

  private func note(
    _ number: Int64, _ mistake: Diagnostic, phase: Int64, link: Int64 = 0
  ) throws {
    func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
    try insertMistake.bind([
      .integer(number), .integer(phase), .integer(link), Self.cell(mistake.location?.line),
      Self.cell(mistake.location?.column), .text(mistake.code), .text(mistake.message),
      text(mistake.reason), text(mistake.remedy),
    ])
    try insertMistake.run()
  }

  private func addCells(_ node: CacheNode, _ facts: EntityFacts) throws {
    let names = attributes(of: facts)
    let entity = facts.entity.name
    let statement: Statement
    if let known = insertCells[entity] {
      statement = known
    } else {
      let table = "\(RecordSchema.name).\(cellTable(entity))"
      let columns = names.indices.map { ", c\($0)" }.joined()
      try connection.execute("CREATE TABLE \(table) (number INTEGER PRIMARY KEY\(columns))")
      statement = try connection.prepare(
        "INSERT INTO \(table) VALUES (?\(names.map { _ in ", ?" }.joined()))")
      insertCells[entity] = statement
    }
    try statement.bind(recordCount, at: 1)
    for (index, name) in names.enumerated() {
      let value = node.values[name] ?? .null
      try statement.bind(
        facts.attributes[name].map { AtomicForeignStore.stored(value, of: $0) } ?? value,
        at: index + 2)
    }
    try statement.run()
  }

  /// The names of the attributes with a column, in the order of the cells.
  func attributes(of facts: EntityFacts) -> [String] {
    let entity = store.layout.entity(named: facts.entity.name)
    return facts.attributes.keys.filter { entity?.columnName(ofAttribute: $0) != nil }.sorted()
  }

  /// The table with the cells of an entity's objects.
  func cellTable(_ entity: String) -> String { "cells_\(schema.number(ofEntity: entity) ?? 0)" }

  /// Whether the entity has objects.
  func hasCells(_ entity: String) -> Bool { insertCells[entity] != nil }

  private func addLinks(_ node: CacheNode, _ facts: EntityFacts) throws {
    for name in node.links.keys.sorted() {
      guard let link = node.links[name], let relationship = facts.relationships[name],
        let number = schema.number(of: name, facts.entity.name)
      else { continue }
      let place = link.location ?? node.location
      if !relationship.isToMany, link.references.count > 1 {
        linkCount += 1
        try reject(
          recordCount,
          RecordMistake.severalTargets(of: "“\(facts.entity.name).\(name)”", at: place), phase: 2,
          link: linkCount)
        continue
      }
      for reference in link.references {
        linkCount += 1
        let same = IdentifierIndex.key(reference)
        try insertLink.bind([
          .integer(linkCount), .integer(recordCount), .integer(number), same,
          Self.written(reference, same), Self.cell(place?.line), Self.cell(place?.column),
        ])
        try insertLink.run()
      }
    }
  }

  private static func cell(_ number: Int64?) -> Value { number.map { .integer($0) } ?? .null }

  private static func cell(_ number: Int?) -> Value { cell(number.map(Int64.init)) }

  /// The text of a reference object if it differs from the text by which it is compared.
  private static func written(_ reference: AtomicStore.Reference, _ same: Value) -> Value {
    if case .text(let text) = reference, Array(text.utf8) != Array((same.string ?? "").utf8) {
      return .text(text)
    }
    return .null
  }
}
