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

/// What a migration refuses, with which exit status, and what it leaves behind: nothing.
@Suite struct RefusalTests {
  @Test func `a second runner is refused while the first holds the lock`() throws {
    let trial = try Safety.trial()
    let name = "new.sqlite"
    try FileSystem().makeDirectory(trial.directory.path("\(name).passage"))
    let held = try FileSystem().lock(trial.directory.path("\(name).passage/lock"))
    #expect(held != nil)
    let error = try trial.failure(to: name)
    #expect(error.kind.rawValue == 30)
    #expect(error.codes == ["RUN-010"])
    withExtendedLifetime(held) {}
  }

  @Test func `a dead runner's lock blocks nobody`() throws {
    let trial = try Safety.trial()
    try FileSystem().makeDirectory(trial.directory.path("new.sqlite.passage"))
    try trial.directory.write([], to: "new.sqlite.passage/lock")
    #expect(try trial.run().outcome == .migrated)
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite"])
  }

  @Test func `too small a disk is refused before the first byte is written`() throws {
    let trial = try Safety.trial()
    let files = FileSystem(freeBytes: { _ in 100 })
    let error = try trial.failure(files: files)
    #expect(error.kind.rawValue == 31)
    #expect(error.codes == ["RUN-005"])
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test func `a destination that exists is refused and not touched`() throws {
    let trial = try Safety.trial()
    try trial.directory.write([7], to: "new.sqlite")
    let error = try trial.failure()
    #expect(error.kind.rawValue == 64)
    #expect(error.codes == ["RUN-002"])
    #expect(trial.directory.contents("new.sqlite") == [7])
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite"])
  }

  @Test(arguments: ["old.sqlite", "./old.sqlite", "link.sqlite", "hard.sqlite"])
  func `the source as its own destination is refused under any name`(name: String) throws {
    let trial = try Safety.trial()
    try FileManager.default.createSymbolicLink(
      atPath: trial.directory.path("link.sqlite"), withDestinationPath: trial.sourcePath)
    try FileManager.default.linkItem(
      atPath: trial.sourcePath, toPath: trial.directory.path("hard.sqlite"))
    let error = try trial.failure(to: name)
    #expect(error.kind.rawValue == 64)
    #expect(error.codes == ["RUN-001"])
  }

  @Test func `a missing folder is refused`() throws {
    let trial = try Safety.trial()
    let error = try trial.failure(to: "nowhere/new.sqlite")
    #expect(error.kind.rawValue == 64)
    #expect(error.codes == ["RUN-003"])
  }

  @Test(
    arguments: [
      ("missing", 64), ("empty", 65), ("text", 65), ("truncated", 40), ("page", 40),
    ] as [(String, Int32)])
  func `a store that cannot be read is refused`(damage: String, status: Int32) throws {
    let trial = try Safety.trial()
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    switch damage {
    case "missing": try FileManager.default.removeItem(atPath: trial.sourcePath)
    case "empty": try trial.directory.write([], to: "old.sqlite")
    case "text": try trial.directory.write(Array("hello, world".utf8), to: "old.sqlite")
    case "truncated":
      try trial.directory.write(Array(bytes.prefix(bytes.count / 2)), to: "old.sqlite")
    default:
      // The first page holds the schema; every other one becomes rubbish.
      for index in 4_096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
      try trial.directory.write(bytes, to: "old.sqlite")
    }
    let error = try trial.failure()
    #expect(error.kind.rawValue == status)
    #expect(trial.directory.contents("new.sqlite") == nil)
    #expect(trial.directory.names.filter { $0.hasSuffix(".passage") } == [])
  }

  @Test func `rows of no entity are damage`() throws {
    let trial = try Trial(
      RelationshipTests.library("1"), RelationshipTests.library2, RelationshipTests.copies()
    ) { store in
      try store.insert("Book")
      try store.execute("UPDATE ZWORK SET Z_ENT = 99")
    }
    let error = try trial.failure()
    #expect(error.kind.rawValue == 40)
    #expect(trial.directory.contents("new.sqlite") == nil)
  }

  @Test func `objects that nothing takes over are an error, unless a remove mapping says so`()
    throws
  {
    var trial = try Safety.trial()
    trial.mappings = [trial.mappings[0]]
    let error = try trial.failure()
    #expect(error.kind.rawValue == 65)
    #expect(error.codes == ["PLN-012"])
    #expect(error.description.contains("4 objects of “Person”"))
    #expect(trial.directory.names == ["old.sqlite"])
    trial.mappings.append(try mapping(#"{"type": "remove", "source": "Person"}"#, named: "Gone"))
    let report = try trial.run()
    #expect(report.steps[0].mappings.map(\.removed) == [0, 4])
  }

  @Test func `a store of another model is refused by name`() throws {
    let other = Model("3", [Entity("Planet", [.text("name")])])
    let trial = try Trial(other, Safety.destination, Safety.mappings())
    let stranger = StoreMigration(
      storePath: trial.sourcePath, destination: .file(trial.directory.path("new.sqlite")),
      source: nil, destinationModel: nil,
      models: ["1": Safety.source, "2": Safety.destination], mappings: try Safety.mappings(),
      policies: PolicyRegistry(), options: MigrationOptions())
    let unknown = try #require(throws: MigrationError.self) {
      try stranger.run(control: RunControl())
    }
    #expect(unknown.kind.rawValue == 20)
    #expect(unknown.codes == ["PLN-016"])
    let known = StoreMigration(
      storePath: trial.sourcePath, destination: .file(trial.directory.path("new.sqlite")),
      source: nil, destinationModel: nil,
      models: ["1": Safety.source, "2": Safety.destination, "3": other],
      mappings: try Safety.mappings(), policies: PolicyRegistry(), options: MigrationOptions())
    let error = try #require(throws: MigrationError.self) {
      try known.run(control: RunControl())
    }
    #expect(error.kind.rawValue == 22)
    #expect(error.codes == ["PLN-015"])
  }

  // MARK: Work of other runs

  /// Stops a run half-way.
  private func stop(_ trial: Trial, at place: Int = 6) throws {
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 1)
    let error = try trial.failure(
      options: options, control: StoppingControl(after: place).control)
    #expect(error.kind.rawValue == 33)
    #expect(trial.directory.names.contains("new.sqlite.passage"))
  }

