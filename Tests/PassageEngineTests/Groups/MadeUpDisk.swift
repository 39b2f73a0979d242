import PassageFiles
import Synchronization

/// A disk for tests of groups: it counts the syncs of everything, makes them fail, or does something
/// while one is under way.
final class MadeUpDisk: Sendable {
  private let number: Int32
  private let isSufficient: Bool
  private let calls = Mutex(0)
  private let during: @Sendable (Int) -> Void

  /// - Parameters:
  ///   - number: the error of each sync; 0 for none.
  ///   - during: called while a sync is under way, with how many there have been.
  init(
    failing number: Int32 = 0, isSufficient: Bool = true,
    during: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.number = number
    self.isSufficient = isSufficient
    self.during = during
  }

  var syncCount: Int { calls.withLock { $0 } }

  /// A group whose members wait for each other as long as it takes.
  func group(limit: Int, slots: Int, patience: Duration = .seconds(3_600)) -> SyncGroup {
    var system = SyncGroup.System()
    system.isSufficient = { [isSufficient] _ in isSufficient }
    system.synchronize = { [self] _ in
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      during(call)
      return number
    }
    return SyncGroup(limit: limit, slots: slots, patience: patience, system: system)
  }
}
