import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageStores
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// What the plan says of the disk, what a run needs, and when it is refused.
@Suite struct DiskRoomTests {
  private static func totalBytes(_ trial: Trial) -> Int64 {
    StoreUnit(path: trial.sourcePath).totalBytes
  }

  private static func files(freeBytes: Int64) -> FileSystem {
    FileSystem(freeBytes: { _ in freeBytes })
  }

  /// The largest size that a folder has when an operation begins in it.
  private final class Peak: Sendable {
    private let bytes = Mutex<Int64>(0)
    private let folder: String

    init(folder: String) { self.folder = folder }

    var found: Int64 { bytes.withLock { $0 } }

    var files: FileSystem {
      FileSystem(willPerform: { [self] _, _ in
        let now = Self.size(of: folder)
        bytes.withLock { $0 = max($0, now) }
      })
    }

    private static func size(of folder: String) -> Int64 {
      let names = (try? FileSystem.names(in: folder)) ?? []
      return names.reduce(Int64(0)) { sum, name in
        let path = "\(folder)/\(name)"
        guard let status = try? FileSystem.status(path) else { return sum }
        return sum + (status.kind == .directory ? size(of: path) : status.bytes)
      }
    }
  }

  /// Two passes give each object of one entity a text that the source does not have.
  @Test(arguments: [MigrationOptions.Lane.row, .set, .page])
  func `the plan's estimate is not below what computed texts take`(
    lane: MigrationOptions.Lane
  ) throws {
    let text = "'a day in the year of 2026'"
    let names = ["First", "Second"]
    let mappings = try names.map { name in
      try mapping(
        """
        {"type": "transform", "source": "Person", "destination": "\(name)",
         "attributes": {"text": "\(text)"}}
        """, named: name)
    }
    var trial = try Trial(
      Model("1", [Entity("Person", [.number("age")])]),
      Model("2", names.map { Entity($0, [.text("text")]) }), mappings
    ) { store in
      try store.execute(
        """
        WITH RECURSIVE keys(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM keys WHERE n < 60000)
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZAGE) SELECT n, 1, 1, n FROM keys
        """)
    }
    trial.lane = lane
    let plan = try trial.migration(to: .file(trial.directory.path("new.sqlite"))).plan()
    let peak = Peak(folder: trial.directory.path("new.sqlite.passage"))
    try trial.run(files: peak.files)
    #expect(peak.found > 2 * plan.bytes)
    #expect(plan.neededBytes >= peak.found)
    #expect(plan.neededBytes < 4 * peak.found)
  }

  @Test func `what does not fit once is refused, and what may not fit is warned of`() throws {
    let trial = try Safety.trial()
    let bytes = Self.totalBytes(trial)
    let small = Self.files(freeBytes: bytes - 1)
    let destination = MigrationDestination.file(trial.directory.path("new.sqlite"))
    #expect(try trial.failure(files: small).codes == ["RUN-005"])
    let refusal = try #require(throws: MigrationError.self) {
      try trial.migration(to: destination, files: small).plan()
    }
    #expect(refusal.codes == ["RUN-005"])
    // SQLite's index of the log may be among the source's files.
    let tight = Self.files(freeBytes: bytes + 65_536)
    let plan = try trial.migration(to: destination, files: tight).plan()
    #expect(plan.warnings.all.map(\.code).contains("RUN-091"))
    #expect(plan.neededBytes > plan.freeBytes)
    let ample = try trial.migration(to: destination).plan()
    #expect(!ample.warnings.all.map(\.code).contains("RUN-091"))
    #expect(try trial.run(files: tight).outcome == .migrated)
  }

  /// The work takes room that the next run does not need again.
  @Test(arguments: [MigrationOptions.UnfinishedWork.continue, .discard])
  func `after a full disk the work counts as free`(work: MigrationOptions.UnfinishedWork) throws {
    let trial = try Safety.trial()
    let full = FileSystem(willPerform: { operation, path in
      guard operation == .write, path.contains("/account.json") else { return }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: ENOSPC)
    })
    var options = MigrationOptions()
    options.unfinishedWork = work
    let failure = try trial.failure(options: options, files: full)
    #expect(failure.codes == ["RUN-006"])
    let isDiscarded = work == .discard
    #expect(
      failure.diskState?.contains("the same command without --fresh continues") == isDiscarded)
    #expect(failure.diskState?.contains("the same command continues") == !isDiscarded)
    // Less than the source takes, but not less with what is there.
    let report = try trial.run(
      options: options, files: Self.files(freeBytes: Self.totalBytes(trial) - 1))
    #expect(report.outcome == .migrated)
    #expect(report.wasContinued == !isDiscarded)
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite"])
  }
}
