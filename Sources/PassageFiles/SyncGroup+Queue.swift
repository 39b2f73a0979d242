internal import Dispatch
internal import PassagePlatform
internal import Synchronization

extension SyncGroup {
  /// What one that waits for a sync is told.
  enum Outcome: Sendable {
    /// It does the sync, for itself and for others.
    case leads(folder: Int32, [Place])
    /// The sync has ended: 0, or the number of the error.
    case ended(Int32)
    /// It syncs its own file.
    case alone
  }

  /// A place in the queue for a sync.
  final class Place: Sendable {
    private let isFirst: Bool
    /// In which lane its thread computes again when the sync has ended; `nil` if it does not.
    let lane: Int?
    private let outcome = Mutex<Outcome?>(nil)
    let wakes = DispatchSemaphore(value: 0)

    init(isFirst: Bool, lane: Int?) {
      self.isFirst = isFirst
      self.lane = lane
    }

    /// Says what to do; ``wakes`` is signalled later. Called once.
    func end(_ outcome: Outcome) { self.outcome.withLock { $0 = outcome } }

    /// Waits until it is told what to do.
    ///
    /// - Parameter hurry: called by the first in a queue whenever it has waited for its patience.
    func wait(_ patience: Duration, _ hurry: () -> Void) -> Outcome {
      let milliseconds = max(1, Int(patience / .milliseconds(1)))
      if isFirst {
        while wakes.wait(timeout: .now() + .milliseconds(milliseconds)) == .timedOut { hurry() }
      } else {
        wakes.wait()
      }
      return outcome.withLock { $0 } ?? .alone
    }
  }

  /// A disk on which files are synced.
  struct Disk {
    /// A folder of it, held open; `nil` where files are synced by themselves.
    var folder: Int32?
    var waiting: [Place] = []
    var isSyncing = false
  }

  /// The slots of a lane.
  struct Slots {
    var free: Int
    /// Threads that need a slot, in the order in which they came.
    var waiting: ArraySlice<DispatchSemaphore> = []
  }

  /// The queues and slots.
  struct State {
    private let slots: Int
    var lanes: [Slots]
    var disks: [UInt64: Disk] = [:]
    var counts = Counts()
    /// Threads that go on when the state has been changed.
    private var woken: [DispatchSemaphore] = []

    /// So many folders are held open, at most.
    private static let maximumDisks = 64

    /// - Parameter slots: how many each lane has.
    init(slots: [Int]) {
      self.slots = slots.reduce(0, +)
      lanes = slots.map { Slots(free: $0) }
    }

    /// Whether the files of a disk can be synced together. Opens a folder of the disk when it is
    /// seen for the first time.
    mutating func isUsable(_ device: UInt64, _ folder: String, _ system: System) -> Bool {
      if let disk = disks[device] { return disk.folder != nil }
      guard disks.count < Self.maximumDisks else { return false }
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      var status = stat()
      // A file may be on another disk than the folder around it.
      guard fstat(descriptor, &status) == 0, UInt64(truncatingIfNeeded: status.st_dev) == device
      else {
        close(descriptor)
        return false
      }
      let isSufficient = system.isSufficient(descriptor)
      if !isSufficient { close(descriptor) }
      disks[device] = Disk(folder: isSufficient ? descriptor : nil)
      return isSufficient
    }

    mutating func place(on device: UInt64, lane: Int?) -> Place {
      let place = Place(isFirst: disks[device]?.waiting.isEmpty ?? true, lane: lane)
      disks[device]?.waiting.append(place)
      return place
    }

    /// Ends the wait of one whose sync another has done. Its thread is woken once, when it has its slot
    /// again.
    mutating func end(_ place: Place, _ number: Int32) {
      place.end(.ended(number))
      if let lane = place.lane {
        guard lanes[lane].free > 0 else { return lanes[lane].waiting.append(place.wakes) }
        lanes[lane].free -= 1
      }
      woken.append(place.wakes)
    }

    /// Gives a free slot to the one that has waited longest.
    ///
    /// - Returns: whether one has waited.
    mutating func passSlotOn(_ lane: Int) -> Bool {
      guard let next = lanes[lane].waiting.popFirst() else { return false }
      woken.append(next)
      return true
    }

    mutating func takeWoken() -> [DispatchSemaphore] {
      defer { woken = [] }
      return woken
    }

    /// Begins the syncs of all disks if half of the stores wait or nobody computes.
    mutating func beginWhatIsReady(_ limit: Int) {
      let waiting = disks.values.reduce(0) { $0 + ($1.isSyncing ? 0 : $1.waiting.count) }
      guard waiting > 0,
        waiting * 2 >= limit || lanes.reduce(0, { $0 + $1.free }) == slots
      else { return }
      for device in disks.keys { begin(device) }
    }

    /// Begins the sync of a disk unless one is under way: the first that waits does it.
    mutating func begin(_ device: UInt64) {
      guard var disk = disks[device], let folder = disk.folder, !disk.isSyncing,
        let leader = disk.waiting.first
      else { return }
      let followers = Array(disk.waiting.dropFirst())
      disk.waiting = []
      disk.isSyncing = true
      disks[device] = disk
      leader.end(.leads(folder: folder, followers))
      woken.append(leader.wakes)
    }

    /// Ends the sync of a disk. After a failure its files are synced by themselves.
    mutating func end(_ device: UInt64, isFailed: Bool) {
      guard var disk = disks[device] else { return }
      disk.isSyncing = false
      if isFailed, let folder = disk.folder {
        for place in disk.waiting {
          place.end(.alone)
          woken.append(place.wakes)
        }
        disk.waiting = []
        close(folder)
        disk.folder = nil
      }
      disks[device] = disk
    }
  }
}
