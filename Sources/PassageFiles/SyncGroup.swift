internal import Dispatch
internal import PassagePlatform
internal import Synchronization

/// Makes the files of many stores durable together.
///
/// Several threads migrate a store each, with a ``FileSystem`` that has the group. Each does the same
/// as if it were alone, in the same order. Where it would sync a file or a folder it waits until one
/// sync of the whole file system that began after its writes has ended. So what a sync promises to
/// one store it promises to each, and a hundred stores share its price.
///
/// One of those that wait does the sync for all. It begins when half of the stores in work wait or
/// when none of them computes any more; until it ends, others compute and the next group gathers. If
/// it fails, all that waited fail, and from then on every file of that disk is synced by itself: the
/// system reports an error once, and data of others may have been lost with it.
///
/// Every thread needs a processor to compute, and there are ``slots`` of them. While a thread waits
/// for a sync, another one has its slot. The threads are blocked meanwhile, so they must be the
/// caller's own and not those of Swift's tasks.
package final class SyncGroup: Sendable {
  /// What a group asks of the system. Tests replace it.
  package struct System: Sendable {
    package var isSufficient: @Sendable (Int32) -> Bool = { FileSystemSync.isSufficient(for: $0) }
    /// After the folder's own sync the disk's cache is written too, whatever a file system leaves out.
    package var synchronize: @Sendable (Int32) -> Int32 = { folder in
      let number = FileSystemSync.run(folder)
      return number != 0 || fsync(folder) == 0 ? number : errno
    }

    package init() {}
  }

  /// How often the group did what.
  package struct Counts: Sendable, Hashable {
    /// Syncs of a whole file system.
    package var groups = 0
    /// Files and folders that became durable by them.
    package var grouped = 0
    /// Files and folders that were synced by themselves.
    package var alone = 0

    package init(groups: Int = 0, grouped: Int = 0, alone: Int = 0) {
      (self.groups, self.grouped, self.alone) = (groups, grouped, alone)
    }
  }

  /// How many threads compute at a time.
  package let slots: Int
  /// Among how many lanes the slots are divided: a thread gets only slots of its own lane, which may
  /// stand for a processor.
  package let laneCount: Int
  /// How many stores are in work at a time, at most.
  package let limit: Int

  let system: System
  /// How long a sync waits for others while there are some that compute.
  let patience: Duration
  let state: Mutex<State>

  /// - Parameters:
  ///   - limit: how many stores are in work at a time, each on a thread of its own; with 1, every
  ///     file is synced by itself.
  ///   - slots: how many of them compute at a time.
  ///   - lanes: among how many lanes the slots are divided.
  package convenience init(limit: Int, slots: Int, lanes: Int = 1) {
    self.init(
      limit: limit, slots: slots, lanes: lanes, patience: .milliseconds(20), system: System())
  }

  package init(limit: Int, slots: Int, lanes: Int = 1, patience: Duration, system: System) {
    self.limit = max(1, limit)
    self.slots = max(1, slots)
    laneCount = min(max(1, lanes), self.slots)
    self.patience = patience
    self.system = system
    let (each, rest) = self.slots.quotientAndRemainder(dividingBy: laneCount)
    state = Mutex(State(slots: (0..<laneCount).map { each + ($0 < rest ? 1 : 0) }))
  }

  deinit {
    state.withLock { state in
      for disk in state.disks.values { if let folder = disk.folder { close(folder) } }
    }
  }

  package var counts: Counts { state.withLock { $0.counts } }

  /// How many wait for a sync that has not begun.
  package var waitingCount: Int {
    state.withLock { $0.disks.values.reduce(0) { $0 + $1.waiting.count } }
  }

  /// Changes the state, and then wakes those that go on: a thread that is woken while the state is
  /// locked only waits for it.
  func change<Result: Sendable>(_ body: (inout sending State) -> sending Result) -> Result {
    let (result, woken) = state.withLock { state in (body(&state), state.takeWoken()) }
    for thread in woken { thread.signal() }
    return result
  }

  // MARK: Syncing

  /// Makes a file or folder durable.
  ///
  /// - Parameters:
  ///   - device: the device that it is on.
  ///   - folder: a folder on the same device.
  ///   - alone: syncs only the file or folder; returns 0 or the number of the error.
  /// - Returns: 0, or the number of the error.
  func synchronize(device: UInt64, folder: String, alone: () -> Int32) -> Int32 {
    // Whoever is not in the queue when its slot comes free is not in the sync that begins then.
    let lane = lane
    let place = place(on: device, folder, lane)
    if let lane { giveSlotBack(lane) }
    switch place?.wait(patience, { hurry(device) }) {
    case .ended(let number)?:
      // It was given its slot with the end.
      return number
    case .leads(let folder, let followers)?:
      // For a single file, a sync of everything would only wait for what others have written.
      let number = followers.isEmpty ? alone() : system.synchronize(folder)
      end(device, followers, number)
      if let lane { takeSlot(lane) }
      return number
    case .alone?, nil:
      state.withLock { $0.counts.alone += 1 }
      let number = alone()
      if let lane { takeSlot(lane) }
      return number
    }
  }

  /// A place in the queue of a disk; `nil` if the disk's files must be synced by themselves.
  private func place(on device: UInt64, _ folder: String, _ lane: Int?) -> Place? {
    guard limit > 1 else { return nil }
    return change { state in
      guard state.isUsable(device, folder, system) else { return nil }
      let place = state.place(on: device, lane: lane)
      state.beginWhatIsReady(limit)
      return place
    }
  }

  /// Begins the sync of a disk whose first in the queue has waited long enough.
  private func hurry(_ device: UInt64) { change { $0.begin(device) } }

  /// Tells those that waited what became of their sync, and lets the next begin.
  private func end(_ device: UInt64, _ followers: [Place], _ number: Int32) {
    change { state in
      if followers.isEmpty {
        state.counts.alone += 1
      } else {
        state.counts.groups += 1
        state.counts.grouped += followers.count + 1
      }
      for follower in followers { state.end(follower, number) }
      state.end(device, isFailed: number != 0 && !followers.isEmpty)
      state.beginWhatIsReady(limit)
    }
  }
}
