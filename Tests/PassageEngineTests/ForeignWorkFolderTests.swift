import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// What stands where the work would be done is touched only when it is Passage's own.
@Suite struct ForeignWorkFolderTests {
  /// What can be there that is not ours.
  enum Stranger: String, CaseIterable {
    case linkToAFolder
    case linkToWork
    case linkThatLeadsNowhere
    case file
    case foreignFolder
    case emptyFolderOfOthers
    case workOfAnEarlierVersion
    case otherMarker
    case writableByOthers
    case otherOwner
    case linkAsLock
    case linkAsStep
    case linkAsRunFile
    case linkInAStep
    case folderAsRunFile
    case linkAsMarker
    case secondNameAsLock
  }

  /// Where the work would be done, and a folder beside it that must stay as it is.
  private static func put(
    _ stranger: Stranger, at path: String, in directory: TemporaryDirectory
  ) throws {
    let manager = FileManager.default
    func folder(_ path: String, _ mode: Int = 0o700) throws {
      try manager.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
      // The process's mask does not count.
      try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    let others = directory.path("others")
    try folder("\(others)/step-1", 0o755)
    for name in ["lock", "run.json", "step-1/pass-1.sqlite", "valuable"] {
      try Data([1, 2, 3]).write(to: URL(fileURLWithPath: "\(others)/\(name)"))
    }
    /// A folder that is ours.
    func work(_ path: String) throws { _ = try WorkFolder.hold(path, files: FileSystem()) }
    func link(_ name: String, to target: String) throws {
      try work(path)
      try? manager.removeItem(atPath: "\(path)/\(name)")
      try manager.createSymbolicLink(
        atPath: "\(path)/\(name)", withDestinationPath: "\(others)/\(target)")
    }
    /// A hard link, through which a file of others would be written.
    func name(_ name: String) throws {
      try work(path)
      try folder("\(path)/step-1")
      try? manager.removeItem(atPath: "\(path)/\(name)")
      try manager.linkItem(atPath: "\(others)/valuable", toPath: "\(path)/\(name)")
    }
    switch stranger {
    case .linkToAFolder: try manager.createSymbolicLink(atPath: path, withDestinationPath: others)
    case .linkToWork:
      try work(directory.path("elsewhere"))
      try manager.createSymbolicLink(
        atPath: path, withDestinationPath: directory.path("elsewhere"))
    case .linkThatLeadsNowhere:
      try manager.createSymbolicLink(
        atPath: path, withDestinationPath: directory.path("nowhere"))
    case .file: try Data([1]).write(to: URL(fileURLWithPath: path))
    case .foreignFolder:
      try folder(path)
      try Data([1]).write(to: URL(fileURLWithPath: "\(path)/valuable"))
    case .emptyFolderOfOthers: try folder(path, 0o755)
    case .workOfAnEarlierVersion:
      try folder("\(path)/step-1")
      for name in ["lock", "run.json", "step-1/pass-1.sqlite"] {
        try Data([]).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
      }
    case .otherMarker:
      try folder(path)
      try Data("something else".utf8).write(to: URL(fileURLWithPath: "\(path)/passage-work"))
    case .writableByOthers:
      try work(path)
      try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    case .otherOwner:
      try work(path)
      try manager.setAttributes([.ownerAccountID: 4_711], ofItemAtPath: path)
    case .linkAsLock: try link("lock", to: "lock")
    case .linkAsStep: try link("step-1", to: "step-1")
    case .linkAsRunFile: try link("run.json", to: "run.json")
    case .linkInAStep:
      try work(path)
      try folder("\(path)/step-1")
      try manager.createSymbolicLink(
        atPath: "\(path)/step-1/pass-1.sqlite",
        withDestinationPath: "\(others)/step-1/pass-1.sqlite")
    case .folderAsRunFile:
      try work(path)
      try folder("\(path)/run.json")
    case .linkAsMarker:
      try work(path)
      try manager.moveItem(atPath: "\(path)/passage-work", toPath: "\(others)/passage-work")
      try manager.createSymbolicLink(
        atPath: "\(path)/passage-work", withDestinationPath: "\(others)/passage-work")
    case .secondNameAsLock: try name("lock")
    }
  }

  /// Only the system's administrator can give a folder away.
  static let strangers = Stranger.allCases.filter { $0 != .otherOwner || FileSystem.user == 0 }

  /// The refusal itself, and that nothing else happened; then its remedy, pasted into a shell.
  private func check(
    _ error: MigrationError, _ picture: FolderPicture, _ directory: TemporaryDirectory,
    _ stranger: Stranger
  ) throws {
    #expect(error.kind == .wrongCall)
    #expect(error.codes == ["RUN-050"], "\(error)")
    #expect(try FolderPicture(directory.path) == picture)
    let remedy = try #require(error.diagnostics.all.first?.remedy)
    let command = try #require(remedy.firstRange(of: "mv -- ").map { remedy[$0.lowerBound...] })
    #expect(try ChildProgram.shell(String(command)).status == 0)
  }

  @Test(arguments: strangers, [true, false])
  func `a migration refuses it, and continues when the remedy was pasted`(
    stranger: Stranger, isInPlace: Bool
  ) throws {
    let trial = try Safety.trial()
    let path = trial.directory.path(isInPlace ? "old.sqlite" : "new.sqlite") + ".passage"
    try Self.put(stranger, at: path, in: trial.directory)
    let picture = try FolderPicture(trial.directory.path)
    let migration = trial.migration(to: isInPlace ? .inPlace : .file(String(path.dropLast(8))))
    let planned = try #require(throws: MigrationError.self) { try migration.plan() }
    #expect(planned.codes == ["RUN-050"])
    let error = try #require(throws: MigrationError.self) {
      try migration.run(control: RunControl())
    }
    try check(error, picture, trial.directory, stranger)
    let moved = try FolderPicture(trial.directory.path("others"))
    #expect(try migration.run(control: RunControl()).outcome == .migrated)
    #expect(try FolderPicture(trial.directory.path("others")) == moved)
    #expect(try FileSystem().exists(path + ".moved"))
    #expect(try !FileSystem().exists(path))
  }

