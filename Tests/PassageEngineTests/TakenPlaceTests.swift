import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageTesting
import Synchronization
import Testing

/// Another program makes a store where the result is to be put, after that place was checked. What is beside
/// its store is its log, with the only copy of what it wrote last.
@Suite struct TakenPlaceTests {
  /// Makes a foreign store with a log once an operation is about to be done.
  private final class Intruder: Sendable {
    static let store = Array("SQLite format 3, of another program".utf8)
    static let log = Array("what it has written last".utf8)

    private let hasCome = Mutex(false)
    private let path: String
    private let isDue: @Sendable (FileSystem.Operation, String) -> Bool

    init(_ path: String, before isDue: @escaping @Sendable (FileSystem.Operation, String) -> Bool) {
      (self.path, self.isDue) = (path, isDue)
    }

    var files: FileSystem {
      FileSystem(willPerform: { [self] operation, place in
        guard isDue(operation, place) else { return }
        try hasCome.withLock { hasCome in
          guard !hasCome else { return }
          hasCome = true
          try Data(Self.store).write(to: URL(fileURLWithPath: path + ".made"))
          guard rename(path + ".made", path) == 0 else { throw CocoaError(.fileWriteUnknown) }
          try Data(Self.log).write(to: URL(fileURLWithPath: path + "-wal"))
        }
      })
    }

    var came: Bool { hasCome.withLock { $0 } }
  }

  private static func expectUntouched(_ name: String, in trial: Trial) {
    #expect(trial.directory.contents(name) == Intruder.store)
    #expect(trial.directory.contents(name + "-wal") == Intruder.log)
  }

  @Test(arguments: [FileSystem.Operation.synchronize, .link], [false, true])
  func `at a free path, its store and log stay, and the work is continued`(
    operation: FileSystem.Operation, worksInMemory: Bool
  ) throws {
    var trial = try Safety.trial()
    trial.worksInMemory = worksInMemory
    let path = trial.directory.path("new.sqlite")
    let intruder = Intruder(path) { done, place in
      done == operation && (operation == .synchronize || place == path)
    }
    let error = try trial.failure(files: intruder.files)
    #expect(intruder.came)
    #expect(error.codes == ["RUN-002"])
    Self.expectUntouched("new.sqlite", in: trial)
    for name in ["new.sqlite", "new.sqlite-wal"] {
      try FileManager.default.removeItem(atPath: trial.directory.path(name))
    }
    #expect(try trial.run().outcome == .migrated)
  }

  @Test(arguments: [FileSystem.Operation.link, .synchronizeDirectory])
  func `in place, a store that came instead keeps its log`(
    operation: FileSystem.Operation
  ) throws {
    let trial = try Safety.trial()
    let path = trial.sourcePath
    let kept = { @Sendable in FileManager.default.fileExists(atPath: path + ".before-1") }
    let intruder = Intruder(trial.sourcePath) { done, place in
      done == operation
        && (operation == .link ? place.contains(".before") : kept())
    }
    let error = try #require(throws: MigrationError.self) {
      try trial.runInPlace(files: intruder.files)
    }
    #expect(intruder.came)
    #expect(error.codes == ["RUN-012"])
    Self.expectUntouched("old.sqlite", in: trial)
    // What is named as kept is the store that was read, and never the other one.
    for name in trial.directory.names where name.contains(".before") {
      #expect(trial.directory.contents(name) != Intruder.store)
    }
  }

  @Test func `a finished call leaves the work of a later migration of its result`() throws {
    let trial = try Safety.trial()
    try trial.run()
    let path = trial.directory.path("new.sqlite")
    let newest = Model("3", trial.destination.entities + [Entity("Extra", [.text("name")])])
    var options = MigrationOptions()
    options.limits.workMemoryBytes = 0
    options.lane = .row
    options.limits.batch = BatchLimits(rows: 1)
    let onward = StoreMigration(
      storePath: path, destination: .inPlace, source: trial.destination, destinationModel: newest,
      models: [trial.destination.name: trial.destination, newest.name: newest],
      mappings: [try InferredMapping.infer(from: trial.destination, to: newest)],
      policies: PolicyRegistry([]), options: options)
    #expect(throws: MigrationError.self) {
      try onward.run(control: StoppingControl(after: 12).control)
    }
    let names = trial.directory.names
    #expect(names.contains("new.sqlite.passage"))
    let report = try trial.run()
    #expect(report.outcome == .upToDate)
    #expect(trial.directory.names == names)
    #expect(try onward.run(control: RunControl()).wasContinued)
  }

  @Test func `a destination that would share the folder of a store beside it is refused`() throws {
    let trial = try ExternalDataTests.trial()
    try trial.run(to: "other.db")
    let names = trial.directory.names
    let error = try trial.failure(to: "other.sqlite")
    #expect(error.codes == ["STO-315"])
    #expect(trial.directory.names == names)
    // A file that is no store has no such folder.
    try trial.directory.write(Array("notes".utf8), to: "third.txt")
    #expect(try trial.run(to: "third.sqlite").outcome == .migrated)
  }

  /// A fleet lists the folder of its results once, and knows what it has put there itself.
  @Test(arguments: ["other.db", "other"], [false, true])
  func `a fleet finds a store that would share its folder`(name: String, isThere: Bool) throws {
    let trial = try ExternalDataTests.trial()
    let files = FileSystem(stems: NameBeginnings(mark: "."))
    try trial.run(to: name, files: isThere ? FileSystem() : files)
    #expect(try trial.failure(to: "other.sqlite", files: files).codes == ["STO-315"])
    #expect(try trial.run(to: "third.sqlite", files: files).outcome == .migrated)
  }
}
