import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageRestoring
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

@Suite struct KeptStoreTests {
  private func restore(_ trial: Trial, folder: String? = nil) throws {
    _ = try StoreRestoration(storePath: trial.sourcePath, choice: .newest, folder: folder)
      .run(control: RunControl())
  }

  @Test(arguments: [
    ("App.sqlite.before-3", KeptStore.Reason.before, "3", 1),
    ("App.sqlite.after-4~2", .after, "4", 2),
    ("App.sqlite.before-1.2-beta~12", .before, "1.2-beta", 12),
    ("App.sqlite.before-a~1", .before, "a~1", 1),
    ("App.sqlite.before-a~2~1", .before, "a~2", 1), ("App.sqlite.before-a~2~3", .before, "a~2", 3),
    ("App.sqlite.before-a~1~1", .before, "a~1~1", 1), ("App.sqlite.before--", .before, "", 1),
    ("App.sqlite.before-a~x", .before, "a~x", 1), ("App.sqlite.before-a~02", .before, "a~02", 1),
    ("App.sqlite.before-1-wal~1", .before, "1-wal", 1),
    ("App.sqlite.before-1-wal~2", .before, "1-wal", 2),
    ("App.sqlite.before-1-wal~1~1", .before, "1-wal~1", 1),
    ("App.sqlite.before-1~2-shm~1", .before, "1~2-shm", 1),
    ("App.sqlite.before-1-journal~1", .before, "1-journal", 1),
    ("App.sqlite.before-1.passage~1", .before, "1.passage", 1),
    ("App.sqlite.before-1.quarantine.jsonl~1", .before, "1.quarantine.jsonl", 1),
    ("App.sqlite.after-1.copying~1", .after, "1.copying", 1),
    ("App.sqlite.before-\u{301}1", .before, "\u{301}1", 1),
    ("App.sqlite.before-\u{301}1~2", .before, "\u{301}1", 2),
  ])
  func `the name of a kept store is read as it is written`(
    text: String, reason: KeptStore.Reason, version: String, number: Int
  ) throws {
    let name = try #require(KeptName(text, of: "App.sqlite"))
    #expect(name == KeptName(reason, version: version, number: number))
    #expect(name.text(of: "App.sqlite") == text)
  }

  @Test(arguments: [
    "App.sqlite", "App.sqlite-wal", "App.sqlite.before-", "App.sqlite.before-1-wal",
    "App.sqlite.before-1-shm", "App.sqlite.before-1.passage", "App.sqlite.before-1.copying",
    "App.sqlite.before-1.quarantine.jsonl", "Other.sqlite.before-1", "App.sqlite.while-1",
  ])
  func `other names are no kept stores`(text: String) {
    #expect(KeptName(text, of: "App.sqlite") == nil)
  }

  @Test(arguments: ["v", "v~2"])
  func `a version that ends with very many numbers is written and read`(beginning: String) throws {
    let version = beginning + String(repeating: "~1", count: 60_000)
    for number in 1...2 {
      let name = KeptName(.before, version: version, number: number)
      #expect(KeptName(name.text(of: "App.sqlite"), of: "App.sqlite") == name)
    }
  }

  @Test func `kept stores of one version get numbers, and names are not used again`() throws {
    let trial = try Safety.trial()
    try trial.directory.write([1, 2, 3], to: "old.sqlite.before-1")
    #expect(try trial.runInPlace().backupPath == trial.sourcePath + ".before-1~2")
    #expect(trial.directory.contents("old.sqlite.before-1") == [1, 2, 3])
    let kept = KeptStores(of: StoreUnit(path: trial.sourcePath))
    #expect(try kept.next(.before, version: "1") == trial.sourcePath + ".before-1~3")
    try FileManager.default.removeItem(atPath: trial.sourcePath + ".before-1")
    #expect(try kept.next(.before, version: "1") == trial.sourcePath + ".before-1~3")
    #expect(try kept.next(.before, version: "a/b") == trial.sourcePath + ".before-a-b")
  }

