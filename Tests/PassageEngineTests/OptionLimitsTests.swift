import Foundation
import Passage
import PassageEngine
import PassageTesting
import Testing

/// Numbers of options that have no meaning are taken for the nearest that has one, or refused, whenever
/// they are set.
@Suite struct OptionLimitsTests {
  private static let wrong = [0, -1, .min]

  @Test(arguments: wrong)
  func `a limit of a batch is never below 1`(number: Int) {
    #expect(BatchLimits(rows: number, bytes: number) == BatchLimits(rows: 1, bytes: 1))
    var limits = BatchLimits()
    limits.rows = number
    limits.bytes = number
    #expect(limits == BatchLimits(rows: 1, bytes: 1))
    limits.rows -= 1
    #expect(limits.rows == 1)
  }

  @Test(arguments: wrong, MigrationOptions.Lane.allCases)
  func `a migration with batches of no objects ends`(
    number: Int, lane: MigrationOptions.Lane
  ) throws {
    let trial = try QuarantineTests.trial()
    var options = QuarantineTests.options(8, lane: lane)
    options.limits.batch.rows = number
    options.limits.batch.bytes = number
    let report = try trial.run(options: options)
    #expect(report.outcome == .migrated)
    #expect(report.steps.flatMap(\.mappings).filter { !$0.isBalanced } == [])
  }

  @Test(arguments: [-1, .min] as [Int])
  func `fewer quarantined objects than none are none`(number: Int) throws {
    var options = MigrationOptions()
    options.allowed.quarantined = number
    #expect(options.allowed.quarantined == 0)
    let trial = try Safety.trial()
    #expect(try trial.run(options: options).outcome == .migrated)
  }

  @Test(arguments: [-1, .min] as [Int])
  func `fewer kept stores than none are refused, and none is removed`(number: Int) throws {
    let trial = try Safety.trial()
    try trial.runInPlace()
    let store = URL(filePath: trial.sourcePath)
    let kept = try KeptStore.all(of: store)
    #expect(kept.count == 1)
    let error = #expect(throws: MigrationError.self) {
      try KeptStore.prune(of: store, keeping: number)
    }
    #expect(error?.kind == .wrongCall)
    #expect(error?.codes == ["RUN-093"])
    #expect(try KeptStore.all(of: store) == kept)
    let other = try Safety.trial()
    var options = MigrationOptions()
    options.keptStoresLimit = number
    let refusal = #expect(throws: MigrationError.self) {
      try other.migration(to: .inPlace, options: options).plan()
    }
    #expect(refusal?.codes == ["RUN-093"])
    let before = other.sourceBytes
    let failure = #expect(throws: MigrationError.self) { try other.runInPlace(options: options) }
    #expect(failure?.codes == ["RUN-093"])
    #expect(other.sourceBytes == before)
    #expect(other.directory.names == ["old.sqlite"])
  }

  @Test func `fewer made-up objects than none are none`() throws {
    let trial = try Safety.trial()
    let store = try TestStore(model: trial.source, at: trial.directory.path("made.sqlite"))
    #expect(try store.insertMadeUpObjects(count: -1, seed: 1) == 0)
    try store.close()
    let made = try StoreContents(path: trial.directory.path("made.sqlite"), model: trial.source)
    let filled = try StoreContents(path: trial.sourcePath, model: trial.source)
    #expect(made.differences(from: filled, limit: -1) == [])
    #expect(!made.differences(from: filled, limit: 1).isEmpty)
  }
}
