internal import PassageMappings
internal import PassagePages
internal import PassageSQLite

/// Makes the objects of ranges on one thread: with a copier, policies and contexts of its own.
final class RangeMaker {
  /// A slow policy must not delay a run that is to stop.
  private static let rowsBetweenQuestions = 256

  private let shared: SharedMaking
  private let copier: RangeCopier
  /// By program, from the first row about which the engine decides.
  private var makers: [PageMaker?]
  private var rowsLeftOfBatch: Int

  /// - Returns: `nil` when nothing can be copied here.
  init?(_ shared: SharedMaking) {
    guard let copier = shared.job.makeCopier() else { return nil }
    self.shared = shared
    self.copier = copier
    makers = shared.makings.map { _ in nil }
    rowsLeftOfBatch = shared.rowsOfBatch
  }

  deinit {
    for maker in makers { maker?.context.close() }
  }

  /// Makes the objects of a range.
  ///
  /// - Returns: `nil` when the thread that writes must make them, and tell of an error.
  func make(_ range: LeafRange) -> MadeRange? {
    guard !shared.isOver else { return nil }
    let copied = StatementWatch.$current.withValue(shared.watch) { copy(range) }
    shared.count(isMade: copied != nil)
    // The counts of a range that was left are dropped.
    let counts = makers.map(Self.takeCounts)
    return copied.map { MadeRange(rows: $0.rows, counts: $0.counts, made: counts) }
  }

  private func copy(_ range: LeafRange) -> CopiedRange? {
    if rowsLeftOfBatch <= 0 {
      do {
        for maker in makers { try maker?.beginBatch() }
      } catch {
        return nil
      }
      rowsLeftOfBatch = shared.rowsOfBatch
    }
    let copied = copier.copy(
      range, rowsBetweenQuestions: Self.rowsBetweenQuestions,
      decide: { index, copier in
        let maker = try maker(index)
        do {
          return try maker.decideRows(ofProgram: index, copier) { error, _ in throw error }
        } catch {
          if maker.context.hasNeededPass { shared.stop() }
          throw error
        }
      },
      goesOn: { !shared.shouldStop })
    rowsLeftOfBatch -= Int(copied?.counts.readCount ?? 0)
    return copied
  }

  /// The maker of a program's rows.
  private func maker(_ index: Int) throws -> PageMaker {
    if let maker = makers[index] { return maker }
    guard shared.makings[index].isForAnyThread else { throw NeedsPass() }
    let making = try shared.makings[index].copyForThread()
    let step = making.step
    let context = MigrationContext(
      mappingPlan: making.mappingPlan, step: step,
      passes: PassLookup(paths: [], openSource: { try step.source.open() }),
      account: MappingAccount(
        name: making.mappingPlan.name, pass: "", source: nil, destination: nil,
        lane: making.mappingPlan.lane), missing: MissingValues(),
      nilled: NilledValues(), pass: nil)
    let policy = try step.policies.makePolicy(for: making.mappingPlan.bound.mapping)
    let maker = try PageMaker(making, policy, context)
    try maker.beginBatch()
    makers[index] = maker
    return maker
  }

  private static func takeCounts(_ maker: PageMaker?) -> MadeCounts {
    guard let maker else { return MadeCounts() }
    var counts = maker.takeCounts()
    counts.missing = maker.context.missing.take()
    return counts
  }
}

/// The objects of a range, and what was counted when they were made.
struct MadeRange: Sendable {
  var rows: RowBuffer
  var counts: CopyCounts
  /// By program.
  var made: [MadeCounts]
}
