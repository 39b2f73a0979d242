import PassageEngine
import Synchronization

/// Counts in which lanes random worlds ran: a lane that always left everything to another one would give
/// the same stores, and would not be noticed otherwise.
final class LaneCount: Sendable {
  /// What was counted so far.
  struct Counts: Sendable, CustomStringConvertible {
    /// How many entity mappings ran in which lane, by the lane that was asked for.
    var mappings: [String: Int] = [:]
    /// How many worlds ran page by page as a whole.
    var wholePageWorlds = 0
    var worlds = 0

    var description: String {
      let ran = mappings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return "of \(worlds) worlds \(wholePageWorlds) page by page; mappings by lane asked and run: "
        + ran.joined(separator: ", ")
    }

    /// The mappings that ran in the lane that was asked for, in hundredths.
    func percent(_ asked: MigrationOptions.Lane, in lane: MigrationPlan.Lane) -> Int {
      let all = mappings.filter { $0.key.hasPrefix("\(asked)/") }.values.reduce(0, +)
      return (mappings["\(asked)/\(lane.rawValue)"] ?? 0) * 100 / max(1, all)
    }
  }

  private let state = Mutex(Counts())
  private let worldCount: Int

  /// - Parameter worldCount: how many worlds there will be.
  init(worldCount: Int) { self.worldCount = worldCount }

  /// Counts a world.
  ///
  /// - Parameter runs: how it ran in each way; those that were refused are left out.
  /// - Returns: what was counted, with the last world.
  func add(_ runs: [(way: MigrationOptions, report: MigrationReport)]) -> Counts? {
    state.withLock { counts in
      counts.worlds += 1
      for (way, report) in runs {
        // A mapping that only removes objects makes nothing in any lane.
        let lanes = report.steps.flatMap(\.mappings).filter { $0.destination != nil }.map(\.lane)
        for lane in lanes { counts.mappings["\(way.lane)/\(lane.rawValue)", default: 0] += 1 }
        if way.lane == .page, !lanes.isEmpty, lanes.allSatisfy({ $0 == .page }) {
          counts.wholePageWorlds += 1
        }
      }
      return counts.worlds == worldCount ? counts : nil
    }
  }
}
