internal import PassageDiagnostics
internal import PassageFiles
internal import PassageModels
internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Completes an assembled store: indexes, validation, accounts, bookkeeping.
struct Sealer {
  private let step: StepRun
  private let store: PassStore
  private let control: RunControl
  private let jobs: Int
  private let history: HistoryCopy?

  /// - Parameters:
  ///   - jobs: the threads that sort while an index is built, and that check.
  ///   - history: the persistent history that the store gets; `nil` for none.
  init(
    step: StepRun, store: PassStore, control: RunControl, jobs: Int, history: HistoryCopy? = nil
  ) {
    self.step = step
    self.store = store
    self.control = control
    self.jobs = jobs
    self.history = history
  }

  /// Creates the indexes and computes the derived values. Existing indexes are kept.
  ///
  /// Objects that have equal values under a unique index are quarantined if the options allow it. Values that
  /// were derived from them are then computed again, until nothing is left to quarantine.
  ///
  /// - Throws: `VAL-005` when there are such objects and they may not be quarantined.
  func makeIndexes() throws {
    control.update(isMilestone: true) { $0.phase = .seal }
    if jobs > 1 { try store.connection.execute("PRAGMA threads = \(min(jobs, 8))") }
    let layout = step.plan.destinationLayout
    // Core Data's own indexes come first, because derived values are looked up by foreign keys. The
    // model's indexes are built over the finished values.
    _ = try make(layout.indexes.filter(\.isAutomatic))
    let named = layout.indexes.filter { !$0.isAutomatic }
    let derived = DerivedValues(layout: layout, connection: store.connection, now: step.plan.now)
    // Objects that are equal by their own values are set aside before derived values are compared.
    let overDerived = named.filter { $0.isUnique && isOverDerivedValues($0) }
    let others = named.filter { !overDerived.contains($0) }
    var hasQuarantined = false
    repeat {
      // For a moment, two objects may have the same value.
      if step.quarantine.isOpen { try drop(overDerived) }
      try derived.compute(checking: control)
      hasQuarantined = try make(others)
      if !hasQuarantined { hasQuarantined = try make(overDerived) }
    } while hasQuarantined && !layout.derivedAttributes.isEmpty
    for index in layout.spatialIndexes {
      try control.checkCancellation()
      try store.builder.create(index)
    }
  }

  /// Has SQLite check a store of which pages were written without it.
  ///
  /// - Parameters:
  ///   - isWhole: whether a large store is checked as a whole too.
  ///   - writesBack: whether the disk writes the store meanwhile, because it is synced when it is
  ///     accepted.
  /// - Returns: whether it was checked as a whole.
  /// - Throws: ``PagesUnsuitable`` when it does not accept them.
  func checkPages(isWhole: Bool, writesBack: Bool = false) throws -> Bool {
    guard try store.journal.isUnchecked else { return false }
    try control.checkCancellation()
    control.update(isMilestone: true) { $0.phase = .verify }
    try store.releaseLocks()
    let wasWhole = try runCheck(isWhole: isWhole, writesBack: writesBack)
    try store.journal.setChecked()
    control.noteAdvance()
    return wasWhole
  }

  private func runCheck(isWhole: Bool, writesBack: Bool) throws -> Bool {
    // The file is closed after SQLite's connections to it, because that gives up their locks.
    let file = writesBack ? try? PositionalFile(store.path, mode: .reading) : nil
    let writing = jobs > 1 ? file.map { file in SideTask { file.beginWritingBack() } } : nil
    if writing == nil { file?.beginWritingBack() }
    defer { withExtendedLifetime((writing, file)) {} }
    return try PageCheck.run(
      path: store.path, isWhole: isWhole, threadCount: jobs, control: control)
  }

  /// Validates the objects and the accounts of a store that has its indexes. Changes nothing.
  ///
  /// - Returns: the account of every entity mapping of the step, in order.
  /// - Throws: `VAL-…` when objects are not valid, `RUN-03x` when objects are not accounted for.
  func judge() throws -> [MappingAccount] {
    let accounts = try step.plan.mappingPlans.compactMap {
      try store.journal.progress(of: $0.index)?.account
    }
    try judge(accounts, suspects: store.journal.missingValues())
    return accounts
  }

  /// Validates the objects of a store that has its indexes against the accounts. Changes nothing.
  ///
  /// - Parameters:
  ///   - accounts: the account of every entity mapping of the step, in order.
  ///   - suspects: the required attributes that may be nil somewhere.
  ///   - rowCounts: the rows of tables that were counted when their pages were read again.
  /// - Throws: `VAL-…` when objects are not valid, `RUN-03x` when objects are not accounted for.
  func judge(
    _ accounts: [MappingAccount], suspects: Set<MissingValues.Suspect>,
    rowCounts: [String: Int64] = [:]
  ) throws {
    control.update(isMilestone: true) { $0.phase = .verify }
    try StepValidator(step: step, store: store, suspects: suspects).findings()
      .throwing(.policyFailed)
    try AccountAudit(
      step: step, accounts: accounts, store: store, rowCounts: rowCounts, threadCount: jobs
    ).check()
  }

