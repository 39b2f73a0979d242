internal import PassageEngine
internal import PassageFiles
internal import Synchronization

/// What a thread does with one store.
extension FleetRun {
  func migrate(_ place: Int) {
    let name = stores.name(at: place)
    var notes = StoreNotes()
    let began = ContinuousClock.now
    let result: Result<MigrationReport, MigrationError>
    do {
      // The whole run's time is the time of each store.
      let part = RunControl(willContinue: { [control] in !control.shouldStop })
      result = .success(try work(name, part, &notes))
    } catch {
      result = .failure(MigrationError(error, store: name))
    }
    let seconds = began.duration(to: .now) / .seconds(1)
    if case .failure(let error) = result, error.kind == .cancelled, control.shouldStop {
      // It goes on in the next run.
      return stop(.cancelled)
    }
    let bytes = notes.bytes ?? stores.bytes(at: place)
    var found = FleetResult(result, store: name, bytes: bytes, notes: notes, seconds: seconds)
    if limits.isPublishing, found.entry.outcome == .migrated { found.entry.outcome = .published }
    finish(found)
  }

  private func finish(_ result: FleetResult) {
    var result = result
    if let ledger {
      let isDue: Bool
      (result.entry, isDue) = ledger.add(result.entry)
      if isDue {
        // Others compute while the disk works.
        do { try group.withoutSlot { try ledger.flush() } } catch {
          stop(.ledger(MigrationError(error, store: ledger.path)))
        }
      }
    }
    state.withLock { state in
      state.totals.add(result.entry)
      guard let limit = limits.maximumFailures?.most(of: stores.count), state.stop == nil,
        state.totals.failed > limit
      else { return }
      state.stop = .failures(allowed: limit)
    }
    tell(result)
    showProgress(isLast: false)
  }

  func stop(_ reason: FleetStop) {
    state.withLock { state in
      if state.stop == nil { state.stop = reason }
    }
  }

  func showProgress(isLast: Bool) {
    let now = ContinuousClock.now
    let due: FleetProgress? = state.withLock { state in
      if !isLast, let last = state.lastProgress, last.duration(to: now) < .milliseconds(100) {
        return nil
      }
      state.lastProgress = now
      var progress = FleetProgress()
      progress.stores = stores.count
      progress.bytes = stores.totalBytes
      progress.doneStores = state.totals.done
      progress.doneBytes = state.totals.bytes
      progress.failed = state.totals.failed
      progress.seconds = started.duration(to: now) / .seconds(1)
      progress.isCanary = state.end < stores.count
      return progress
    }
    if let due { progress(due) }
  }
}
