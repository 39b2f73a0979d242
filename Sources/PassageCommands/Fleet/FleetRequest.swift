internal import Passage
internal import PassageFleets

/// What `fleet run` and `fleet retry` are asked for.
struct FleetRequest {
  var command: String
  var selection: FleetSelectionArguments
  var way: FleetWayArguments
  var place: FleetPlaceArguments
  var losses: LossArguments
  var execution: FleetExecutionArguments

  /// Everything but the list and the ledger.
  private struct Parts {
    var mistakes = CallMistakes()
    var shard: GivenShard?
    var choice = FleetSetup.Choice()
    var limits = FleetLimits()
    var places = ResultPlaces.inPlace
    var remote: RemotePlace?
    var options: MigrationOptions

    init(_ request: FleetRequest) {
      let (options, found) = request.execution.options()
      self.options = options
      request.place.apply(to: &self.options)
      request.losses.apply(to: &self.options)
      mistakes.add(found)
      shard = request.selection.shard(&mistakes)
      choice = request.execution.choice(shard?.shard, &mistakes)
      limits = request.execution.limits(&mistakes)
      places = request.place.places(&mistakes)
      remote = request.place.transfer.remote(&mistakes)
    }
  }

  /// A run over the list.
  ///
  /// - Throws: ``MigrationError``.
  func run() throws -> FleetCall {
    var parts = Parts(self)
    let sources = selection.sources(&parts.mistakes)
    let ledger = execution.ledgerPath(parts.shard?.shard, &parts.mistakes)
    let ways = try way.ways(parts.options, &parts.mistakes)
    return try call(StoreList(sources, places: parts.places), parts, ways, ledger)
  }

  /// What is wrong with the options themselves, whatever files there are.
  var optionMistakes: CallMistakes {
    var mistakes = Parts(self).mistakes
    _ = selection.sources(&mistakes)
    way.checkNames(&mistakes)
    return mistakes
  }

  /// A call of `fleet retry`.
  enum Retry {
    case stores(FleetCall)
    /// No store failed as it was asked for.
    case nothing(FleetReport.Call)
  }

  /// A run over the stores that failed.
  ///
  /// - Parameter choice: reads which failures are meant.
  /// - Throws: ``MigrationError``.
  func retry(
    choice: (inout CallMistakes) -> LedgerFailures.Choice
  ) throws -> Retry {
    var parts = Parts(self)
    let wanted = choice(&parts.mistakes)
    let sources = selection.isGiven ? selection.sources(&parts.mistakes) : []
    var one = execution
    one.ledger = Array(execution.ledger.prefix(1))
    let ledger = one.ledgerPath(parts.shard?.shard, &parts.mistakes)
    let ways = try way.ways(parts.options, &parts.mistakes)
    let failed = try LedgerFailures(
      execution.ledger.isEmpty ? [ledger] : execution.ledger, plan: ways.plan, wanted
    ).names
    guard !failed.isEmpty else {
      let list = sources.isEmpty ? nil : try StoreList(sources, places: parts.places)
      if let list { try checkLog(list, parts, ledger) }
      return .nothing(
        FleetReport.Call(
          command: command, storeCount: 0, listCount: list?.names.count ?? 0,
          leftOutCount: list?.leftOutCount ?? 0, target: ways.target?.name, plan: ways.plan,
          ledger: ledger, shard: parts.shard, order: parts.choice.order,
          warnings: Diagnostics()))
    }
    if sources.isEmpty {
      parts.choice.mayAllBeMissing = true
      return .stores(try call(StoreList(names: StoreNames(failed)), parts, ways, ledger))
    }
    let names = Set(failed)
    let list = try StoreList(sources, places: parts.places)
    parts.choice.isWanted = { names.contains($0) }
    let call = try call(list, parts, ways, ledger)
    return call.setup.stores.count == 0 ? .nothing(call.forReport) : .stores(call)
  }

  private func checkLog(
    _ list: StoreList, _ parts: Parts, _ ledger: String
  ) throws(MigrationError) {
    try CommandContext.log?.check(ledger: ledger)
    // The names of stores that are not files here are no paths.
    guard parts.remote == nil else { return }
    try CommandContext.log?.check(list.names, places: parts.places)
  }

  private func call(
    _ list: StoreList, _ parts: Parts, _ ways: FleetWays, _ ledger: String
  ) throws -> FleetCall {
    try checkLog(list, parts, ledger)
    let setup = try FleetSetup(
      list, parts.choice, places: parts.places, ways: ways, limits: parts.limits,
      ledgerPath: ledger, remote: parts.remote)
    return FleetCall(
      command: command, setup: setup, shard: parts.shard, order: parts.choice.order,
      timeBudget: execution.timeBudget, progress: execution.progress, listCount: list.names.count,
      leftOutCount: list.leftOutCount)
  }
}