  @Test(arguments: strangers)
  func `a call with nothing to do leaves it as it is`(stranger: Stranger) throws {
    let trial = try Safety.trial()
    try trial.runInPlace()
    try Self.put(stranger, at: trial.sourcePath + ".passage", in: trial.directory)
    let picture = try FolderPicture(trial.directory.path)
    #expect(try trial.runInPlace().outcome == .upToDate)
    #expect(try FolderPicture(trial.directory.path) == picture)
  }

  @Test(arguments: strangers)
  func `installing and packing refuse a foreign work folder`(stranger: Stranger) throws {
    let bundle = try PrefilledStore()
    try Self.put(stranger, at: bundle.installedPath + ".passage", in: bundle.directory)
    var picture = try FolderPicture(bundle.directory.path)
    try check(bundle.failure(), picture, bundle.directory, stranger)
    #expect(try bundle.install().outcome == .installed)
    let other = try PrefilledStore()
    try FileManager.default.createDirectory(
      atPath: other.directory.path("packed"), withIntermediateDirectories: false)
    try Self.put(
      stranger, at: other.directory.path("packed/Default.sqlite.passage"), in: other.directory)
    picture = try FolderPicture(other.directory.path)
    try check(other.packFailure(), picture, other.directory, stranger)
    #expect(try other.pack().outcome == .packed)
  }

  // MARK: What is ours

  /// What a kill leaves between making the folder and marking it, or while it is removed.
  @Test(arguments: [
    [:], ["lock": []], ["passage-work": []], ["passage-work": Array("Passage 1\nPass".utf8)],
    ["passage-work": [0, 0, 0, 0], "lock": []],
  ])
  func `a folder that was killed before it was marked is taken`(left: [String: [UInt8]]) throws {
    let trial = try Safety.trial()
    try FileSystem().makeDirectory(trial.directory.path("new.sqlite.passage"))
    for (name, bytes) in left { try trial.directory.write(bytes, to: "new.sqlite.passage/\(name)") }
    #expect(try trial.run().outcome == .migrated)
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite"])
  }