  /// Writes Core Data's own bookkeeping. Each part of it may be written again.
  ///
  /// - Parameters:
  ///   - ledger: the record of every migration of the store, including this one; `nil` for every step
  ///     but the last.
  ///   - stepMark: the mark of the store of any other step.
  ///   - known: the largest keys of tables, as far as they are known.
  ///   - pages: write it without SQL, if nothing of the store was written by SQL; `nil` for SQL.
  func writeBookkeeping(
    ledger: MigrationLedger?, stepMark: String? = nil, largestKeys known: [String: Int64] = [:],
    pages: MemoryPages? = nil
  ) throws {
    control.update(isMilestone: true) { $0.phase = .seal }
    let keys = try largestKeys(known)
    let layout = step.plan.destinationLayout
    let metadata = step.source.metadata.carriedOver(
      to: ModelHashes(model: step.plan.destination),
      versionIdentifiers: step.plan.destination.versionIdentifiers, ancillary: history?.ancillary,
      ledger: ledger, stepMark: stepMark)
    try metadata.checkReadable(path: step.source.path)
    if let pages, history == nil, !step.source.marks.isAny, layout.indexes.isEmpty,
      layout.spatialIndexes.isEmpty,
      layout.derivedAttributes.isEmpty
    {
      let archive = step.plan.destinationArchive
      return try pages.write(
        BookkeepingRows(layout, largestKeys: keys, metadata, archive))
    }
    try store.builder.writePrimaryKeys(keys)
    try history?.run(on: store.connection)
    let adopted = try store.journal.adoptedPass
    // From its end on, the moment does not tell which files belong together, so what follows is one
    // transaction with it.
    try store.connection.transaction {
      if let adopted {
        try StoreMoment.end(
          of: store.connection, pass: adopted, userVersion: step.source.marks.userVersion)
      }
      try store.builder.writeMetadata(metadata)
      try store.builder.writeModel(step.plan.destinationArchive)
      try store.builder.createTriggers()
      try step.source.marks.write(store.connection)
      try store.journal.setSealed()
    }
  }

