internal import PassageDiagnostics
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Removes from an assembled step what was made from quarantined objects, and every link to it.
struct QuarantineSweep {
  let step: StepRun
  let store: PassStore

  private var connection: Connection { store.connection }

  /// Runs in the caller's transaction, with the source attached as `source`. Running it again
  /// changes nothing.
  ///
  /// An object that cannot exist without a quarantined object is quarantined too, and so on.
  ///
  /// - Complexity: O(n) in the rows of the tables that refer to a table with quarantined objects;
  ///   O(1) when nothing is quarantined.
  /// - Throws: ``QuarantineFull`` when there are too many.
  func run() throws {
    guard try connection.integer("SELECT count(*) FROM \(Quarantine.table)") > 0 else {
      return
    }
    var cascade = QuarantineCascade(step: step, store: store)
    try cascade.begin()
    while try cascade.hasFresh {
      for (mappingPlan, destination) in try concerned() {
        try takeAway(
          Self.gone(mappingPlan, among: QuarantineCascade.freshTable), of: mappingPlan, destination)
      }
      try cascade.advance()
    }
    try cascade.end()
    for (mappingPlan, destination) in try concerned() {
      try emptyLinks(
        to: Self.gone(mappingPlan, among: "\(Quarantine.table)"), table: destination.tableName)
    }
  }

  /// The entity mappings that made objects from quarantined objects, except those of whose objects it is not
  /// known that each is of one source object: a policy makes them, or they are merged, or made of lists.
  private func concerned() throws -> [(mappingPlan: MappingPlan, destination: EntityLayout)] {
    let entities = Set(
      try connection.rows("SELECT DISTINCT entity FROM \(Quarantine.table)")
        .compactMap { $0[0].string })
    return step.plan.mappingPlans.compactMap { mappingPlan in
      guard mappingPlan.isTraceable, let source = mappingPlan.source,
        let destination = mappingPlan.destination,
        entities.contains(source.name)
      else { return nil }
      return (mappingPlan, destination)
    }
  }

  /// The keys of the objects that a mapping made from the source objects in a table of quarantined
  /// objects.
  private static func gone(_ mappingPlan: MappingPlan, among table: String) -> String {
    "SELECT source + \(mappingPlan.keyOffset) FROM \(table) "
      + "WHERE entity = \((mappingPlan.source?.name ?? "").quotedLiteral)"
  }

  private func takeAway(_ gone: String, of mappingPlan: MappingPlan, _ destination: EntityLayout)
    throws
  {
    let count = try RowPatch(connection: connection).remove(
      from: destination.tableName, where: "Z_PK IN (\(gone)) AND Z_ENT = \(destination.number)")
    guard count > 0, var account = try store.journal.progress(of: mappingPlan.index)?.account else {
      return
    }
    account.migrated -= count
    account.quarantined += count
    account.count(made: destination.name, -count)
    try store.journal.setAccount(account, of: mappingPlan.index)
  }

  private func emptyLinks(to gone: String, table: String) throws {
    let layout = step.plan.destinationLayout
    let patch = RowPatch(connection: connection)
    for owner in layout.tables {
      for column in owner.columns {
        guard case .foreignKey(let entity, let name) = column.role,
          try leads(entity, name, to: table)
        else { continue }
        let beside = owner.columns.filter { other in
          switch other.role {
          case .foreignEntity(entity, name), .order(entity, name): true
          default: false
          }
        }
        try patch.empty(
          ([column] + beside).map(\.name), in: owner.name,
          where: "\(column.name.quotedIdentifier) IN (\(gone))")
      }
    }
    for join in layout.joinTables {
      for end in [join.owner, join.other]
      where layout.entity(named: end.entityName)?.tableName == table {
        try patch.remove(
          from: join.name, where: "\(end.column.quotedIdentifier) IN (\(gone))")
      }
    }
  }

  /// Whether the keys in a relationship's column refer to a table: to that of the related objects
  /// or, for a to-many relationship without inverse, to that of the owners.
  private func leads(_ entity: String, _ name: String, to table: String) throws -> Bool {
    guard let declared = step.plan.destination.entity(named: entity),
      let relationship = step.plan.destination.relationship(name, of: declared)
    else { return false }
    let target = relationship.isToMany ? entity : relationship.destinationEntityName
    return step.plan.destinationLayout.entity(named: target)?.tableName == table
  }

  // MARK: Duplicates under a unique index

  /// Quarantines every object that has the same values under a unique index as an object with a
  /// smaller key.
  ///
  /// - Returns: whether there were any, and all of them can be traced to their source objects.
  func setDuplicatesAside(of index: IndexLayout, _ reason: Diagnostic) throws -> Bool {
    let columns = index.elements.map(\.column.quotedIdentifier)
    let isFull = Junction.and.joined(columns.map { "\($0) IS NOT NULL" })
    let rows = try connection.prepare(
      "SELECT Z_PK, Z_ENT FROM (SELECT Z_PK, Z_ENT, row_number() OVER (PARTITION BY "
        + "\(columns.joined(separator: ", ")) ORDER BY Z_PK) AS place "
        + "FROM main.\(index.tableName.quotedIdentifier) WHERE \(isFull)) WHERE place > 1")
    var found: [(MappingPlan, Int64)] = []
    while try rows.step() {
      let (key, number) = (rows.integer(at: 0), rows.integer(at: 1))
      // An object that a policy made belongs to no single source object.
      guard let mappingPlan = try maker(of: key, number: number), mappingPlan.source != nil else {
        return false
      }
      found.append((mappingPlan, key - mappingPlan.keyOffset))
      // At most one more than may be quarantined.
      if found.count > step.quarantine.maximum { break }
    }
    rows.reset()
    for (mappingPlan, key) in found {
      try step.quarantine.add(
        reason, entity: mappingPlan.source?.name ?? "", key: key, mapping: mappingPlan.name,
        to: store.journal)
    }
    if !found.isEmpty { try run() }
    return !found.isEmpty
  }

  /// The entity mapping that made an object of one source object.
  ///
  /// - Parameter number: the object's entity in the destination.
  /// - Returns: `nil` if none did, as of an object that a policy made.
  private func maker(of key: Int64, number: Int64) throws -> MappingPlan? {
    let mappingPlans = step.plan.mappingPlans.filter { mappingPlan in
      mappingPlan.isTraceable && mappingPlan.destination.map { Int64($0.number) } == number
        && mappingPlan.keyRange?.contains(key) == true
    }
    guard mappingPlans.count > 1, let first = mappingPlans.first, let source = first.source else {
      return mappingPlans.first
    }
    // Mappings of entities of one source table share its keys.
    let entity = try connection.integer(
      "SELECT Z_ENT FROM \(source.table(inSchema: "source")) WHERE Z_PK = ?",
      [.integer(key - first.keyOffset)])
    return mappingPlans.first { $0.source.map { Int64($0.number) } == entity }
  }
}
