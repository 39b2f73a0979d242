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

/// The file of what was quarantined is the only record of it.
@Suite struct QuarantineFileTests {
  private static let mine = Array("{\"entity\":\"mine\"}\n".utf8)

  @Test(arguments: ConversionTrial.types)
  func `that of an earlier migration is refused before anything is written`(
    _ type: String?
  ) throws {
    let trial = try ConversionTrial(QuarantineTests.trial(), from: nil)
    let name = ConversionTrial.name("new", type)
    try trial.directory.write(Self.mine, to: name + ".quarantine.jsonl")
    let names = trial.directory.names
    let writes = Mutex(0)
    let files = FileSystem(willPerform: { operation, _ in
      if operation != .freeBytes { writes.withLock { $0 += 1 } }
    })
    let error = try trial.failure(
      to: name, as: type, options: QuarantineTests.options(4), files: files)
    #expect(error.kind == .wrongCall)
    #expect(error.codes == ["RUN-046"])
    #expect(writes.withLock { $0 } == 0)
    #expect(trial.directory.contents(name + ".quarantine.jsonl") == Self.mine)
    #expect(trial.directory.names == names)
  }

  @Test(arguments: [false, true])
  func `in place, that of an earlier migration is refused, and a plan says so`(
    keepsBackup: Bool
  ) throws {
    let trial = try QuarantineTests.trial()
    try trial.directory.write(Self.mine, to: "old.sqlite.quarantine.jsonl")
    let before = trial.sourceBytes
    var options = QuarantineTests.options(4)
    options.oldStore = keepsBackup ? .keep : .remove
    for plans in [false, true] {
      let error = try #require(throws: MigrationError.self) {
        if plans {
          _ = try trial.migration(to: .inPlace, options: options).plan()
        } else {
          try trial.runInPlace(options: options)
        }
      }
      // Without the old store, the values of what is quarantined would be nowhere.
      #expect(error.codes == [keepsBackup ? "RUN-046" : "RUN-095"])
    }
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.quarantine.jsonl"])
    #expect(trial.directory.contents("old.sqlite.quarantine.jsonl") == Self.mine)
    #expect(trial.sourceBytes == before)
  }

  @Test func `it is in nobody's way where nothing may be quarantined`() throws {
    let trial = try Safety.trial()
    try trial.directory.write(Self.mine, to: "new.sqlite.quarantine.jsonl")
    #expect(try trial.run().outcome == .migrated)
    #expect(trial.directory.contents("new.sqlite.quarantine.jsonl") == Self.mine)
  }

  @Test func `one that appears during the run is not replaced`() throws {
    let trial = try QuarantineTests.trial()
    let path = trial.directory.path("new.sqlite.quarantine.jsonl")
    let files = FileSystem(willPerform: { operation, other in
      if operation == .link, other == path { try Data(Self.mine).write(to: URL(filePath: path)) }
    })
    let error = try trial.failure(options: QuarantineTests.options(4), files: files)
    #expect(error.codes == ["RUN-046"])
    #expect(trial.directory.contents("new.sqlite.quarantine.jsonl") == Self.mine)
    try FileManager.default.removeItem(atPath: path)
    let report = try trial.run(options: QuarantineTests.options(4))
    #expect(report.wasContinued)
    #expect(try QuarantineTests.lines(trial).count == 4)
  }

  @Test func `it is written on file systems without links`() throws {
    let trial = try QuarantineTests.trial()
    let files = FileSystem(willPerform: { operation, path in
      if operation == .link {
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 1)
      }
    })
    let report = try trial.run(options: QuarantineTests.options(4), files: files)
    #expect(report.quarantined == 4)
    #expect(try QuarantineTests.lines(trial).count == 4)
    #expect(
      trial.directory.names == ["new.sqlite", "new.sqlite.quarantine.jsonl", "old.sqlite"])
  }

  // MARK: Interrupted

  /// Stops a run between the file and the cut-over.
  private func stopBeforeCutOver(
    _ trial: Trial, to destination: MigrationDestination, _ options: MigrationOptions
  ) throws {
    let isPlaced = Mutex(false)
    let files = FileSystem(willPerform: { operation, path in
      if isPlaced.withLock({ $0 }) {
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
      }
      let isFolder = operation == .synchronizeDirectory && path == trial.directory.path
      if isFolder, trial.directory.names.contains(where: { $0.hasSuffix(".quarantine.jsonl") }) {
        isPlaced.withLock { $0 = true }
      }
    })
    let error = try #require(throws: MigrationError.self) {
      try trial.migration(to: destination, options: options, files: files)
        .run(control: RunControl())
    }
    #expect(error.kind == .inputOutput)
    #expect(trial.directory.names.contains { $0.hasSuffix(".quarantine.jsonl") })
  }

  @Test(arguments: [false, true], ["corrected", "fewer", "more"])
  func `that of an interrupted run goes with its work when the source is another`(
    isInPlace: Bool, change: String
  ) throws {
    let trial = try QuarantineTests.trial()
    let name = isInPlace ? "old.sqlite" : "new.sqlite"
    let destination: MigrationDestination =
      isInPlace ? .inPlace : .file(trial.directory.path(name))
    let options = QuarantineTests.options(4)
    try stopBeforeCutOver(trial, to: destination, options)
    do {
      let source = try Connection(path: trial.sourcePath, mode: .readWrite)
      try source.execute("UPDATE ZCAR SET ZDAY = '2020-02-02' WHERE ZDAY = 'someday'")
      if change == "corrected" {
        try source.execute(
          "UPDATE ZCAR SET ZPLATE = 'p8' WHERE Z_PK = 8; UPDATE ZOWNER SET ZNAME = 'b'")
      }
      if change == "more" { try source.execute("UPDATE ZOWNER SET ZNAME = NULL") }
    }
    let report = try trial.migration(to: destination, options: options).run(control: RunControl())
    #expect(report.discardedWork != nil)
    let expected = ["corrected": 0, "fewer": 2, "more": 4][change]
    #expect(report.quarantined == expected.map(Int64.init))
    let lines = trial.directory.contents(name + ".quarantine.jsonl")
    #expect(lines?.count { $0 == UInt8(ascii: "\n") } ?? 0 == expected)
    #expect(trial.directory.names.filter { $0.hasSuffix(".passage") } == [])
  }

  @Test(arguments: [0, 3])
  func `more than a later call allows are not taken from an earlier one`(maximum: Int) throws {
    let trial = try QuarantineTests.trial()
    let destination = MigrationDestination.file(trial.directory.path("new.sqlite"))
    try stopBeforeCutOver(trial, to: destination, QuarantineTests.options(4))
    let error = try trial.failure(options: QuarantineTests.options(maximum))
    #expect(error.codes == ["RUN-043", "RUN-045"])
    #expect(trial.directory.names == ["new.sqlite.passage", "old.sqlite"])
    // A call that is refused has written nothing, so all of the work was asked.
    let report = try trial.run(options: QuarantineTests.options(4))
    #expect(report.wasContinued && report.discardedWork == nil)
    #expect(report.quarantined == 4)
  }

  @Test func `the record of a finished migration stays when its folder was left behind`() throws {
    // Killed after the rename: the work folder is still there.
    let trial = try QuarantineTests.trial()
    let options = QuarantineTests.options(4)
    let path = trial.sourcePath
    let isPlaced = Mutex(false)
    let files = FileSystem(willPerform: { operation, other in
      if isPlaced.withLock({ $0 }) {
        throw FileSystem.Failure(operation: operation, path: other, errorNumber: 5)
      }
      if operation == .rename, other == path { isPlaced.withLock { $0 = true } }
    })
    let report = try trial.runInPlace(options: options, files: files)
    #expect(report.warnings.all.map(\.code).contains("RUN-052"))
    let lines = try #require(trial.directory.contents("old.sqlite.quarantine.jsonl"))
    #expect(trial.directory.names.contains("old.sqlite.passage"))
    // The next migration of the same store.
    let third = Model(
      "3", [Entity("Car", [.text("plate")])])
    let next = StoreMigration(
      storePath: path, destination: .inPlace, source: nil, destinationModel: third,
      models: ["2": trial.destination, "3": third],
      mappings: [
        try mapping(
          """
          {"type": "copy", "source": "Car", "destination": "Car"},
          {"type": "remove", "source": "Owner"}, {"type": "remove", "source": "Paper"},
          {"type": "remove", "source": "Tag"}
          """, from: "2", to: "3")
      ], policies: PolicyRegistry([]), options: options)
    let error = try #require(throws: MigrationError.self) {
      try next.run(control: RunControl())
    }
    #expect(error.codes == ["RUN-046"])
    #expect(trial.directory.contents("old.sqlite.quarantine.jsonl") == lines)
  }

  @Test(arguments: [false, true])
  func `in place, a fault anywhere leaves the same file in the end`(rows: Bool) throws {
    let whole = try QuarantineTests.trial()
    // A store has an identity of its own: every round starts with the same one.
    let source = try #require(whole.directory.contents("old.sqlite"))
    let options = QuarantineTests.options(4, lane: rows ? .row : .automatic)
    try whole.runInPlace(options: options)
    let expected = try StoreRows(path: whole.sourcePath)
    let lines = try #require(whole.directory.contents("old.sqlite.quarantine.jsonl"))
    var stop = 0
    var slice = FaultSlice("QuarantineFileTests")
    while true {
      stop = slice.next(after: stop)
      let trial = try QuarantineTests.trial()
      try trial.directory.write(source, to: "old.sqlite")
      let faults = FaultyFiles(failing: stop, isLasting: true)
      do {
        try trial.runInPlace(options: options, files: faults.files)
        if !faults.hasFailed { break }
      } catch let error as MigrationError {
        #expect(error.kind == .inputOutput, "\(faults.last)")
      }
      let left = trial.directory.contents("old.sqlite.quarantine.jsonl")
      #expect([nil, lines].contains(left), "\(faults.last)")
      #expect([.migrated, .upToDate].contains(try trial.runInPlace(options: options).outcome))
      #expect(try StoreRows(path: trial.sourcePath).differences(from: expected) == [])
      #expect(trial.directory.contents("old.sqlite.quarantine.jsonl") == lines, "\(faults.last)")
      #expect(trial.directory.names == whole.directory.names, "\(faults.last)")
    }
    #expect(stop > 20)
  }
}
