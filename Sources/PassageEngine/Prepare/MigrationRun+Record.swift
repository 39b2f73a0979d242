internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
package import PassageStores

/// The record of the migration in the finished store.
extension MigrationRun {
  /// The record of every migration of the store that is being sealed, including this one.
  ///
  /// - Parameter accounts: the accounts of the step that is being sealed.
  /// - Returns: `nil` for every step but the last, because its store is only intermediate.
  func ledger(adding accounts: [MappingAccount], of step: StepRun) -> MigrationLedger? {
    guard isLast(step.plan.index) else { return nil }
    var ledger = step.source.metadata.migrationLedger
    if ledger.isDamaged {
      warnings.append(
        Diagnostic(
          "RUN-073", "the record of the store's earlier migrations cannot be read completely",
          severity: .warning, at: SourceLocation(file: source.path),
          reason: "the store's metadata contains something else under “\(MigrationLedger.key)”",
          remedy: "no action is needed: the readable part is kept, and this migration is recorded")
      )
    }
    var accounts = accountsOfSteps + [accounts]
    for index in accounts[0].indices { accounts[0][index].count(quarantinedRows) }
    ledger.append(
      MigrationRecord(
        steps: zip(zip(steps, prepared.call.digests), accounts).map { step, accounts in
          MigrationRecord.Step(step.0, digest: step.1, accounts: accounts)
        }, toolVersion: PassageVersion.current, seconds: step.plan.now,
        storeUUID: step.source.metadata.storeUUID))
    return ledger
  }
}

extension MigrationRecord.Step {
  init(_ step: PlannedStep, digest: String, accounts: [MappingAccount]) {
    let models = step.passes.map(\.model)
    self.init(
      source: step.source.name, destination: step.destination.name,
      sourceChecksum: step.source.versionChecksum,
      destinationChecksum: step.destination.versionChecksum, mappings: models.map(\.name),
      inferred: models.filter(\.isInferred).map(\.name),
      digest: digest,
      counts: MigrationRecord.Counts(accounts), losses: MigrationRecord.Loss.all(of: accounts))
  }
}

extension MigrationRecord.Loss {
  /// The losses of a step's entity mappings, with one entry per property and reason.
  static func all(of accounts: [MappingAccount]) -> [Self] {
    var losses: [Self] = []
    var places: [[String]: Int] = [:]
    for loss in ValueLoss.all(of: accounts, step: 1) {
      let kind = loss.reason.rawValue
      let values = loss.count ?? 0
      if let place = places[[kind, loss.entity, loss.property]] {
        losses[place].values = losses[place].values.saturatingAdd(values)
      } else {
        places[[kind, loss.entity, loss.property]] = losses.count
        losses.append(
          Self(entity: loss.entity, property: loss.property, kind: kind, values: values))
      }
    }
    return losses
  }
}

extension MigrationRecord.Counts {
  /// The sums over all entity mappings, limited to the largest number.
  package init(_ accounts: [MappingAccount]) {
    self.init()
    for account in accounts {
      read = read.saturatingAdd(account.read)
      filtered = filtered.saturatingAdd(account.filtered)
      migrated = migrated.saturatingAdd(account.migrated)
      split = split.saturatingAdd(account.split)
      merged = merged.saturatingAdd(account.merged)
      removed = removed.saturatingAdd(account.removed)
      quarantined = quarantined.saturatingAdd(account.quarantined)
      added = added.saturatingAdd(account.added)
      made = made.saturatingAdd(account.made.values.reduce(0) { $0.saturatingAdd($1) })
    }
  }
}

extension MigrationReport {
  /// The sums over all entity mappings, with each quarantined object once. What was quarantined before any of
  /// them read it, such as a line of a text that is no object, is in no mapping's account, but counted here.
  package var totals: MigrationRecord.Counts {
    var counts = MigrationRecord.Counts(steps.flatMap(\.mappings))
    counts.read = counts.read.saturatingAdd(quarantined - counts.quarantined)
    counts.quarantined = quarantined
    return counts
  }
}