  @Test func `only so many old stores remain as are wanted, and other files stay`() throws {
    var options = MigrationOptions()
    options.keptStoresLimit = 2
    let trial = try Safety.trial()
    try trial.directory.write([1, 2, 3], to: "old.sqlite.before-0")
    var removed: [String] = []
    for _ in 0..<4 {
      removed += try trial.runInPlace(options: options).removedStores
        .map { StoreUnit(path: $0.path).name }
      try restore(trial)
    }
    #expect(removed == ["old.sqlite.before-1", "old.sqlite.before-1~2"])
    #expect(
      trial.directory.names.filter { $0.contains("before") } == [
        "old.sqlite.before-0", "old.sqlite.before-1~3", "old.sqlite.before-1~4",
      ])
    let store = URL(filePath: trial.sourcePath)
    let would = try KeptStore.prune(of: store, keeping: 1, isRehearsal: true)
    #expect(would.count == 5)
    #expect(try KeptStore.prune(of: store, keeping: 1) == would)
    #expect(
      trial.directory.names == ["old.sqlite", "old.sqlite.after-2~4", "old.sqlite.before-0"])
  }

  @Test func `an old store that the limit removes at once is not told as kept`() throws {
    var options = MigrationOptions()
    options.keptStoresLimit = 1
    let trial = try Safety.trial()
    try trial.runInPlace()
    try restore(trial)
    // The one that was kept before was written last.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 3_600)],
      ofItemAtPath: trial.sourcePath + ".before-1")
    let report = try trial.runInPlace(options: options)
    #expect(
      report.removedStores.map { StoreUnit(path: $0.path).name } == ["old.sqlite.before-1~2"])
    #expect(report.backupPath == nil)
    #expect(trial.directory.names.filter { $0.contains("before") } == ["old.sqlite.before-1"])
  }

  @Test func `a kept store that cannot be removed is told, and the new store is in place`() throws {
    var options = MigrationOptions()
    options.keptStoresLimit = 1
    let trial = try Safety.trial()
    try trial.runInPlace()
    try restore(trial)
    let files = FileSystem(willPerform: { operation, path in
      guard operation == .remove, path.hasSuffix(".before-1") else { return }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
    })
    let report = try trial.runInPlace(options: options, files: files)
    #expect(report.warnings.all.map(\.code).contains("RUN-054"))
    #expect(report.removedStores == [])
    #expect(try Safety.version(trial.sourcePath) == "2")
  }

  @Test func `the folder of external values goes with the last store that uses it`() throws {
    let trial = try Safety.trial()
    let store = StoreUnit(path: trial.sourcePath)
    try FileManager.default.createDirectory(
      atPath: store.externalDataPath, withIntermediateDirectories: true)
    try Data([1]).write(to: URL(filePath: store.externalDataPath + "/x"))
    try trial.runInPlace()
    try restore(trial)
    let support = StoreUnit(path: trial.sourcePath + ".before-1").supportPath
    #expect(FileManager.default.fileExists(atPath: support + "/_EXTERNAL_DATA/x"))
    let url = URL(filePath: trial.sourcePath)
    try KeptStore.prune(of: url, keeping: 1)
    #expect(FileManager.default.fileExists(atPath: support + "/_EXTERNAL_DATA/x"))
    try KeptStore.prune(of: url, keeping: 0)
    #expect(!FileManager.default.fileExists(atPath: support))
    #expect(FileManager.default.fileExists(atPath: store.externalDataPath + "/x"))
    #expect(try KeptStore.all(of: url) == [])
  }

  /// A folder on another file system, where the system has one.
  private static let otherFolder: String? = {
    let folder = "/dev/shm"
    guard let there = try? FileSystem.status(folder), FileSystem.isWritable(folder),
      let here = try? FileSystem.status(NSTemporaryDirectory()), here.device != there.device
    else { return nil }
    return folder
  }()

  @Test(arguments: [false, true])
  func `the old store is kept in another folder, and put back from there`(isFar: Bool) throws {
    let trial = try Safety.trial(isLogKept: true)
    let before = try StoreRows(path: trial.sourcePath)
    guard !isFar || Self.otherFolder != nil else {
      print("no second file system is here: skipped")
      return
    }
    let folder =
      "\(isFar ? Self.otherFolder ?? "" : trial.directory.path("kept"))/\(UUID().uuidString)"
    var options = MigrationOptions()
    options.keptStoresFolder = URL(filePath: folder)
    let error = try #require(throws: MigrationError.self) {
      try trial.runInPlace(options: options)
    }
    #expect(error.codes == ["RUN-003"])
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let report = try trial.runInPlace(options: options)
    let keptStores = KeptStores(of: StoreUnit(path: trial.sourcePath), folder: folder)
    let name = StoreUnit(path: keptStores.path(KeptName(.before, version: "1"))).name
    #expect(name.wholeMatch(of: /old\.sqlite\.[0-9a-f]{16}\.before-1/) != nil)
    #expect(report.backupPath == "\(folder)/\(name)")
    #expect(try StoreRows(path: report.backupPath ?? "").differences(from: before) == [])
    #expect(try FileSystem.names(in: folder) == [name])
    try restore(trial, folder: folder)
    #expect(
      try FileSystem.names(in: folder) == [name.replacing("before-1", with: "after-2"), name])
    #expect(try Safety.version(trial.sourcePath) == "1")
  }

  /// A fleet of apps has stores of one name, and an installed store keeps its UUID.
  @Test func `stores of one name share a folder of kept stores`() throws {
    let trials = try (0..<2).map { _ in try Safety.trial() }
    let folder = trials[0].directory.path("kept")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    var options = MigrationOptions()
    options.keptStoresFolder = URL(filePath: folder)
    options.keptStoresLimit = 1
    try Connection(path: trials[1].sourcePath, mode: .readWrite).execute(
      "UPDATE ZPERSON SET ZNAME = 'of the second'")
    func people(_ trial: Trial) throws -> [[Value]] {
      try Connection(path: trial.sourcePath, mode: .readOnly).rows(
        "SELECT ZNAME FROM ZPERSON ORDER BY 1")
    }
    let before = try trials.map(people)
    for trial in trials { try trial.runInPlace(options: options) }
    #expect(try FileSystem.names(in: folder).count == 2)
    for (trial, names) in zip(trials, before) {
      try restore(trial, folder: folder)
      #expect(try people(trial) == names)
    }
  }

  /// On iOS the path of an app's container changes with updates.
  @Test func `old stores in a folder of their own are found when all is moved`() throws {
    let trial = try Safety.trial()
    let folder = trial.directory.path("kept")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    var options = MigrationOptions()
    options.keptStoresFolder = URL(filePath: folder)
    try trial.runInPlace(options: options)
    let moved = try TemporaryDirectory()
    for name in ["old.sqlite", "kept"] {
      try FileManager.default.moveItem(
        atPath: trial.directory.path(name), toPath: moved.path(name))
    }
    let path = moved.path("old.sqlite")
    let found = try KeptStore.all(of: URL(filePath: path), in: moved.url("kept"))
    #expect(found.map(\.version) == ["1"] && found.map(\.obstacle) == [nil])
    // A store of this name elsewhere, with the same UUID, is another one.
    for other in ["other", "kept/other", "old.sqlite.d"] {
      try FileManager.default.createDirectory(
        atPath: moved.path(other), withIntermediateDirectories: false)
      let copy = try moved.copy(path, to: "\(other)/old.sqlite")
      #expect(try KeptStore.all(of: URL(filePath: copy), in: moved.url("kept")) == [])
    }
    _ = try StoreRestoration(storePath: path, choice: .newest, folder: moved.path("kept"))
      .run(control: RunControl())
    #expect(try Safety.version(path) == "1")
  }

  @Test func `a copy of the old store that fails leaves nothing where it would be kept`() throws {
    let trial = try Safety.trial()
    let folder = trial.directory.path("kept")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    var options = MigrationOptions()
    options.keptStoresFolder = URL(filePath: folder)
    let error = try #require(throws: MigrationError.self) {
      try trial.runInPlace(
        options: options,
        files: FileSystem(willPerform: { operation, path in
          // Another disk, which fails when the copy is complete.
          if operation == .link || operation == .rename && path.hasPrefix(folder) {
            throw FileSystem.Failure(
              operation: operation, path: path, errorNumber: operation == .link ? 18 : 5)
          }
        }))
    }
    #expect(error.kind == .inputOutput)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    #expect(try Safety.version(trial.sourcePath) == "1")
    #expect(try trial.runInPlace(options: options).outcome == .migrated)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `no log of another is taken for that of a kept store`(end: String) throws {
    let trial = try Safety.trial()
    try trial.directory.write([1], to: "old.sqlite.before-1" + end)
    #expect(try trial.runInPlace().backupPath == trial.sourcePath + ".before-1~2")
    #expect(trial.directory.contents("old.sqlite.before-1" + end) == [1])
  }

  @Test(arguments: ["1-wal", "1-shm", "1-journal", "1.passage", "1.copying", "\u{301}1"])
  func `a store is listed whatever its version is called`(version: String) throws {
    let trial = try Safety.trial()
    try trial.runInPlace()
    let kept = KeptStores(of: StoreUnit(path: trial.sourcePath))
    let path = try kept.next(.before, version: version)
    try FileManager.default.copyItem(atPath: trial.sourcePath + ".before-1", toPath: path)
    #expect(try kept.all(storeUUID: nil).contains { $0.path == path && $0.version == version })
    #expect(
      try kept.next(.before, version: version) == trial.sourcePath + ".before-\(version)~2")
    let first = StoreUnit(path: trial.sourcePath + ".before-1")
    #expect(!first.sidecarPaths.contains(path))
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `a store that was kept under the name of a log is listed, and a log is not`(
    end: String
  ) throws {
    let trial = try Safety.trial()
    try trial.runInPlace()
    let first = trial.sourcePath + ".before-1"
    let kept = KeptStores(of: StoreUnit(path: trial.sourcePath))
    try trial.directory.write([1], to: "old.sqlite.before-1" + end)
    #expect(try kept.all(storeUUID: nil).map(\.path) == [first])
    try? FileManager.default.removeItem(atPath: first + end)
    try FileManager.default.copyItem(atPath: first, toPath: first + end)
    let all = try kept.all(storeUUID: nil)
    #expect(Set(all.map(\.path)) == [first, first + end])
    #expect(Set(all.map(\.version)) == ["1", "1" + end])
  }

  @Test func `a kept store goes with its logs, and no store called like one goes with it`() throws {
    let trial = try Safety.trial()
    let url = URL(filePath: trial.sourcePath)
    try trial.runInPlace()
    let other = trial.sourcePath + ".before-1-shm"
    try FileManager.default.copyItem(atPath: trial.sourcePath + ".before-1", toPath: other)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: other)
    try trial.directory.write([], to: "old.sqlite.before-1-wal")
    try KeptStore.prune(of: url, keeping: 1)
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1-shm"])
    try KeptStore.prune(of: url, keeping: 0)
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test func `a number that no kept store has is part of another's name`() throws {
    let trial = try Safety.trial()
    try trial.directory.write([1], to: "old.sqlite.before-1~9223372036854775807")
    #expect(try trial.runInPlace().backupPath == trial.sourcePath + ".before-1")
  }

  @Test(arguments: [true, false])
  func `a fault at any operation with another file system leaves a whole store`(
    isLasting: Bool
  ) throws {
    guard let other = Self.otherFolder else {
      print("no second file system is here: skipped")
      return
    }
    var stop = 0
    var slice = FaultSlice("KeptStoreTests")
    while true {
      stop = slice.next(after: stop)
      let trial = try Safety.trial(isLogKept: true)
      let folder = "\(other)/\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      var options = MigrationOptions()
      options.keptStoresFolder = URL(filePath: folder)
      let faults = FaultyFiles(failing: stop, isLasting: isLasting)
      do {
        try trial.runInPlace(options: options, files: faults.files)
        if !faults.hasFailed { break }
      } catch let error as MigrationError {
        #expect(error.kind == .inputOutput, "\(faults.last)")
      }
      #expect(["1", "2"].contains(try Safety.version(trial.sourcePath)), "\(faults.last)")
      try trial.runInPlace(options: options)
      #expect(try Safety.version(trial.sourcePath) == "2")
      let names = try FileSystem.names(in: folder)
      #expect(names.count == 1 && names.allSatisfy { $0.hasSuffix(".before-1") }, "\(faults.last)")
      #expect(try Safety.version("\(folder)/\(names.first ?? "")") == "1")
      #expect(trial.directory.names == ["old.sqlite"])
    }
    #expect(stop > 15)
  }
}
