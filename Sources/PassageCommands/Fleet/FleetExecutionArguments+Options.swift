internal import Passage
internal import PassageFleets
internal import PassagePlatform

extension FleetExecutionArguments {
  /// The options for each store, and mistakes in the numbers.
  func options() -> (options: MigrationOptions, mistakes: Diagnostics) {
    var (options, mistakes) = StoreExecution(
      batchSize: batchSize, lane: lane, workMemory: workMemory, maxQuarantined: maxQuarantined,
      maxFileBytes: maxFileBytes
    ).options()
    options.checksIntegrity = integrityCheck
    if let timeBudget, !StoreExecution.timeBudgets.contains(timeBudget) {
      mistakes.append(StoreExecution.refusal(ofTimeBudget: timeBudget))
    }
    return (options, mistakes)
  }

  /// How the run is carried out.
  func limits(_ mistakes: inout CallMistakes) -> FleetLimits {
    var limits = FleetLimits()
    limits.jobs =
      Self.jobs(jobs, &mistakes) ?? min(FleetLimits.maximumJobs, Self.processors * 3 / 2)
    limits.group =
      Self.count(group, "--group", most: FleetLimits.maximumGroup, &mistakes) ?? limits.group
    limits.maximumFailures = share(maxFailures, "--max-failures", &mistakes)
    if onError == .stop {
      if maxFailures != nil {
        mistakes.add(
          Diagnostic(
            "FLT-023", "--on-error stop and --max-failures are both given",
            reason: "the first stops at the first failure", remedy: "give one of the two"))
      }
      limits.maximumFailures = .count(0)
    }
    return limits
  }

  /// How many stores are computed at a time, if the call says so.
  static func jobs(_ jobs: Int?, _ mistakes: inout CallMistakes) -> Int? {
    count(jobs, "--jobs", most: FleetLimits.maximumJobs, &mistakes)
  }

  /// The processors that the program may use.
  static var processors: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

  /// Which stores come first.
  func choice(_ shard: Shard?, _ mistakes: inout CallMistakes) -> FleetSetup.Choice {
    var choice = FleetSetup.Choice()
    choice.shard = shard
    choice.canary = share(canary, "--canary", &mistakes)
    if seed != nil, order != .random {
      mistakes.add(
        Diagnostic(
          "FLT-023", "--seed is given without --order random", remedy: "leave it out"))
    }
    choice.order =
      switch order {
      case .listed: .listed
      case .smallest: .smallest
      case .random: .random(seed: seed ?? UInt64.random(in: 0...UInt64(UInt32.max)))
      }
    return choice
  }

  /// The ledger of a run.
  func ledgerPath(_ shard: Shard?, _ mistakes: inout CallMistakes) -> String {
    if ledger.count > 1 {
      mistakes.add(
        Diagnostic(
          "FLT-023", "--ledger is given \(ledger.count) times",
          reason: "a run writes one ledger", remedy: "name one"))
    }
    return ledger.first ?? shard.map { "fleet-\($0.number)-of-\($0.count).jsonl" } ?? "fleet.jsonl"
  }

  private static func count(
    _ value: Int?, _ name: String, most: Int, _ mistakes: inout CallMistakes
  ) -> Int? {
    guard let value else { return nil }
    if (1...most).contains(value) { return value }
    mistakes.add(
      Diagnostic(
        "CMD-002", "\(name) cannot be \(value)", remedy: "give a number from 1 to \(most)"))
    return nil
  }

  private func share(
    _ text: String?, _ name: String, _ mistakes: inout CallMistakes
  ) -> FleetShare? {
    guard let text else { return nil }
    if let share = FleetShare(text) { return share }
    mistakes.add(
      Diagnostic(
        "CMD-002", "\(name) cannot be “\(text)”",
        remedy: "give a number of stores, or a share from 0% to 100%"))
    return nil
  }
}