  /// Frees the pages of removed rows, and sets Core Data's journal mode with all content in the
  /// main file. The file must be synced afterwards.
  static func finish(_ path: String, layout: StoreLayout) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
    let vacuum = try connection.prepare("PRAGMA incremental_vacuum")
    try vacuum.run()
    try StoreBuilder(connection: connection, layout: layout).finish(journalMode: .wal)
  }

  private func isOverDerivedValues(_ index: IndexLayout) -> Bool {
    let derived = step.plan.destinationLayout.derivedAttributes
    return index.elements.contains { element in
      derived.contains { $0.tableName == index.tableName && $0.columnName == element.column }
    }
  }

  private func drop(_ indexes: [IndexLayout]) throws {
    for index in indexes {
      try store.connection.execute("DROP INDEX IF EXISTS main.\(index.name.quotedIdentifier)")
    }
  }

  /// Creates indexes.
  ///
  /// - Returns: whether objects were quarantined.
  private func make(_ indexes: [IndexLayout]) throws -> Bool {
    var hasQuarantined = false
    let rest =
      step.pages == nil
      ? indexes
      : try PageIndexes(
        step: step, store: store, control: control,
        fewestRows: step.plan.lanes.isForcedToPages ? 0 : 500, threadCount: jobs
      ).make(indexes)
    var remaining = rest[...]
    while !remaining.isEmpty {
      try control.checkCancellation()
      guard let found = try makeBatch(of: &remaining), let index = remaining.popFirst() else {
        continue
      }
      let sweep = QuarantineSweep(step: step, store: store)
      let isQuarantined =
        try step.quarantine.isOpen
        && withSource {
          try store.connection.transaction { try sweep.setDuplicatesAside(of: index, found) }
        }
      if try !isQuarantined || make(index) != nil { throw MigrationError(.policyFailed, found) }
      hasQuarantined = true
    }
    return hasQuarantined
  }

  /// Creates the first of some indexes in one transaction, which ends after half a second: a transaction
  /// takes longer than a small index.
  ///
  /// - Parameter indexes: those that are left.
  /// - Returns: the duplicates that prevent the first of those that are left; `nil` when nothing does.
  private func makeBatch(of indexes: inout ArraySlice<IndexLayout>) throws -> Diagnostic? {
    let start = ContinuousClock.now
    let version = "PRAGMA main.schema_version"
    let before = try store.connection.integer(version)
    let found: Diagnostic? = try store.connection.transaction {
      repeat {
        guard let index = indexes.first else { return nil }
        if let found = try make(index) { return found }
        indexes.removeFirst()
      } while start.duration(to: .now) < .milliseconds(500) && !control.shouldStop
      return nil
    }
    if try store.connection.integer(version) != before { control.noteAdvance() }
    return found
  }

  /// Runs `body` while the source is attached.
  private func withSource<Result>(_ body: () throws -> Result) throws -> Result {
    try store.connection.attach(step.source.path, as: "source", mode: step.source.mode)
    let result = Swift.Result { try body() }
    try store.connection.detach("source")
    return try result.get()
  }

  /// Creates one index. Returns the duplicates that prevent a unique one; `nil` when it was
  /// created.
  private func make(_ index: IndexLayout) throws -> Diagnostic? {
    do throws(SQLiteError) {
      try store.connection.execute(index.createIfMissingStatement)
      return nil
    } catch {
      guard error.isConstraint else { throw error }
      return try duplicates(of: index)
    }
  }

  /// Describes the objects that have equal values under a unique index.
  private func duplicates(of index: IndexLayout) throws -> Diagnostic {
    let columns = index.elements.map(\.column.quotedIdentifier)
    let table = "main.\(index.tableName.quotedIdentifier)"
    // Objects without a value differ from all others.
    let isFull = Junction.and.joined(columns.map { "\($0) IS NOT NULL" })
    let groups = try store.connection.rows(
      "SELECT min(Z_PK), max(Z_PK) FROM \(table) WHERE \(isFull) "
        + "GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 5")
    let (entity, words) = constraint(of: index)
    let pairs = try groups.map { group in
      try group.map { try described($0, in: index.tableName) }.joined(separator: " and ")
    }
    return Diagnostic(
      "VAL-005",
      "objects of “\(entity)” have the same values for the uniqueness constraint \(words)",
      reason: "for instance the objects of “\(entity)” with keys \(pairs.joined(separator: "; "))",
      remedy: "merge them with a policy that calls findOrInsert, filter out all but one, or remove "
        + "the uniqueness constraint from the model")
  }

  /// The entity of whose objects a unique index lets no two be equal, and its uniqueness constraint in words.
  private func constraint(of index: IndexLayout) -> (entity: String, words: String) {
    let model = step.plan.destination
    for entity in model.entities {
      for constraint in entity.uniquenessConstraints
      where IndexLayout.uniqueName(of: entity.name, constraint) == index.name {
        // Every object that has all the columns is in the index, also one of an entity above.
        let holder = model.lineage(of: entity).first { ancestor in
          constraint.contains { property in
            ancestor.attributes.contains { $0.name == property }
              || ancestor.relationships.contains { $0.name == property }
          }
        }
        let properties = constraint.map { "“\($0)”" }.joined(separator: ", ")
        guard let holder, holder.name != entity.name else {
          return (entity.name, "on \(properties)")
        }
        return (holder.name, "of “\(entity.name)” on \(properties)")
      }
    }
    // An index gets another name where its own is taken.
    let table = step.plan.destinationLayout.table(named: index.tableName)
    return (
      table?.rootEntityName ?? index.tableName,
      "on " + index.elements.map(\.column).joined(separator: ", ")
    )
  }

  /// The key of an object, with its entity where the table has objects of several.
  private func described(_ key: Value, in table: String) throws -> String {
    let key = key.integer ?? 0
    let layout = step.plan.destinationLayout
    guard layout.table(named: table)?.hasSubentities == true else { return "\(key)" }
    let number = try store.connection.integer(
      "SELECT Z_ENT FROM main.\(table.quotedIdentifier) WHERE Z_PK = ?", [.integer(key)])
    return "\(key)" + (layout.entity(numbered: number).map { " (“\($0.name)”)" } ?? "")
  }

  private func largestKeys(_ known: [String: Int64]) throws -> [String: Int64] {
    var keys: [String: Int64] = [:]
    for table in step.plan.destinationLayout.tables {
      var largest =
        try known[table.name]
        ?? store.connection.integer("SELECT max(Z_PK) FROM main.\(table.name.quotedIdentifier)")
      // A key that was assigned and deleted must not be assigned again, because apps keep object
      // URIs.
      if let kept = step.plan.keyspace.keptTables[table.name],
        let root = step.plan.sourceLayout.table(named: kept)?.rootEntityName
      {
        largest = max(largest, step.plan.extent.largestKeys[root] ?? 0)
      }
      keys[table.rootEntityName] = largest
    }
    return keys
  }
}
