internal import PassageDiagnostics
internal import PassageFiles
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageSQLite
internal import PassageStores

/// The work of an interrupted run is not what that run has written: another program or the disk has
/// changed it.
struct DamagedWork: Error {
  let reason: String
}

/// Steps that an earlier process has finished.
extension MigrationRun {
  /// Takes over a step that an earlier process has finished.
  ///
  /// - Returns: its accounts; `nil` when the step is not finished.
  /// - Throws: ``DamagedWork`` when its store is not what its accounts say.
  func takeOver(step index: Int, now: Double) throws -> [MappingAccount]? {
    // A step's store is removed once the store of the next step is sealed.
    let isDone =
      try !isInMemory
      && (index..<steps.count).contains { try files.exists(workspace.sealedPath(step: $0)) }
    guard isDone else { return nil }
    let path = workspace.sealedPath(step: index)
    guard let record = try record(ofStep: index) else {
      // The step is made again, if what it is made from is still there.
      guard try index == 0 || files.exists(workspace.sealedPath(step: index - 1)) else {
        throw MigrationError.unreadableRecord(workspace.accountPath(step: index))
      }
      return nil
    }
    if try files.exists(path) { try checkFinished(path, step: index, record, now: now) }
    try checkQuarantine(ofStep: index, record)
    let accounts = record.accounts
    control.resume(accounts.reduce(0) { $0.saturatingAdd($1.read) }, isInPass: false)
    isSourceTakenOver = true
    warnings.append(
      contentsOf: try workspace.warnings(ofStep: index, mappingCount: mappingCount(ofStep: index)))
    return accounts
  }

  private func mappingCount(ofStep index: Int) -> Int {
    steps[index].passes.reduce(0) { $0 + $1.entityMappings.count }
  }

  /// What is on record of a step; `nil` when the step has not been checked yet.
  ///
  /// - Throws: `RUN-063` when that cannot be read, or when it is not about the step.
  func record(ofStep index: Int) throws -> StepRecord? {
    let mappings = steps[index].passes.flatMap(\.entityMappings)
    guard let record = try workspace.stepRecord(ofStep: index, mappingCount: mappings.count) else {
      return nil
    }
    guard record.accounts.map(\.name) == mappings.map(\.name),
      record.accounts.allSatisfy(\.isBalanced)
    else { throw MigrationError.unreadableRecord(workspace.accountPath(step: index)) }
    return record
  }

  /// Checks that the quarantine file of a step is whole: it is the only record of those objects.
  ///
  /// - Throws: ``DamagedWork``.
  func checkQuarantine(ofStep index: Int, _ record: StepRecord) throws {
    let count = try files.lineCount(workspace.quarantinePath(step: index))
    guard count == record.quarantined else {
      throw DamagedWork(
        reason:
          "the list of what was quarantined on the way to “\(steps[index].destination.name)” has "
          + "\(count) lines, and \(record.quarantined) were written")
    }
  }

  /// Checks that a sealed store has the version of its step and the objects that were made, and that this
  /// migration has made it. Values and links cannot be checked so.
  ///
  /// - Throws: ``DamagedWork``.
  func checkFinished(
    _ path: String, step index: Int, _ record: StepRecord, now: Double
  ) throws {
    let step = steps[index]
    let name = "the store of “\(step.destination.name)”"
    func isWrong(_ what: String) -> DamagedWork {
      DamagedWork(reason: "\(name) \(what)")
    }
    let store: OpenStore
    let counts: ObjectCounts
    do {
      try rollBack(path)
      store = try StoreFile.open(path: path)
      guard store.metadata.versionHashes == step.destination.versionHashes else {
        throw isWrong("is of another version")
      }
      counts = try store.objectCounts(store.layout(of: step.destination))
    } catch let error as StoreError
      where error.isDamage
      || [.missing, .empty, .notSQLite, .notACoreDataStore].contains(error.kind)
    {
      throw isWrong("cannot be read: \(error.diagnostic.message)")
    } catch let error as SQLiteError where error.isDamage {
      throw isWrong("cannot be read: \(error.message)")
    }
    guard store.metadata.storeUUID == record.storeUUID else {
      throw isWrong("was made of another store")
    }
    // Only the last step's store has a record of the migration.
    let isOwn =
      isLast(index)
      ? store.metadata.migrationLedger.migrations.last?.seconds == now
      : store.metadata.stepMark == record.mark
    guard isOwn else { throw isWrong("was made by another migration") }
    var made: [String: Int64] = [:]
    for account in record.accounts { made.merge(account.made) { $0.saturatingAdd($1) } }
    guard counts.byEntity.filter({ $0.value > 0 }) == made.filter({ $0.value > 0 }),
      counts.strangers.isEmpty
    else { throw isWrong("does not have the objects that were made") }
  }

  /// Rolls back a transaction of a store in the work folder that was interrupted.
  private func rollBack(_ path: String) throws {
    guard try files.byteCount(StoreUnit(path: path).journalPath) > 0 else { return }
    let connection = try Connection(path: path, mode: .readWrite, isSynced: false)
    _ = try connection.integer("SELECT count(*) FROM main.sqlite_master")
  }
}
