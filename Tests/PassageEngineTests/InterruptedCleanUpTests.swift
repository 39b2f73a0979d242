import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// A clean-up after a cut-over in place that ends early: whatever is left, a kept store is never lost,
/// and the next call cleans up, whatever form it has.
@Suite struct InterruptedCleanUpTests {
  /// Fails operations from the n-th after the rename on, once or for good.
  private final class Faults: Sendable {
    private let count = Mutex(0)
    private let isPlaced = Mutex(false)
    private let path: String
    private let stop: Int
    private let isLasting: Bool
    private let isLinking: Bool

    init(_ path: String, stop: Int, isLasting: Bool, isLinking: Bool) {
      (self.path, self.stop, self.isLasting, self.isLinking) = (path, stop, isLasting, isLinking)
    }

    var files: FileSystem { FileSystem(willPerform: { [self] in try perform($0, $1) }) }

    private func perform(_ operation: FileSystem.Operation, _ path: String) throws {
      if operation == .link, !isLinking {
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 1)
      }
      if isPlaced.withLock({ $0 }) {
        let number = count.withLock { count in
          count += 1
          return count
        }
        guard number == stop || isLasting && number > stop else { return }
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
      }
      if operation == .rename, path == self.path { isPlaced.withLock { $0 = true } }
    }