  @Test func `nothing foreign in a folder of ours is removed`() throws {
    let trial = try Safety.trial()
    let folder = "new.sqlite.passage"
    _ = try WorkFolder.hold(trial.directory.path(folder), files: FileSystem())
    try trial.directory.write([1], to: "\(folder)/mine")
    for _ in 1...2 {
      let report = try trial.run()
      #expect(report.warnings.all.map(\.code).contains("RUN-052"))
      #expect(trial.directory.contents("\(folder)/mine") == [1])
      #expect(try FileSystem().names(in: trial.directory.path(folder)) == ["mine", "passage-work"])
      try FileManager.default.removeItem(atPath: trial.directory.path("new.sqlite"))
    }
    try FileManager.default.removeItem(atPath: trial.directory.path("\(folder)/mine"))
    #expect(try trial.run().warnings.all == [])
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite"])
  }

  /// The machine was restarted, so that the work of the last step is removed.
  @Test func `nothing foreign in a step's folder is removed with the step's work`() throws {
    let trial = try Safety.trial()
    _ = try trial.failure(control: StoppingControl(after: 12).control)
    let folder = "new.sqlite.passage"
    let run = String(
      decoding: try #require(trial.directory.contents("\(folder)/run.json")), as: UTF8.self)
    let boot = try #require(FileSystem().bootIdentity).prefix { $0 != "\n" }
    try trial.directory.write(
      Array(run.replacing(boot, with: "before").utf8), to: "\(folder)/run.json")
    try FileSystem().makeDirectory(trial.directory.path("\(folder)/step-1/mine"))
    for name in ["step-1/valuable", "step-1/mine/valuable"] {
      try trial.directory.write([1], to: "\(folder)/\(name)")
    }
    let warning = try #require(try trial.run().warnings.all.first { $0.code == "RUN-052" })
    // The folder itself is Passage's.
    #expect(
      warning.reason == "it contains “step-1/mine” and 1 more, which Passage did not create")
    #expect(
      try FileSystem().names(in: trial.directory.path("\(folder)/step-1")) == ["mine", "valuable"])
    #expect(trial.directory.contents("\(folder)/step-1/mine/valuable") == [1])
  }

  @Test func `what is foreign is named in full, whatever letters the folder's path has`() throws {
    let trial = try Safety.trial()
    let folder = "Büro日本/новый.sqlite.passage"
    try FileSystem().makeDirectory(trial.directory.path("Büro日本"))
    _ = try WorkFolder.hold(trial.directory.path(folder), files: FileSystem())
    try trial.directory.write([1], to: "\(folder)/mine")
    let report = try trial.run(to: "Büro日本/новый.sqlite")
    let warning = try #require(report.warnings.all.first { $0.code == "RUN-052" })
    #expect(warning.reason == "it contains “mine”, which Passage did not create")
  }

  @Test func `only files that Passage put into a work folder count as its work`() throws {
    let trial = try Safety.trial()
    let path = trial.directory.path("new.sqlite")
    let work = try #require(try WorkFolder.hold(path + ".passage", files: FileSystem()))
    defer { _ = work.end() }
    func left() -> Int64 { Workspace.leftBytes(ofDestination: path, files: FileSystem()) }
    let before = left()
    func make(_ folders: [String], _ file: String) throws {
      for folder in folders where !FileSystem().isDirectory("\(path).passage/\(folder)") {
        try FileSystem().makeDirectory("\(path).passage/\(folder)")
      }
      try trial.directory.write(
        [UInt8](repeating: 7, count: 1_000), to: "new.sqlite.passage/\(file)")
    }
    try make(["step-1", "step-1/x", "step-1/x/x"], "step-1/x/x/pass-1.sqlite")
    try make(["mine"], "mine/pass-1.sqlite")
    try make([], "valuable")
    #expect(left() == before)
    try make([], "step-1/pass-1.sqlite")
    try make(
      [".output_SUPPORT", ".output_SUPPORT/_EXTERNAL_DATA"],
      ".output_SUPPORT/_EXTERNAL_DATA/value")
    try make(
      ["bundle.sqlite.passage", "bundle.sqlite.passage/step-1"],
      "bundle.sqlite.passage/step-1/store.sqlite")
    #expect(left() == before + 3_000)
  }

  /// The folder's name leads elsewhere in the middle of a run: what is done is done in the folder that
  /// was proved, and what it leads to now is not touched.
  @Test(arguments: [FileSystem.Operation.write, .synchronize, .rename, .remove])
  func `a folder that is exchanged during a run leads nowhere else`(
    operation: FileSystem.Operation
  ) throws {
    let trial = try Safety.trial()
    let path = trial.directory.path("new.sqlite.passage")
    let others = trial.directory.path("others")
    let files = FileSystem(willPerform: { found, other in
      guard found == operation, other.hasPrefix(path + "/step-1/"),
        (try? FileSystem.linkStatus(path))?.kind == .directory
      else { return }
      try FileManager.default.copyItem(atPath: path, toPath: others)
      try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: others)
    })
    _ = try? trial.run(files: files)
    let picture = try FolderPicture(others)
    if operation == .synchronize {
      // The finished store is the first file that is synced. It is put in place from the folder that
      // was proved.
      #expect(try trial.run().outcome == .upToDate)
      #expect(try Safety.version(trial.directory.path("new.sqlite")) == "2")
    } else {
      #expect(try trial.failure().codes == ["RUN-050"])
    }
    #expect(try FolderPicture(others) == picture)
    #expect(try FileSystem().exists("\(others)/passage-work"))
    #expect(try FileSystem().exists("\(others)/run.json"))
  }

  /// The work is discarded: a power failure may leave the store of a step under two names.
  @Test(arguments: [
    "pass-1.sqlite", "pass-1.sqlite-journal", "journal.sqlite", "store.sqlite-journal",
  ])
  func `work of a step under a second name is not continued`(name: String) throws {
    let trial = try Safety.trial()
    _ = try trial.failure(control: StoppingControl(after: 12).control)
    let path = trial.directory.path("new.sqlite.passage/step-1/\(name)")
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.linkItem(atPath: trial.sourcePath, toPath: path)
    let report = try trial.run()
    #expect(!report.wasContinued)
    #expect(report.discardedWork?.contains("another name") == true)
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite"])
  }

  /// A hard link leads a write to the file of another name, which may be the source.
  @Test(arguments: ["run.json.new", "finished.sqlite", "step-1/account.json.new"])
  func `what has another name is replaced, and not written into`(name: String) throws {
    var trial = try Safety.trial()
    let folder = trial.directory.path("new.sqlite.passage")
    if name.hasPrefix("step-") {
      _ = try trial.failure(control: StoppingControl(after: 12).control)
    } else {
      _ = try WorkFolder.hold(folder, files: FileSystem())
      trial.worksInMemory = name == "finished.sqlite"
    }
    try trial.directory.write(Array("valuable".utf8), to: "valuable")
    try FileManager.default.linkItem(
      atPath: trial.directory.path("valuable"), toPath: "\(folder)/\(name)")
    #expect(try trial.run().outcome == .migrated)
    #expect(try Safety.version(trial.directory.path("new.sqlite")) == "2")
    #expect(trial.directory.contents("valuable") == Array("valuable".utf8))
    #expect(trial.directory.names == ["new.sqlite", "old.sqlite", "valuable"])
  }

  @Test func `work that was stopped is continued in a folder that was copied with its store`()
    throws
  {
    let trial = try Safety.trial()
    _ = try trial.failure(control: StoppingControl(after: 12).control)
    let path = trial.directory.path("new.sqlite.passage")
    try FileManager.default.moveItem(atPath: path, toPath: path + ".kept")
    try FileManager.default.copyItem(atPath: path + ".kept", toPath: path)
    #expect(try trial.run().wasContinued)
  }
}