  @Test(arguments: [true, false])
  func `a run that was stopped says whether the next one continues`(isKept: Bool) throws {
    var trial = try Safety.trial()
    trial.worksInMemory = !isKept
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 1)
    let control = isKept ? StoppingControl(after: 6).control : RunControl(timeBudget: .zero)
    let error = try trial.failure(options: options, control: control)
    #expect(error.codes == ["RUN-013"])
    #expect(error.diskState?.contains("the work so far is in") == isKept)
    #expect(
      error.diagnostics.all.first?.remedy
        == (isKept
          ? "run the same command again to continue"
          : "run the same command again: nothing that this call did is kept"))
  }

  @Test func `a source that changed since makes the work worthless`() throws {
    let trial = try Safety.trial()
    try stop(trial)
    do {
      let other = try Connection(path: trial.sourcePath, mode: .readWrite)
      try other.execute("UPDATE ZPERSON SET ZNAME = 'changed' WHERE Z_PK = 1")
    }
    let report = try trial.run()
    #expect(report.discardedWork == "the source has changed since then")
    #expect(!report.wasContinued)
    let found = try StoreContents(
      path: trial.directory.path("new.sqlite"), model: Safety.destination)
    #expect(found.object("Person", 1)?["name"] == "changed")
  }

  @Test(arguments: [24, 5])
  func `a work folder that was made and cannot be locked is not left behind`(error: Int32) throws {
    let trial = try Safety.trial()
    let files = FileSystem(willPerform: { operation, path in
      guard operation == .lock else { return }
      throw FileSystem.Failure(operation: .lock, path: path, errorNumber: error)
    })
    let failure = try trial.failure(files: files)
    #expect(failure.codes == [error == 24 ? "STO-160" : "RUN-007"])
    #expect(trial.directory.names == ["old.sqlite"])
    #expect(try trial.run().outcome == .migrated)
  }

  @Test func `a source that changes while it is read is refused`() throws {
    let trial = try Safety.trial()
    let path = trial.sourcePath
    let asked = Mutex(0)
    let control = RunControl(willContinue: {
      let count = asked.withLock { count in
        count += 1
        return count
      }
      if count == 6, let other = try? Connection(path: path, mode: .readWrite) {
        try? other.execute("UPDATE ZPERSON SET ZNAME = 'changed' WHERE Z_PK = 1")
      }
      return true
    })
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 1)
    let error = try #require(throws: MigrationError.self) {
      try trial.migration(
        to: .file(trial.directory.path("new.sqlite")), options: options
      ).run(control: control)
    }
    #expect(error.codes == ["RUN-012"])
    #expect(trial.directory.contents("new.sqlite") == nil)
    #expect(try trial.run().outcome == .migrated)
  }

  @Test func `work of another plan is thrown away, and so is any when a fresh start is asked for`()
    throws
  {
    var trial = try Safety.trial()
    try stop(trial)
    trial.mappings[0] = try mapping(
      #"{"type": "copy", "source": "Car", "destination": "Car"}"#, named: "Cars")
    let other = try trial.run()
    #expect(other.discardedWork?.contains("other models") == true)
    let again = try Safety.trial()
    try stop(again)
    var options = MigrationOptions()
    options.unfinishedWork = .discard
    let fresh = try again.run(options: options)
    #expect(fresh.discardedWork == "a fresh start was requested")
    #expect(!fresh.wasContinued)
  }

  @Test func `a finished migration is known by its destination`() throws {
    let trial = try Safety.trial()
    #expect(try trial.run().outcome == .migrated)
    let before = trial.directory.contents("new.sqlite")
    #expect(try trial.run().outcome == .upToDate)
    #expect(trial.directory.contents("new.sqlite") == before)
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite"])
  }

  @Test func `work is private to its owner`() throws {
    let trial = try Safety.trial()
    try stop(trial)
    let folder = trial.directory.path("new.sqlite.passage")
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(folder) == 0o700)
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      #expect([0o600, 0o700].contains(try mode("\(folder)/\(name)")), "\(name)")
    }
  }
}
