internal import PassagePages
internal import PassageSQLite
internal import PassageStores

/// The ranges of the sweep that comes after the one that runs. Threads begin them when they have
/// nothing more to do for the sweep that runs, so that small tables are made beside each other.
///
/// Nothing of it is seen before the sweep itself takes the ranges: a sweep that needs what becomes of
/// an earlier one, calls a policy, or was interrupted begins none early.
package final class EarlyRanges {
  /// Is called with the name of the source table whose ranges begin early.
  @TaskLocal package static var willBegin: @Sendable (String) -> Void = { _ in }

  private let make: () throws -> SharedRanges?
  private var wasAsked = false
  private var ranges: SharedRanges?

  /// - Parameters:
  ///   - group: the mappings that share the sweep.
  ///   - links: what sweeps know of each other.
  ///   - source: a connection to the source, for its schema.
  ///   - destination: the table that they fill.
  ///   - longestPayload: that of a record that fits a leaf of it.
  /// - Returns: `nil` for a sweep of which nothing can be done early.
  init?(
    _ group: [MappingRun], _ links: PageLinks, step: StepRun, source: Connection,
    _ reader: PageReader, destination: PageTable, longestPayload: Int, _ limits: BatchLimits,
    _ control: RunControl
  ) {
    guard step.jobs > 1, limits.allowThreads,
      group.allSatisfy({
        $0.policy == nil && $0.progress.cursor == .min && !links.mayWriteLinks(of: $0.mappingPlan)
      })
    else { return nil }
    make = {
      guard let layout = group.first?.mappingPlan.source,
        let table = try PageTable(layout.tableName, source), table.holdsObjects
      else { return nil }
      let makings = try group.compactMap { work in
        try work.mappingPlan.source.map {
          try PageMaking(
            step.links.program(of: work.mappingPlan, lookedUp: []), entity: $0, from: table,
            to: destination, step: step.basis, isChecked: step.quarantine.isOpen)
        }
      }
      guard
        let job = RangeCopier.Job(
          makings, reader, from: table, isAlone: layout.isAlone, to: destination,
          longestPayload: longestPayload)
      else { return nil }
      Self.willBegin(table.name)
      return SharedRanges(
        reader, after: .min,
        SharedMaking(job, makings, rowsOfBatch: limits.rows, control), threadCount: step.jobs)
    }
  }

  /// Has threads begin the ranges, if they have not.
  ///
  /// What is wrong with the tables is told by the sweep itself.
  func begin() {
    guard !wasAsked else { return }
    wasAsked = true
    ranges = try? make()
  }

  /// The ranges that have been begun; whoever takes them ends them.
  func take() -> SharedRanges? {
    defer { ranges = nil }
    return ranges
  }

  /// Ends the threads.
  func stop() { take()?.stop() }
}

extension RangeCopier.Job {
  /// What threads need to make the objects of mappings that share a sweep beside each other.
  ///
  /// - Returns: `nil` when only the thread that writes can make them.
  init?(
    _ makings: [PageMaking], _ reader: PageReader, from source: PageTable, isAlone: Bool,
    to destination: PageTable, longestPayload: Int
  ) {
    guard makings.allSatisfy({ $0.isForAnyThread || !$0.program.copy.isDecidedByCaller }) else {
      return nil
    }
    self.init(
      reader, root: source.root, source: source.columns,
      entityColumn: source.position("Z_ENT"), isAlone: isAlone, destination: destination.columns,
      programs: makings.map(\.program.copy), longestPayload: longestPayload)
  }
}
