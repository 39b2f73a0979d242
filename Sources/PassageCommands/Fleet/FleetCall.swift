internal import Passage
internal import PassageFleets
internal import PassagePlatform

/// A call of `fleet run` or `fleet retry` that was checked.
struct FleetCall {
  let command: String
  let setup: FleetSetup
  let shard: GivenShard?
  /// The order of the stores; the seed of a random one is told.
  let order: FleetOrder
  let timeBudget: Double?
  let progress: ProgressStyle
  /// The stores of the whole list.
  let listCount: Int
  /// The files that patterns matched and that belong to stores.
  let leftOutCount: Int

  /// The call for its report.
  var forReport: FleetReport.Call {
    FleetReport.Call(
      command: command, storeCount: setup.stores.count, listCount: listCount,
      leftOutCount: leftOutCount, target: setup.ways.target?.name, plan: setup.ways.plan,
      ledger: setup.ledger?.path,
      shard: shard, order: order, warnings: setup.warnings)
  }

  /// Migrates the stores.
  func result(_ console: Console) async throws -> CommandResult {
    let look = CommandContext.look
    if !look.isQuiet {
      for warning in setup.warnings { console.printWarning(warning) }
    }
    let control = RunControl(timeBudget: timeBudget.map { .seconds($0) })
    let signals = StopSignals {
      control.cancel()
      console.printMessage(
        "stopping: no further store is begun, and those at work stop at their next batch; a second "
          + "signal stops immediately")
    }
    defer { signals.stop() }
    let display = FleetDisplay(progress, console: console, look: look)
    let setup = setup
    // No more threads than that compute at a time; the others wait for the disk.
    MemoryArenas.limit(to: setup.limits.jobs)
    let end = await OwnThread.run {
      setup.run(on: .usable, control: control, progress: display.show) { display.tell($0.entry) }
    }
    display.finish()
    if !look.isQuiet {
      for warning in end.warnings { console.printWarning(warning) }
    }
    return FleetReport(self, end).result
  }
}
