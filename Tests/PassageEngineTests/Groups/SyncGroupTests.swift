import Foundation
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageTesting
import Synchronization
import Testing

@Suite struct SyncGroupTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write([1, 2, 3], to: "a")
  }

  /// The number of the error with which a file is synced; 0 for none.
  @Sendable private func synchronize(_ group: SyncGroup) -> Int32 {
    do {
      try FileSystem(syncs: group).synchronize(directory.path("a"))
      return 0
    } catch {
      return (error as? FileSystem.Failure)?.errorNumber ?? -1
    }
  }

  @Test func `one sync of the file system serves many`() {
    let disk = MadeUpDisk()
    let group = disk.group(limit: 8, slots: 8)
    let start = MeetingPoint(8)
    onThreads(8) { _ in
      group.withSlot {
        start.meet()
        #expect(synchronize(group) == 0)
      }
    }
    #expect(group.counts == SyncGroup.Counts(groups: 2, grouped: 8, alone: 0))
    #expect(disk.syncCount == 2)
  }

  @Test func `a store that is alone syncs its own file and does not wait`() {
    let disk = MadeUpDisk()
    let group = disk.group(limit: 64, slots: 2)
    group.withSlot {
      for _ in 0..<3 { #expect(synchronize(group) == 0) }
    }
    #expect(group.counts == SyncGroup.Counts(groups: 0, grouped: 0, alone: 3))
    #expect(disk.syncCount == 0)
  }

  @Test func `each lane has slots of its own`() {
    let group = SyncGroup(
      limit: 8, slots: 3, lanes: 2, patience: .seconds(3_600), system: SyncGroup.System())
    #expect(group.laneCount == 2)
    let most = Mutex([0, 0])
    let running = Mutex([0, 0])
    onThreads(8) { number in
      let lane = number % 2
      for _ in 0..<20 {
        group.withSlot(lane: lane) {
          let now = running.withLock { running in
            running[lane] += 1
            return running[lane]
          }
          most.withLock { $0[lane] = max($0[lane], now) }
          usleep(200)
          running.withLock { $0[lane] -= 1 }
        }
      }
    }
    // The first lane has one more than the second.
    #expect(most.withLock { $0[0] <= 2 && $0[1] == 1 })
  }

  @Test func `there are no more lanes than slots`() {
    #expect(SyncGroup(limit: 8, slots: 2, lanes: 64).laneCount == 2)
    #expect(SyncGroup(limit: 8, slots: 2, lanes: 0).laneCount == 1)
  }

  @Test(arguments: [false, true])
  func `whoever waits for another program has no slot`(isLock: Bool) {
    let group = MadeUpDisk().group(limit: 8, slots: 1)
    let isWaiting = Mutex(false)
    let hasComputed = Mutex(false)
    onThreads(2) { number in
      if number == 0 {
        group.withSlotUntilLocked {
          isWaiting.withLock { $0 = true }
          for _ in 0..<5_000 where !hasComputed.withLock({ $0 }) {
            if isLock {
              LockWait.pause?(2)
            } else {
              FileSystem(syncs: group).pause(milliseconds: 2)
            }
          }
          #expect(hasComputed.withLock { $0 })
        }
      } else {
        while !isWaiting.withLock({ $0 }) { usleep(1_000) }
        group.withSlot { hasComputed.withLock { $0 = true } }
      }
    }
  }

  @Test func `a sync that began before a file was written does not serve it`() {
    let release = DispatchSemaphore(value: 0)
    let began = DispatchSemaphore(value: 0)
    let disk = MadeUpDisk { number in
      guard number == 1 else { return }
      began.signal()
      release.wait()
    }
    let group = disk.group(limit: 4, slots: 4)
    let start = MeetingPoint(4)
    let late = MeetingPoint(3)
    onThreads(5) { number in
      if number == 4 {
        // The other two wait until the first sync is under way, and it until they are in the queue.
        began.wait()
        late.meet()
        while group.waitingCount < 2 { Thread.sleep(forTimeInterval: 0) }
        release.signal()
        return
      }
      group.withSlot {
        start.meet()
        if number >= 2 { late.meet() }
        #expect(synchronize(group) == 0)
      }
    }
    #expect(group.counts == SyncGroup.Counts(groups: 2, grouped: 4, alone: 0))
  }

  @Test func `a failure reaches all that waited, and nobody relies on the disk again`() {
    let disk = MadeUpDisk(failing: EIO)
    let group = disk.group(limit: 8, slots: 4)
    let start = MeetingPoint(4)
    let numbers = Mutex<[Int32]>([])
    onThreads(4) { _ in
      group.withSlot {
        start.meet()
        let number = synchronize(group)
        numbers.withLock { $0.append(number) }
      }
    }
    #expect(numbers.withLock { $0 } == [EIO, EIO, EIO, EIO])
    onThreads(4) { _ in #expect(synchronize(group) == 0) }
    #expect(disk.syncCount == 1)
    #expect(group.counts.alone == 4)
  }

  @Test func `those in the queue of a disk that fails sync their own files`() {
    let failing = DispatchSemaphore(value: 0)
    let began = DispatchSemaphore(value: 0)
    let disk = MadeUpDisk(failing: EIO) { _ in
      began.signal()
      failing.wait()
    }
    let group = disk.group(limit: 4, slots: 4)
    let start = MeetingPoint(3)
    let number = Mutex<Int32?>(nil)
    onThreads(4) { thread in
      if thread == 3 {
        while group.waitingCount < 1 { Thread.sleep(forTimeInterval: 0) }
        failing.signal()
        return
      }
      group.withSlot {
        start.meet()
        if thread == 2 { began.wait() }
        let found = synchronize(group)
        if thread == 2 { number.withLock { $0 = found } }
      }
    }
    #expect(number.withLock { $0 } == 0)
    #expect(group.counts == SyncGroup.Counts(groups: 1, grouped: 2, alone: 1))
  }

  @Test func `files of a file system that does not promise enough are synced by themselves`() {
    let disk = MadeUpDisk(isSufficient: false)
    let group = disk.group(limit: 4, slots: 4)
    let start = MeetingPoint(4)
    onThreads(4) { _ in
      group.withSlot {
        start.meet()
        #expect(synchronize(group) == 0)
      }
    }
    #expect(group.counts == SyncGroup.Counts(groups: 0, grouped: 0, alone: 4))
    #expect(disk.syncCount == 0)
  }

  @Test func `a group of one syncs each file by itself`() {
    let disk = MadeUpDisk()
    let group = disk.group(limit: 1, slots: 2)
    onThreads(2) { _ in group.withSlot { #expect(synchronize(group) == 0) } }
    #expect(group.counts == SyncGroup.Counts(groups: 0, grouped: 0, alone: 2))
  }

  @Test func `those that wait do not wait for a long computation`() {
    let disk = MadeUpDisk()
    let group = disk.group(limit: 64, slots: 3, patience: .zero)
    let start = MeetingPoint(3)
    let ends = DispatchSemaphore(value: 0)
    onThreads(3) { number in
      group.withSlot {
        start.meet()
        if number == 2 {
          for _ in 0..<2 { ends.wait() }
        } else {
          #expect(synchronize(group) == 0)
          ends.signal()
        }
      }
    }
    #expect(group.counts.grouped + group.counts.alone == 2)
  }

  @Test func `no more threads compute than there are slots, and one that waits computes nothing`() {
    let disk = MadeUpDisk()
    let group = disk.group(limit: 16, slots: 2)
    let computing = Mutex(0)
    let most = Mutex(0)
    onThreads(16) { _ in
      group.withSlot {
        for _ in 0..<3 {
          let count = computing.withLock { count in
            count += 1
            return count
          }
          most.withLock { $0 = max($0, count) }
          computing.withLock { $0 -= 1 }
          #expect(synchronize(group) == 0)
        }
      }
    }
    #expect(most.withLock { $0 } <= 2)
    #expect(group.counts.grouped + group.counts.alone == 48)
    #expect(group.counts.grouped >= 24)
  }

  @Test(arguments: ["missing", "a/inside"])
  func `a file that cannot be synced fails as it does without a group`(name: String) throws {
    let group = MadeUpDisk().group(limit: 4, slots: 1)
    let path = directory.path(name)
    let (alone, grouped) = try (
      #require(throws: FileSystem.Failure.self) { try FileSystem().synchronize(path) },
      #require(throws: FileSystem.Failure.self) {
        try FileSystem(syncs: group).synchronize(path)
      }
    )
    #expect(alone == grouped)
  }
}
