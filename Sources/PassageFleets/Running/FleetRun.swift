internal import Dispatch
package import PassageEngine
package import PassageFiles
package import PassagePlatform
internal import Synchronization

/// Migrates the stores of a fleet on several threads. One store that fails never stops the others.
package final class FleetRun: Sendable {
  /// Migrates one store.
  ///
  /// - Parameters:
  ///   - name: the store's name.
  ///   - control: says when to stop.
  ///   - notes: is told about the store what is known, as soon as it is.
  package typealias Work =
    @Sendable (_ name: String, _ control: RunControl, _ notes: inout StoreNotes) throws ->
    MigrationReport

  struct State {
    /// The place of the next store.
    var next = 0
    /// The place at which the run waits.
    var end = 0
    var totals = FleetTotals()
    var stop: FleetStop?
    var lastProgress: ContinuousClock.Instant?
  }

  let stores: FleetStores
  let limits: FleetLimits
  let group: SyncGroup
  let control: RunControl
  let ledger: FleetLedger?
  let work: Work
  let tell: @Sendable (FleetResult) -> Void
  let progress: @Sendable (FleetProgress) -> Void
  /// Each lane of the group has one of its own.
  let processors: Processors
  let started = ContinuousClock.now
  let state = Mutex(State())

  /// - Parameters:
  ///   - stores: the stores, in their order.
  ///   - group: what makes the stores durable, and the slots in which they are computed.
  ///   - processors: one for each of the group's lanes, if it has several.
  ///   - control: stops the run; its time budget is that of the whole.
  ///   - ledger: `nil` for none.
  ///   - work: migrates one store; called on several threads.
  ///   - progress: called about ten times per second, on any thread.
  ///   - tell: called with every result, on any thread; the thread waits for it.
  package init(
    _ stores: FleetStores, limits: FleetLimits, group: SyncGroup, control: RunControl,
    ledger: FleetLedger?, processors: Processors = Processors(numbers: []), work: @escaping Work,
    progress: @escaping @Sendable (FleetProgress) -> Void = { _ in },
    tell: @escaping @Sendable (FleetResult) -> Void
  ) {
    self.stores = stores
    self.limits = limits
    self.group = group
    self.control = control
    self.ledger = ledger
    self.processors = processors
    self.work = work
    self.progress = progress
    self.tell = tell
  }

  /// Migrates the stores, and waits until all threads have ended.
  package func run() -> End {
    let canary = min(stores.canaryCount, stores.count)
    if canary > 0, canary < stores.count {
      runStores(upTo: canary)
      state.withLock { state in
        guard state.stop == nil, state.totals.failed > 0 else { return }
        state.stop = .canary(failed: state.totals.failed, of: canary)
      }
    }
    runStores(upTo: stores.count)
    if let ledger {
      do { try ledger.flush(isLast: true) } catch { stop(.ledger(error)) }
    }
    showProgress(isLast: true)
    let seconds = started.duration(to: .now) / .seconds(1)
    return state.withLock { state in
      let left = stores.count - state.totals.done
      if left > 0, state.stop == nil { state.stop = .cancelled }
      // Nothing was held back: the failures speak for themselves.
      if left == 0, case .failures = state.stop { state.stop = nil }
      return End(
        totals: state.totals, left: left, stop: state.stop, seconds: seconds)
    }
  }

  // MARK: Threads

  /// Works on the stores before a place.
  private func runStores(upTo end: Int) {
    let count = state.withLock { state in
      state.end = end
      return state.stop == nil ? min(limits.window, end - state.next) : 0
    }
    guard count > 0 else { return }
    let checks = Mutex<[@Sendable () -> Void]>([])
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "passage.fleet.watch"))
    timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
    timer.setEventHandler {
      for check in checks.withLock({ $0 }) { check() }
    }
    timer.resume()
    defer { timer.cancel() }
    let threads = DispatchGroup()
    for number in 0..<count {
      // Each waits for disks, so none may be a thread of Swift's tasks.
      DispatchQueue(label: "passage.fleet.\(number)", qos: .userInitiated).async(group: threads) {
        let lane = number % self.group.laneCount
        self.processors.running(on: self.group.laneCount > 1 ? lane : nil) {
          self.control.watching { check in
            checks.withLock { $0.append(check) }
            while self.group.withSlotUntilLocked(lane: lane, { self.migrateSome() }) {}
          }
        }
      }
    }
    threads.wait()
  }

  /// Stores that are done cost less than handing a slot to another thread, so a thread keeps it for
  /// some. While it waits for a sync, another one has it all the same.
  private static let storesPerSlot = 16

  /// Migrates some stores.
  ///
  /// - Returns: whether there may be more.
  private func migrateSome() -> Bool {
    for _ in 0..<Self.storesPerSlot {
      guard let place = begin() else { return false }
      migrate(place)
    }
    return true
  }

  /// The place of the next store; `nil` when no more is to be begun.
  private func begin() -> Int? {
    let isCancelled = control.shouldStop
    return state.withLock { state in
      if isCancelled, state.stop == nil, state.next < stores.count { state.stop = .cancelled }
      guard state.stop == nil, state.next < state.end else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }
}
