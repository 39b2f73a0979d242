internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Combines a step's pass stores into one store: the largest is adopted, the others are appended in
/// key order, then links between objects of different passes are written.
///
/// Tables are appended as whole pages where that is possible (``LeafAssembly``), otherwise through
/// SQL. Each part is recorded in the journal, so an interrupted assembly continues with the part that
/// was interrupted.
struct Assembler {
  private let step: StepRun
  private let passPaths: [String]
  private let journalPath: String
  private let control: RunControl

  init(step: StepRun, passPaths: [String], journalPath: String, control: RunControl) {
    self.step = step
    self.passPaths = passPaths
    self.journalPath = journalPath
    self.control = control
  }

  /// Assembles the step.
  ///
  /// - Parameter adopted: the pass whose store becomes the step's store.
  /// - Returns: the assembled store, not yet sealed.
  func assemble(into adopted: Int) throws -> PassStore {
    let store = try PassStore(
      path: passPaths[adopted], journalPath: journalPath, pass: Journal.wholeStep,
      adopted: adopted, layout: step.plan.destinationLayout,
      textEncoding: step.source.textEncoding)
    if try store.journal.adoptedPass == nil { try store.journal.setAdopted(pass: adopted) }
    control.stopStatements(of: store.connection)
    for (pass, path) in passPaths.enumerated() where pass != adopted {
      try append(path, pass: pass, to: store, adopted: adopted)
    }
    try relate(store)
    return store
  }

  /// The pass whose store is adopted: the one with which an interrupted assembly began, otherwise
  /// the one with the largest store.
  ///
  /// - Parameter begun: the pass with which an interrupted assembly began; `nil` when there was
  ///   none.
  static func adoptedPass(
    of paths: [String], begun: Int?, byteCount: (String) throws -> Int64
  ) throws -> Int {
    if let begun, paths.indices.contains(begun) { return begun }
    var largest = 0
    for pass in paths.indices
    where try byteCount(paths[pass]) > byteCount(paths[largest]) {
      largest = pass
    }
    return largest
  }

  // MARK: Append

  private func append(
    _ path: String, pass: Int, to store: PassStore, adopted: Int
  ) throws {
    let connection = store.connection
    try connection.attach(path, as: "other")
    defer { try? connection.detach("other") }
    let layout = step.plan.destinationLayout
    let leaves = try LeafAssembly(to: store, adopted: adopted, step: step, control: control)
    for table in layout.tables {
      let part = Self.appending(table.name, pass)
      if try store.journal.state(part) != nil { continue }
      if let leaves, try leaves.append(table.name, from: path, part: part) { continue }
      try copy(table.name, orderedBy: ["Z_PK"], .isRefused, pass: pass, to: store)
    }
    // Only pairs of a join table can be in two pass stores.
    for table in layout.joinTables {
      try copy(
        table.name, orderedBy: Array(table.columns.prefix(2)), .isLeftOut, pass: pass, to: store)
    }
  }

  /// The part that appends a table of a pass store.
  private static func appending(_ table: String, _ pass: Int) -> String {
    "append:\(pass):\(table)"
  }

