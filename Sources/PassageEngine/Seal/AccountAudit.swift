internal import PassageDiagnostics
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Compares the accounts of a step with both stores. There is no cut-over unless every source
/// object is accounted for and every object that was made exists.
struct AccountAudit {
  let step: StepRun
  let accounts: [MappingAccount]
  let store: PassStore
  /// The rows of tables that were counted when their pages were read again.
  let rowCounts: [String: Int64]
  /// The threads that may count, this one included.
  let threadCount: Int

  private var connection: Connection { store.connection }

  /// - Throws: `RUN-031` when a mapping's sums differ, `RUN-032` when a mapping did not read every
  ///   object of its entity, `RUN-033` when the destination does not contain what was made.
  func check() throws {
    var findings = Diagnostics()
    for account in accounts where !account.isBalanced {
      findings.append(
        Diagnostic(
          "RUN-031", "the numbers of objects of “\(account.name)” do not add up",
          reason: "read \(account.read), filtered \(account.filtered), migrated "
            + "\(account.migrated), merged \(account.merged), removed \(account.removed), quarantined "
            + "\(account.quarantined), made "
            + "\(account.made.values.reduce(Int64(0)) { $0.saturatingAdd($1) })"))
    }
    for account in accounts {
      guard let source = account.source else { continue }
      let expected = step.plan.extent.counts.byEntity[source] ?? 0
      if account.read != expected {
        findings.append(
          Diagnostic(
            "RUN-032",
            "“\(account.name)” read \(account.read) of \(expected) objects of "
              + "“\(source)”"))
      }
    }
    var made: [String: Int64] = [:]
    for account in accounts { made.merge(account.made) { $0.saturatingAdd($1) } }
    let found = try destinationCounts()
    for entity in step.plan.destinationLayout.entities.map(\.name)
    where found[entity, default: 0] != made[entity, default: 0] {
      findings.append(
        Diagnostic(
          "RUN-033",
          "the destination has \(found[entity, default: 0]) objects of “\(entity)”, but "
            + "\(made[entity, default: 0]) were made"))
    }
    try findings.throwing(.verificationFailed)
  }

  private func destinationCounts() throws -> [String: Int64] {
    var counts: [String: Int64] = [:]
    // Only the adopted pass store has tables to which no row was added.
    let pages = try store.journal.adoptedPass.map { store.journal.of(pass: $0) }
    for table in step.plan.destinationLayout.tables {
      guard table.hasSubentities else {
        counts[table.rootEntityName] =
          try rowCounts[table.name] ?? pages?.rowCountOfPages(ofTable: table.name)
          ?? connection.integer("SELECT count(*) FROM main.\(table.name.quotedIdentifier)")
        continue
      }
      for (number, count) in try rowsByEntity(of: table.name) {
        if let entity = step.plan.destinationLayout.entity(numbered: number) {
          counts[entity.name] = count
        }
      }
    }
    return counts
  }

  /// The rows of a table by the number of their entity.
  private func rowsByEntity(of table: String) throws -> [Int64: Int64] {
    if let counts = try rowsByEntityInPages(of: table) { return counts }
    var counts: [Int64: Int64] = [:]
    try connection.countRows(ofTable: table, byColumn: "Z_ENT") { value, count in
      if let number = value.integer { counts[number] = count }
    }
    return counts
  }

  /// - Returns: `nil` when SQLite must count.
  private func rowsByEntityInPages(of table: String) throws -> [Int64: Int64]? {
    try store.inPages(
      of: table, isForced: step.plan.lanes.isForcedToPages, threadCount: threadCount
    ) {
      try $1.rowsByEntity(of: $0)
    }
  }
}
