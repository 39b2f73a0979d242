internal import Dispatch
internal import PassagePlatform
internal import Synchronization

extension SyncGroup {
  /// A slot that the running thread has.
  struct Slot: Sendable {
    let group: SyncGroup
    let lane: Int
  }

  @TaskLocal static var slot: Slot?

  /// The lane in which the running thread computes; `nil` if it has no slot.
  var lane: Int? { Self.slot.flatMap { $0.group === self ? $0.lane : nil } }

  /// Runs a piece of work that needs a processor, when a slot is free. The thread gives it to others
  /// while it waits for a sync.
  ///
  /// - Parameter lane: whose slots are asked for.
  package func withSlot<Result>(lane: Int = 0, _ body: () throws -> Result) rethrows -> Result {
    takeSlot(lane)
    defer { giveSlotBack(lane) }
    return try Self.$slot.withValue(Slot(group: self, lane: lane), operation: body)
  }

  /// Runs a piece of work that only waits.
  package func withoutSlot<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let lane else { return try body() }
    giveSlotBack(lane)
    defer { takeSlot(lane) }
    return try Self.$slot.withValue(nil, operation: body)
  }

  /// Waits for a number of milliseconds without a slot.
  package func pause(milliseconds: Int) {
    withoutSlot { _ = usleep(UInt32(clamping: milliseconds * 1_000)) }
  }

  func takeSlot(_ lane: Int) {
    let turn = change { state -> DispatchSemaphore? in
      guard state.lanes[lane].free == 0 else {
        state.lanes[lane].free -= 1
        return nil
      }
      let turn = DispatchSemaphore(value: 0)
      state.lanes[lane].waiting.append(turn)
      return turn
    }
    turn?.wait()
  }

  /// The slot goes to the one that has waited longest.
  func giveSlotBack(_ lane: Int) {
    change { state in
      guard !state.passSlotOn(lane) else { return }
      state.lanes[lane].free += 1
      state.beginWhatIsReady(limit)
    }
  }
}