  /// Copies a table of the attached pass store through SQL, as a part of its own.
  private func copy(
    _ table: String, orderedBy order: [String], _ repetition: QueryRows.Repetition, pass: Int,
    to store: PassStore
  ) throws {
    try part(Self.appending(table, pass), of: store) {
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
    let contested = ContestedLinks(step.links.plan.lookups, of: step.plan)
    // The columns of join tables whose side has been written.
    var written: Set<[String]> = []
    for (number, item) in step.links.plan.lookups.enumerated() {
      let name = item.relationship.relationship.name
      let links = LinkQuery(item, step: step.plan, textOrder: step.source.textOrder)
      guard try !isWritten(item, store), let query = links.sql,
        let destination = item.mappingPlan.destination,
        let storage = destination.storage(ofRelationship: name)
      else { continue }
      control.update(isMilestone: true) {
        $0.phase = .assemble
        $0.mappingName = item.mappingPlan.name
      }
      var followsOtherSide = false
      if case .joinTable(let table, let this, let other, _) = storage {
        written.insert([table.name, this])
        followsOtherSide = written.contains([table.name, other])
      }
      try part("link:\(number)", of: store) {
        try writer.write(
          query, storage: storage, ownerTable: destination.tableName,
          isSorted: item.relationship.selection?.isAscending.isEmpty == false
            || item.isPlaced(in: step.plan) || followsOtherSide,
          isOneWay: step.links.plan.isOneWay(item), isContested: contested.contains(item),
          namesMapping: item.relationship.target != .everyMapping,
          what: "“\(destination.name).\(name)” of “\(item.mappingPlan.name)”")
      }
    }
    for (number, pair) in Self.pairs(step.links.plan.oneSided, of: step) {
      try part("inverse:\(number)", of: store) { try pair.writeInverse(connection) }
    }
    for (number, pair) in Self.pairs(step.links.plan.mutual, of: step) {
      try part("mutual:\(number)", of: store) { try pair.keepMutual(connection) }
    }
    for (number, sides) in step.links.bothSides.enumerated() {
      try part("sides:\(number)", of: store) { try sides.check(connection) }
    }
    if step.provesLinks {
      for (number, proof) in LinkProof.all(of: step.plan).enumerated() {
        try part("proof:\(number)", of: store) { try proof.check(connection) }
      }
    }
    let ordered = OrderedLinks(of: step.plan)
    if !ordered.isEmpty { try part("places", of: store) { try ordered.separate(connection) } }
    try part("explicit", of: store) {
      try PolicyLinkCheck(step: step.plan, journal: store.journal).findings()
        .throwing(.policyFailed)
      try writeExplicit(store, writer)
    }
    try part("quarantine", of: store) { try QuarantineSweep(step: step, store: store).run() }
  }

  /// Writes the to-one inverses that no mapping writes, in a store that is made in one go.
  static func writeInverses(of step: StepRun, on connection: Connection) throws {
    for (_, pair) in pairs(step.links.plan.oneSided, of: step) {
      try connection.transaction { try pair.writeInverse(connection) }
    }
  }

  /// Those of some relationships that are stored on both sides, by number.
  private static func pairs(
    _ items: [MappedRelationship], of step: StepRun
  ) -> [(number: Int, pair: OneToOne)] {
    items.enumerated().compactMap { number, item in
      item.mappingPlan.destination.flatMap { destination in
        OneToOne(
          item.relationship.relationship, of: destination, model: step.plan.destination,
          layout: step.plan.destinationLayout)
      }.map { (number, $0) }
    }
  }

  /// Whether a pass has written the links, and no associations of the related objects were added
  /// afterwards.
  private func isWritten(_ item: MappedRelationship, _ store: PassStore) throws -> Bool {
    let joined = step.links.joined.first {
      $0.mappingPlan.index == item.mappingPlan.index && $0.relationship == item.relationship
    }
    if let joined {
      return try step.links.isJoined(joined, store.journal, store.connection, step.facts)
    }
    let swept = step.links.swept[item.mappingPlan.index]
    guard let link = swept.first(where: { $0.relationship == item.relationship }) else {
      return false
    }
    return try step.links.isSwept(link, store.journal, store.connection, step.facts)
  }

  /// Writes the links that policies decided. They come last, because they replace the mappings'
  /// links.
  private func writeExplicit(_ store: PassStore, _ writer: LinkWriter) throws {
    for decided in try DecidedLinks.all(in: store.connection) {
      guard let entity = step.plan.destinationLayout.entity(numbered: decided.entity),
        let storage = entity.storage(ofRelationship: decided.relationship)
      else { continue }
      let name = decided.relationship
      try writer.clear(owners: decided.owners, storage: storage, ownerTable: entity.tableName)
      try writer.write(
        decided.pairs, storage: storage, ownerTable: entity.tableName, isOneWay: true,
        what: "“\(entity.name).\(name)”")
      if let described = step.plan.destination.entity(named: entity.name),
        let relationship = step.plan.destination.relationship(name, of: described)
      {
        try OneToOne(
          relationship, of: entity, model: step.plan.destination,
          layout: step.plan.destinationLayout)?
          .settle(store.connection, decided: decided.owners)
      }
    }
  }

  /// Runs a part once, in one transaction that records it in the journal.
  private func part(_ name: String, of store: PassStore, _ body: () throws -> Void) throws {
    guard try store.journal.state(name) == nil else { return }
    // Checked only if there is work to do. The first part that a continued run has to do is done whatever
    // time it takes, so that a run that is stopped again and again still makes progress.
    try control.checkCancellation()
    try store.connection.transaction {
      try body()
      try store.journal.setState(name, 1)
    }
    control.noteAdvance()
    store.connection.releaseMemory()
  }
}
