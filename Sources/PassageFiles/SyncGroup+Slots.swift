internal import Dispatch
internal import PassagePlatform
internal import Synchronization

extension SyncGroup {
  /// The group of whose slots the running thread has one.
  @TaskLocal static var computing: SyncGroup?

  /// Runs a piece of work that needs a processor, when a slot is free. The thread gives it to others
  /// while it waits for a sync.
  package func withSlot<Result>(_ body: () throws -> Result) rethrows -> Result {
    takeSlot()
    defer { giveSlotBack() }
    return try Self.$computing.withValue(self, operation: body)
  }

  /// Runs a piece of work that only waits.
  package func withoutSlot<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard Self.computing === self else { return try body() }
    giveSlotBack()
    defer { takeSlot() }
    return try Self.$computing.withValue(nil, operation: body)
  }

  /// Waits for a number of milliseconds without a slot.
  package func pause(milliseconds: Int) {
    withoutSlot { _ = usleep(UInt32(clamping: milliseconds * 1_000)) }
  }

  func takeSlot() {
    let turn = change { state -> DispatchSemaphore? in
      guard state.freeSlots == 0 else {
        state.freeSlots -= 1
        return nil
      }
      let turn = DispatchSemaphore(value: 0)
      state.waitingForSlot.append(turn)
      return turn
    }
    turn?.wait()
  }

  /// The slot goes to the one that has waited longest.
  func giveSlotBack() {
    change { state in
      guard !state.passSlotOn() else { return }
      state.freeSlots += 1
      state.beginWhatIsReady(limit)
    }
  }
}
