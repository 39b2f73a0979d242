internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageStores

/// What the finished store says of the migration that made it.
extension MigrationRun {
  /// What ran on the store that is sealed, this migration included.
  ///
  /// - Parameter accounts: of the step that is sealed.
  /// - Returns: `nil` while it is not the last step: the store is then only on the way.
  func ledger(adding accounts: [MappingAccount], of step: StepRun) -> MigrationLedger? {
    guard step.plan.index + 1 == steps.count else { return nil }
    var ledger = step.source.metadata.migrationLedger
    if ledger.isDamaged {
      warnings.append(
        Diagnostic(
          "RUN-073", "the record of what ran on the store before cannot be read in full",
          severity: .warning, at: SourceLocation(file: source.path),
          reason: "its metadata holds something else under “\(MigrationLedger.key)”",
          remedy: "no action is needed: the readable part is kept, and this migration is recorded")
      )
    }
    var accounts = accountsOfSteps + [accounts]
    for index in accounts[0].indices { accounts[0][index].count(quarantinedRows) }
    ledger.append(
      MigrationRecord(
        steps: zip(steps, accounts).map { step, accounts in
          MigrationRecord.Step(step, options: options, policies: policies, accounts: accounts)
        }, toolVersion: PassageVersion.current, seconds: step.plan.now,
        storeUUID: step.source.metadata.storeUUID))
    return ledger
  }
}

extension MigrationRecord.Step {
  init(
    _ step: PlannedStep, options: MigrationOptions, policies: PolicyRegistry,
    accounts: [MappingAccount]
  ) {
    let models = step.passes.map(\.model)
    self.init(
      source: step.source.name, destination: step.destination.name,
      sourceChecksum: step.source.versionChecksum,
      destinationChecksum: step.destination.versionChecksum, mappings: models.map(\.name),
      inferred: models.filter(\.isInferred).map(\.name),
      digest: StepIdentity(step, options: options, policies: policies).digest,
      counts: MigrationRecord.Counts(accounts), losses: MigrationRecord.Loss.all(of: accounts))
  }
}

extension MigrationRecord.Loss {
  /// What the entity mappings of a step did not keep, each property once for each way of losing.
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
  /// The sums over entity mappings; the largest number where one is larger.
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
