import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageStores
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// The lock of a run that worked in memory: from its cut-over on, it says whose the folder is and which
/// store gives way to which.
@Suite struct LockMarksTests {
  private static func trial(worksInMemory: Bool = true) throws -> Trial {
    var trial = try Safety.trial()
    trial.worksInMemory = worksInMemory
    return trial
  }

  /// A run that is stopped right before the new store gets its name, and can do nothing from then on.
  private static func stopBeforeRename(_ trial: Trial) throws {
    let isOver = Mutex(false)
    let files = FileSystem(willPerform: { operation, path in
      if operation == .rename, path == trial.sourcePath { isOver.withLock { $0 = true } }
      if isOver.withLock({ $0 }) {
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
      }
    })
    #expect(throws: MigrationError.self) { try trial.runInPlace(files: files) }
  }

  private static func lock(_ trial: Trial) throws -> [UInt8] {
    try #require(trial.directory.contents("old.sqlite.passage/lock"))
  }

  /// A private folder as a killed run leaves it.
  private static func leave(_ files: [String: [UInt8]], in trial: Trial) throws {
    try FileManager.default.createDirectory(
      atPath: trial.directory.path("old.sqlite.passage"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    for (name, bytes) in files {
      try trial.directory.write(bytes, to: "old.sqlite.passage/\(name)")
    }
  }

  @Test func `an interrupted cut-over is told by the lock alone`() throws {
    let trial = try Self.trial()
    try Self.stopBeforeRename(trial)
    let folder = try FileSystem().names(in: trial.directory.path("old.sqlite.passage"))
    #expect(folder == ["finished.sqlite", "lock"])
    #expect(try Self.lock(trial).starts(with: Array("Passage 1\n".utf8)))
    let mark = try Workspace.markLeft(of: StoreUnit(path: trial.sourcePath), files: FileSystem())
    #expect(mark != nil)
    #expect(try Safety.version(trial.sourcePath) == "1")
  }

  @Test(arguments: [true, false])
  func `the next run ends what was interrupted, and takes the lock away`(inMemory: Bool) throws {
    var trial = try Self.trial()
    try Self.stopBeforeRename(trial)
    trial.worksInMemory = inMemory
    #expect(try trial.runInPlace().outcome == .migrated)
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
    #expect(try Safety.version(trial.sourcePath) == "2")
    #expect(try Safety.version(trial.directory.path("old.sqlite.before-1")) == "1")
  }

  /// Work in the folder needs a marker that nothing takes away with the lock's contents.
  @Test func `a folder whose lock is marked gets a marker before it is worked in`() throws {
    let trial = try Self.trial()
    try Self.stopBeforeRename(trial)
    let path = trial.directory.path("old.sqlite.passage")
    let folder = try #require(try WorkFolder.hold(path, files: FileSystem()))
    #expect(trial.directory.contents("old.sqlite.passage/passage-work")?.isEmpty == false)
    try folder.clear()
    #expect(
      try Workspace.markLeft(of: StoreUnit(path: trial.sourcePath), files: FileSystem()) == nil)
    #expect(try FileSystem().names(in: path) == ["lock", "passage-work"])
    #expect(folder.end().all.isEmpty)
    #expect(try !FileSystem().exists(path))
  }

  /// Without links, the old store is copied in the folder to be kept.
  @Test func `a clean-up that ends early leaves a folder that the next run takes`() throws {
    let trial = try Self.trial()
    let isFailing = Mutex(false)
    let files = FileSystem(willPerform: { operation, path in
      if operation == .rename, path.hasSuffix(".before-1") { isFailing.withLock { $0 = true } }
      let fails = isFailing.withLock { $0 } && [.rename, .remove].contains(operation)
      guard operation == .link || fails else { return }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: 1)
    })
    #expect(throws: MigrationError.self) { try trial.runInPlace(files: files) }
    let left = try FileSystem().names(in: trial.directory.path("old.sqlite.passage"))
    #expect(left.contains("kept"))
    #expect(!left.contains("passage-work"))
    #expect(try trial.runInPlace().outcome == .migrated)
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
    #expect(try Safety.version(trial.directory.path("old.sqlite.before-1")) == "1")
  }

  @Test func `a folder that keeps something foreign stays marked without the lock`() throws {
    let trial = try Self.trial()
    let files = FileSystem(willPerform: { operation, path in
      if operation == .rename, path == trial.sourcePath {
        try trial.directory.write([1], to: "old.sqlite.passage/mine")
      }
    })
    let report = try trial.runInPlace(files: files)
    #expect(report.warnings.all.map(\.code) == ["RUN-052"])
    let path = trial.directory.path("old.sqlite.passage")
    #expect(try FileSystem().names(in: path) == ["mine", "passage-work"])
    try FileManager.default.removeItem(atPath: "\(path)/mine")
    #expect(try trial.runInPlace().outcome == .upToDate)
    #expect(try !FileSystem().exists(path))
  }

  /// A power failure may leave any part of the lock, while the cut-over has not begun.
  @Test(arguments: [0, 5, 100, 205, 206, 207, 300, .max], [true, false])
  func `a torn lock is taken away by the next run`(count: Int, isZeros: Bool) throws {
    let other = try Self.trial()
    try Self.stopBeforeRename(other)
    let whole = try Self.lock(other)
    let part = whole.prefix(count)
    let trial = try Self.trial()
    try Self.leave(
      ["lock": isZeros ? Array(repeating: 0, count: part.count) : Array(part)], in: trial)
    #expect(try trial.runInPlace().outcome == .migrated)
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
  }

  @Test func `a foreign file of the marker's name is not written over`() throws {
    let trial = try Self.trial()
    try Self.stopBeforeRename(trial)
    let notes = Array("my notes".utf8)
    try trial.directory.write(notes, to: "old.sqlite.passage/passage-work")
    let error = #expect(throws: MigrationError.self) { try trial.runInPlace() }
    #expect(error?.diagnostics.all.first?.code == "RUN-050")
    #expect(trial.directory.contents("old.sqlite.passage/passage-work") == notes)
  }

  @Test(arguments: ["my notes", "Passage 1\nPassage sings"])
  func `a foreign file of the lock's name is not taken for one`(contents: String) throws {
    let trial = try Self.trial()
    try Self.leave(["lock": Array(contents.utf8)], in: trial)
    let error = #expect(throws: MigrationError.self) { try trial.runInPlace() }
    #expect(error?.diagnostics.all.first?.code == "RUN-050")
    #expect(try Self.lock(trial) == Array(contents.utf8))
  }
}