    var hasFailed: Bool { count.withLock { $0 } >= stop }
  }

  /// How often operations after the rename are tried to fail.
  private func everyFault(
    isLasting: Bool, isLinking: Bool = true, worksInMemory: Bool = false,
    _ body: (_ trial: Trial, _ report: MigrationReport) throws -> Void
  ) throws {
    var stop = 0
    while true {
      stop += 1
      var trial = try Safety.trial()
      trial.worksInMemory = worksInMemory
      let faults = Faults(
        trial.sourcePath, stop: stop, isLasting: isLasting, isLinking: isLinking)
      let report = try trial.runInPlace(files: faults.files)
      #expect(report.outcome == .migrated)
      #expect(try Safety.version(trial.sourcePath) == "2")
      guard faults.hasFailed else { break }
      let codes = report.warnings.all.map(\.code)
      // What a run in memory has left is removed in a second way if the first fails.
      let isMended = worksInMemory && !isLasting
      #expect(isMended || codes.contains("RUN-052") || codes.contains("RUN-053"), "\(stop)")
      #expect(
        try codes.contains("RUN-052") == FileSystem().exists(trial.sourcePath + ".passage"),
        "\(stop)")
      try body(trial, report)
    }
    #expect(stop > (worksInMemory ? 3 : 5))
  }

  /// Puts another store of the old version at the path, as a user does who restores a copy.
  private func putSecondStore(_ trial: Trial) throws {
    let second = try Safety.trial()
    for sidecar in ["-wal", "-shm", ""] {
      try? FileManager.default.removeItem(atPath: trial.sourcePath + sidecar)
    }
    try trial.directory.copy(second.sourcePath, to: "old.sqlite")
  }

  @Test(arguments: [true, false], [(true, false), (false, false), (true, true), (false, true)])
  func `a second old store at the path does not take the kept one's name`(
    isLasting: Bool, way: (isLinking: Bool, worksInMemory: Bool)
  ) throws {
    try everyFault(
      isLasting: isLasting, isLinking: way.isLinking, worksInMemory: way.worksInMemory
    ) { trial, _ in
      let kept = try #require(trial.directory.contents("old.sqlite.before-1"))
      try putSecondStore(trial)
      #expect(try trial.runInPlace().outcome == .migrated)
      #expect(
        trial.directory.names == ["old.sqlite", "old.sqlite.before-1", "old.sqlite.before-1~2"])
      #expect(trial.directory.contents("old.sqlite.before-1") == kept)
    }
  }

  /// The old store's file keeps its number: the second one is written over the first one's.
  @Test(arguments: [true, false])
  func `a mark is void for another store in the very same file`(isLinking: Bool) throws {
    let trial = try Safety.trial()
    let faults = Faults(trial.sourcePath, stop: 1, isLasting: true, isLinking: isLinking)
    try trial.runInPlace(files: faults.files)
    let kept = try #require(trial.directory.contents("old.sqlite.before-1"))
    // The kept store goes back to its path by a rename, and another is kept in its place.
    try FileManager.default.removeItem(atPath: trial.sourcePath)
    try FileManager.default.moveItem(
      atPath: trial.sourcePath + ".before-1", toPath: trial.sourcePath)
    try trial.directory.write([1, 2, 3], to: "old.sqlite.before-1")
    try trial.runInPlace()
    #expect(trial.directory.contents("old.sqlite.before-1") == [1, 2, 3])
    #expect(trial.directory.contents("old.sqlite.before-1~2") == kept)
  }

  /// A power failure may keep what was removed last and bring back what was removed before it, unless the
  /// folder was synced in between.
  @Test func `the marker goes after a sync of everything else that goes`() throws {
    let trial = try Safety.trial()
    let log = Mutex<[(FileSystem.Operation, String)]>([])
    try trial.runInPlace(
      files: FileSystem(willPerform: { operation, path in
        log.withLock { $0.append((operation, path)) }
      }))
    let work = trial.sourcePath + ".passage"
    let operations = log.withLock { $0 }
    let marker = try #require(
      operations.lastIndex { $0.0 == .remove && $0.1 == "\(work)/passage-work" })
    #expect(operations[marker - 1] == (.synchronizeDirectory, work))
    let others = operations[..<marker].lastIndex { $0.0 == .remove && $0.1.hasPrefix(work + "/") }
    #expect(try #require(others) < marker - 1)
  }

  /// A power failure may leave the log without its index.
  @Test(arguments: [true, false])
  func `a call with nothing to do removes the empty log of racing readers`(hasIndex: Bool) throws {
    let trial = try Safety.trial(isLogKept: true)
    try trial.runInPlace()
    let path = trial.sourcePath
    try Connection(path: path, mode: .readWrite).execute("PRAGMA journal_mode = WAL")
    let store = try #require(trial.directory.contents("old.sqlite"))
    try trial.directory.write([], to: "old.sqlite-wal")
    if hasIndex {
      try trial.directory.write(Array(repeating: 0, count: 32_768), to: "old.sqlite-shm")
    }
    #expect(FinishedWork.remove(destinationPath: path, storePath: path).all.isEmpty)
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
    #expect(trial.directory.contents("old.sqlite") == store)
  }

  @Test(arguments: [true, false])
  func `a run removes the empty log that an earlier one has left`(hasIndex: Bool) throws {
    let trial = try Safety.trial()
    try Connection(path: trial.sourcePath, mode: .readWrite).execute("PRAGMA journal_mode = WAL")
    try trial.directory.write([], to: "old.sqlite-wal")
    if hasIndex {
      try trial.directory.write(Array(repeating: 0, count: 32_768), to: "old.sqlite-shm")
    }
    _ = try trial.migration(to: .file(trial.directory.path("new.sqlite"))).run(
      control: RunControl())
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite"])
  }

  @Test(arguments: ["mappings", "inferred", "manager", "upgrade"])
  func `every form of the call removes what is left`(form: String) async throws {
    let trial = try Safety.trial()
    let faults = Faults(trial.sourcePath, stop: 1, isLasting: true, isLinking: true)
    try trial.runInPlace(files: faults.files)
    #expect(trial.directory.names.contains("old.sqlite.passage"))
    let url = URL(fileURLWithPath: trial.sourcePath)
    let report: MigrationReport
    switch form {
    case "mappings": report = try trial.runInPlace()
    case "inferred":
      var options = MigrationOptions()
      options.allowed.inference = true
      report = try StoreMigration(
        storePath: trial.sourcePath, destination: .inPlace, source: nil,
        destinationModel: Safety.destination,
        models: ["1": Safety.source, "2": Safety.destination], mappings: [],
        policies: PolicyRegistry([]), options: options
      ).run(control: RunControl())
    case "manager":
      report = try await MigrationManager(source: Safety.source, destination: Safety.destination)
        .migrate(storeInPlaceAt: url, mappings: Safety.mappings()).value
    default:
      let project = try TemporaryDirectory()
      try FileManager.default.createDirectory(
        atPath: project.path("Migrations"), withIntermediateDirectories: false)
      for model in [Safety.source, Safety.destination] {
        try project.write(
          Array(ModelDocument.encode(model).utf8), to: "Migrations/Model \(model.name).json")
      }
      try project.write(
        Array(
          """
          {"versions": [{"name": "1", "model": "Model 1.json"},
                        {"name": "2", "model": "Model 2.json"}], "steps": []}
          """.utf8), to: "Migrations/history.json")
      report = try await StoreUpgrade(migrations: project.url("Migrations")).run(storeAt: url)
    }
    #expect(report.outcome == .upToDate)
    #expect(report.warnings.all.filter { $0.code == "RUN-052" } == [])
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
  }

  /// Work of another migration of the store that is there is not what a finished one has left.
  @Test func `work towards another version is not removed`() throws {
    let trial = try InterruptionTests.chain()
    let error = try #require(throws: MigrationError.self) {
      try trial.runInPlace(control: StoppingControl(after: 20).control)
    }
    #expect(error.kind == .cancelled)
    var options = MigrationOptions()
    options.allowed.inference = true
    let upToDate = StoreMigration(
      storePath: trial.sourcePath, destination: .inPlace, source: nil,
      destinationModel: Safety.source, models: ["1": Safety.source], mappings: [],
      policies: PolicyRegistry([]), options: options)
    #expect(try upToDate.run(control: RunControl()).outcome == .upToDate)
    #expect(try trial.runInPlace().wasContinued)
  }
}
