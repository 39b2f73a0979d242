internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Makes one store of a step's pass stores: the largest is adopted as it is, the others are appended
/// in key order, then what crosses passes is related.
///
/// Each part is one transaction that records itself, so an interrupted assembly goes on at the part
/// it was interrupted in.
struct Assembler {
  private let step: StepRun
  private let passPaths: [String]
  private let control: RunControl

  init(step: StepRun, passPaths: [String], control: RunControl) {
    self.step = step
    self.passPaths = passPaths
    self.control = control
  }

  /// Assembles the step.
  ///
  /// - Parameter adopted: the pass whose store becomes the step's.
  /// - Returns: the store, with everything but its seal.
  func assemble(into adopted: Int) throws -> PassStore {
    let store = try PassStore(
      path: passPaths[adopted], layout: step.plan.destinationLayout,
      textEncoding: step.source.textEncoding)
    control.stopStatements(of: store.connection)
    for (pass, path) in passPaths.enumerated() where pass != adopted {
      try append(path, pass: pass, to: store)
    }
    try relate(store)
    return store
  }

  /// The pass store to adopt: the one an interrupted assembly had begun with, else the largest.
  static func adoptedPass(of paths: [String], files: FileSystem) throws -> Int {
    for (pass, path) in paths.enumerated() {
      let connection = try Connection(path: path, mode: .readWrite)
      let begun = try connection.integer(
        "SELECT count(*) FROM passage_state WHERE name = 'adopted'")
      if begun > 0 { return pass }
    }
    var largest = 0
    for pass in paths.indices
    where try files.byteCount(paths[pass]) > files.byteCount(paths[largest]) {
      largest = pass
    }
    let connection = try Connection(path: paths[largest], mode: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.execute("INSERT INTO passage_state (name, value) VALUES ('adopted', 1)")
    return largest
  }

  // MARK: Append

  private func append(_ path: String, pass: Int, to store: PassStore) throws {
    let connection = store.connection
    try connection.attach(path, as: "other")
    defer { try? connection.detach("other") }
    let layout = step.plan.destinationLayout
    for table in layout.tables {
      try copy(table.name, orderedBy: ["Z_PK"], .isRefused, pass: pass, to: store)
    }
    // Only a pair of a join table, and an object set aside, can be in two passes.
    for table in layout.joinTables {
      try copy(
        table.name, orderedBy: Array(table.columns.prefix(2)), .isLeftOut, pass: pass, to: store)
    }
    for (name, order) in PassStore.copiedTables {
      try copy(name, orderedBy: order, .isLeftOut, pass: pass, to: store)
    }
    try part("append:\(pass):state", of: store) {
      try connection.execute(
        "INSERT OR IGNORE INTO main.passage_state (name, value) "
          + "SELECT name, value FROM other.passage_state "
          + "WHERE substr(name, 1, 8) = 'missing:' OR substr(name, 1, 6) = 'swept:'")
    }
  }

  /// Copies a table of the attached pass store, as a part of its own.
  private func copy(
    _ table: String, orderedBy order: [String], _ repetition: QueryRows.Repetition, pass: Int,
    to store: PassStore
  ) throws {
    try part("append:\(pass):\(table)", of: store) {
      let columns = try store.connection.rows(
        "SELECT name FROM pragma_table_info(?)", [.text(table)]
      ).compactMap { $0[0].string }
      func list(_ names: [String]) -> String {
        names.map(\.quotedIdentifier).joined(separator: ", ")
      }
      try QueryRows(
        of: SQLFragment(
          "SELECT \(list(columns)) FROM other.\(table.quotedIdentifier) ORDER BY \(list(order))",
          []),
        into: table, columns: columns, repetition: repetition, on: store.connection
      ).append()
    }
  }

  // MARK: Relate

  private func relate(_ store: PassStore) throws {
    let connection = store.connection
    try connection.attach(step.source.path, as: "source", mode: step.source.mode)
    defer { try? connection.detach("source") }
    let writer = LinkWriter(connection: connection)
    for (number, item) in step.links.plan.lookups.enumerated() {
      let name = item.relationship.relationship.name
      guard try !isSwept(item, store), let query = LinkQuery(item, step: step.plan).sql,
        let destination = item.job.destination,
        let storage = destination.storage(ofRelationship: name)
      else { continue }
      control.update(isMilestone: true) {
        $0.phase = .assemble
        $0.mappingName = item.job.name
      }
      try part("link:\(number)", of: store) {
        try writer.write(
          query, storage: storage, ownerTable: destination.tableName,
          what: "“\(destination.name).\(name)” of “\(item.job.name)”")
      }
    }
    for (number, item) in step.links.plan.oneSided.enumerated() {
      guard let destination = item.job.destination,
        let pair = OneToOne(
          item.relationship.relationship, of: destination, model: step.plan.destination,
          layout: step.plan.destinationLayout)
      else { continue }
      try part("inverse:\(number)", of: store) { try pair.writeInverse(connection) }
    }
    try part("explicit", of: store) { try writeExplicit(store, writer) }
    try part("quarantine", of: store) { try QuarantineSweep(step: step, store: store).run() }
  }

  /// Whether the sweep that wrote the owners has looked their links up, and nothing was added to what
  /// they lead to since.
  private func isSwept(_ item: RelationshipPlan.Item, _ store: PassStore) throws -> Bool {
    let name = SweptLink.stateName(job: item.job, relationship: item.relationship)
    guard let count = try store.state(name)?.integer,
      let link = step.links.swept[item.job.index].first(where: {
        $0.relationship == item.relationship
      })
    else { return false }
    return try store.connection.integer(link.countAssociations) == count
  }

  /// Writes what policies decided themselves, last: it counts more than any default.
  private func writeExplicit(_ store: PassStore, _ writer: LinkWriter) throws {
    let decided = try store.connection.rows(
      "SELECT DISTINCT entity, relationship FROM passage_relationship ORDER BY 1, 2")
    for row in decided {
      guard let number = row[0].integer, let name = row[1].string,
        let entity = step.plan.destinationLayout.entity(numbered: number),
        let storage = entity.storage(ofRelationship: name)
      else { continue }
      let condition = "entity = \(number) AND relationship = \(name.quotedLiteral)"
      try writer.clear(
        owners: "SELECT owner FROM passage_relationship WHERE \(condition)", storage: storage,
        ownerTable: entity.tableName)
      try writer.write(
        "SELECT owner, entity AS owner_entity, target, target_entity, "
          + "1024 * (position + 1) AS place, owner AS owner_place FROM passage_relationship "
          + "WHERE \(condition) AND position >= 0",
        storage: storage, ownerTable: entity.tableName, what: "“\(entity.name).\(name)”")
      if let described = step.plan.destination.entity(named: entity.name),
        let relationship = step.plan.destination.relationship(name, of: described)
      {
        try OneToOne(
          relationship, of: entity, model: step.plan.destination,
          layout: step.plan.destinationLayout)?
          .settle(
            store.connection, decided: "SELECT owner FROM passage_relationship WHERE \(condition)")
      }
    }
  }

  /// Runs a part once, in one transaction that remembers it.
  private func part(_ name: String, of store: PassStore, _ body: () throws -> Void) throws {
    guard try store.state(name) == nil else { return }
    // Asked only where there is work left: a run that is stopped again and again must come further.
    try control.checkCancellation()
    try store.connection.transaction {
      try body()
      try store.setState(name, 1)
    }
    store.connection.releaseMemory()
  }
}
