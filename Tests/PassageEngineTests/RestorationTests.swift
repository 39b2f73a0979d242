import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageRestoring
import PassageSQLite
import PassageStores
import PassageTesting
import Synchronization
import TestSupport
import Testing

@Suite struct RestorationTests {
  /// A store that was migrated in place, with its old store kept.
  private func migrated(
    journalMode: StoreBuilder.JournalMode = .wal, isLogKept: Bool = false,
    options: MigrationOptions = MigrationOptions()
  ) throws -> Trial {
    let trial = try Safety.trial(journalMode: journalMode, isLogKept: isLogKept)
    try trial.runInPlace(options: options)
    return trial
  }

  @discardableResult
  private func restore(
    _ trial: Trial, _ choice: KeptStore.Choice = .newest, discardsChanges: Bool = false,
    folder: String? = nil, files: FileSystem = FileSystem()
  ) throws -> KeptStore.RestorationReport {
    try StoreRestoration(
      storePath: trial.sourcePath, choice: choice, folder: folder,
      discardsChanges: discardsChanges, files: files
    ).run(control: RunControl())
  }

  /// What a program does that uses the store.
  private func write(_ trial: Trial) throws {
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "UPDATE ZCAR SET ZPLATE = 'new' WHERE Z_PK = 1")
  }

  // MARK: The whole store

  @Test(arguments: [(StoreBuilder.JournalMode.wal, true), (.wal, false), (.delete, false)])
  func `the kept store is put back whole, and what it replaces is kept`(
    journalMode: StoreBuilder.JournalMode, isLogKept: Bool
  ) throws {
    let trial = try migrated(journalMode: journalMode, isLogKept: isLogKept)
    let path = trial.sourcePath
    let new = try StoreRows(path: path)
    let old = try StoreRows(path: path + ".before-1")
    let keptBytes = trial.directory.contents("old.sqlite.before-1")
    let report = try restore(trial)
    #expect(report.outcome == .restored)
    #expect(report.version == "1")
    #expect(report.replacedVersion == "2")
    #expect(report.replacedPath == path + ".after-2")
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.after-2", "old.sqlite.before-1"])
    #expect(try Safety.version(path) == "1")
    // Only the record of the restoration is new.
    let differences = try StoreRows(path: path).differences(from: old)
    #expect(differences.allSatisfy { "\($0)".contains("Z_METADATA") }, "\(differences)")
    #expect(try StoreRows(path: path + ".after-2").differences(from: new) == [])
    #expect(trial.directory.contents("old.sqlite.before-1") == keptBytes)
    let record = try #require(try StoreMetadata.read(path: path).restoration)
    #expect(record.keptName == "old.sqlite.before-1")
    #expect(record.replacedVersion == "2")
  }

  @Test func `the same call again finds its work done`() throws {
    let trial = try migrated()
    try restore(trial)
    let names = trial.directory.names
    #expect(try restore(trial).outcome == .alreadyThere)
    #expect(trial.directory.names == names)
  }

  @Test func `where a file's time cannot be set, it is asked whether changes are discarded`() throws
  {
    let trial = try Safety.trial()
    // The first write of the sealed store is that of its time.
    let isTold = Mutex(false)
    let files = FileSystem(willPerform: { operation, path in
      guard operation == .write, path.hasSuffix("/store.sqlite"),
        isTold.withLock({ told in
          defer { told = true }
          return !told
        })
      else { return }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: 1)
    })
    try #require(try trial.runInPlace(files: files).outcome == .migrated)
    #expect(isTold.withLock { $0 })
    let error = try #require(throws: MigrationError.self) { try restore(trial) }
    #expect(error.codes == ["RST-003"])
    #expect(try restore(trial, discardsChanges: true).outcome == .restored)
  }

  @Test func `a store goes there and back and is migrated again`() throws {
    let trial = try migrated()
    try restore(trial)
    #expect(try trial.runInPlace().outcome == .migrated)
    #expect(try Safety.version(trial.sourcePath) == "2")
    #expect(try StoreMetadata.read(path: trial.sourcePath).restoration != nil)
    #expect(try restore(trial, .named("old.sqlite.after-2")).replacedVersion == "2")
    #expect(try restore(trial, .named("1")).replacedVersion == "2")
    #expect(
      trial.directory.names == [
        "old.sqlite", "old.sqlite.after-2", "old.sqlite.after-2~2", "old.sqlite.after-2~3",
        "old.sqlite.before-1", "old.sqlite.before-1~2",
      ])
    #expect(try Safety.version(trial.sourcePath) == "1")
  }

  /// The store's record names a version, and that name ends the name of the store that is kept.
  @Test func `stores of versions with long names are kept and put back`() throws {
    let versions = ["1", "2"].map { String(repeating: "é", count: 200) + $0 }
    var (source, destination) = (Safety.source, Safety.destination)
    (source.name, destination.name) = (versions[0], versions[1])
    let copies = ["Car", "Person"].map {
      #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
    }
    let trial = try Trial(
      source, destination,
      [mapping(copies.joined(separator: ", "), from: versions[0], to: versions[1])],
      fill: Safety.fill)
    for number in 1...2 {
      let kept = StoreUnit(path: try #require(try trial.runInPlace().backupPath)).name
      #expect(kept.hasPrefix("old.sqlite.before-ééé") && kept.utf8.count < 240)
      #expect(kept.hasSuffix("é") == (number == 1))
      let report = try restore(trial, number == 1 ? .newest : .named(kept))
      let replaced = StoreUnit(path: try #require(report.replacedPath)).name
      #expect(replaced.hasPrefix("old.sqlite.after-ééé") && replaced.utf8.count < 240)
      #expect(report.replacedVersion == versions[1])
    }
    let store = URL(filePath: trial.sourcePath)
    #expect(try KeptStore.all(of: store).map(\.obstacle) == [nil, nil, nil, nil])
    #expect(try KeptStore.prune(of: store, keeping: 0).count == 4)
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test func `with no store at the path, the kept one is put there`() throws {
    let trial = try migrated()
    try FileManager.default.removeItem(atPath: trial.sourcePath)
    let report = try restore(trial)
    #expect(report.replacedPath == nil)
    #expect(try Safety.version(trial.sourcePath) == "1")
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
  }

  /// The folder is named after the store without its extension.
  @Test(arguments: ["old.sqlite", "old", ".old"])
  func `files of external data come back with the store`(storeName: String) throws {
    func model(_ name: String) -> Model {
      var data = Attribute(name: "data", type: .binary)
      data.allowsExternalBinaryDataStorage = true
      return Model(name, [Entity("Note", name == "1" ? [data] : [data, .text("more")])])
    }
    var trial = try Trial(
      model("1"), model("2"),
      [mapping(#"{"type": "copy", "source": "Note", "destination": "Note"}"#)])
    let path = trial.sourcePath
    trial.sourceName = storeName
    try FileManager.default.moveItem(atPath: path, toPath: trial.directory.path("moved"))
    try FileManager.default.moveItem(
      atPath: trial.directory.path("moved"), toPath: trial.sourcePath)
    let unit = StoreUnit(path: trial.sourcePath)
    let name = "6B7D2F0C-8D43-4B7D-9F5E-0E6C6D9A3B11"
    try FileManager.default.createDirectory(
      atPath: unit.externalDataPath, withIntermediateDirectories: true)
    try Data([1, 2, 3]).write(to: URL(filePath: "\(unit.externalDataPath)/\(name)"))
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZDATA) "
        + "VALUES (1, 1, 1, CAST(x'02' || '\(name)' || x'00' AS BLOB))")
    let folders = [unit.supportPath, unit.externalDataPath]
    for folder in folders {
      try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: folder)
    }
    try trial.runInPlace()
    try FileManager.default.removeItem(atPath: unit.supportPath)
    // As a call leaves it that died before the folder had its permissions.
    try FileManager.default.createDirectory(
      atPath: unit.supportPath, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    let kept = try #require(try KeptStore.all(of: URL(filePath: trial.sourcePath)).first)
    #expect(kept.version == "1")
    try restore(trial)
    let file = "\(unit.externalDataPath)/\(name)"
    #expect(try Data(contentsOf: URL(filePath: file)) == Data([1, 2, 3]))
    for folder in folders {
      let found = try FileManager.default.attributesOfItem(atPath: folder)
      #expect(found[.posixPermissions] as? Int == 0o750)
    }
    // A file that is nowhere any more.
    for file in [file, "\(StoreUnit(path: kept.path).externalDataPath)/\(name)"] {
      try FileManager.default.removeItem(atPath: file)
    }
    let report = try StoreRestoration(
      storePath: trial.sourcePath, choice: .named("2"), discardsChanges: true,
      storedModel: { [model = model("2")] _ in model }
    ).run(control: RunControl())
    #expect(report.warnings.all.map(\.code) == ["STO-312"])
  }

  // MARK: Refusals

  @Test(arguments: [false, true])
  func `a store that was written is not replaced unless its changes are discarded`(
    isOpen: Bool
  ) throws {
    let trial = try migrated()
    if isOpen {
      // The log is not in the file yet.
      let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
      try connection.execute("UPDATE ZCAR SET ZPLATE = 'new' WHERE Z_PK = 1")
      let error = try #require(throws: MigrationError.self) { try restore(trial) }
      #expect(error.codes == ["RST-003"])
      withExtendedLifetime(connection) {}
      return
    }
    try write(trial)
    let error = try #require(throws: MigrationError.self) { try restore(trial) }
    #expect(error.kind == .valuesLost)
    #expect(error.codes == ["RST-003"])
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
    let report = try restore(trial, discardsChanges: true)
    let kept = try Connection(path: try #require(report.replacedPath), mode: .readOnly)
    #expect(try kept.rows("SELECT ZPLATE FROM ZCAR WHERE Z_PK = 1")[0][0].string == "new")
  }

  @Test func `a store of which it is not known whether it was written is not replaced`() throws {
    let trial = try migrated()
    let other = try Safety.trial()
    try FileManager.default.removeItem(atPath: trial.sourcePath)
    try trial.directory.copy(other.sourcePath, to: "old.sqlite")
    // The kept store is of another one.
    #expect(
      try #require(throws: MigrationError.self) { try restore(trial) }.codes == ["RST-001"])
    try FileManager.default.removeItem(atPath: trial.sourcePath)
    try trial.directory.copy(trial.sourcePath + ".before-1", to: "old.sqlite")
    #expect(
      try #require(throws: MigrationError.self) { try restore(trial) }.codes == ["RST-003"])
  }

  @Test func `what is not kept, or is another store, is refused`() throws {
    let trial = try migrated()
    let other = try Safety.trial()
    try trial.directory.copy(other.sourcePath, to: "old.sqlite.before-other")
    for (name, code) in [("9", "RST-001"), ("other", "RST-002"), (trial.sourcePath, "RST-002")] {
      let error = try #require(throws: MigrationError.self) { try restore(trial, .named(name)) }
      #expect(error.codes == [code])
      #expect(error.kind == .wrongCall)
    }
    let listed = try KeptStore.all(of: URL(filePath: trial.sourcePath))
    #expect(listed.compactMap(\.obstacle) == [.otherStore])
  }

  @Test func `what is kept, and is not what is asked for, is told as that`() throws {
    let trial = try migrated()
    try restore(trial)
    try FileManager.default.removeItem(atPath: trial.sourcePath + ".before-1")
    func failure() throws -> Diagnostic? {
      let error = try #require(throws: MigrationError.self) { try restore(trial) }
      #expect(error.codes == ["RST-001"])
      return error.diagnostics.all.first
    }
    let replaced = try failure()
    #expect(replaced?.message == "no store of old.sqlite that a migration has replaced is kept")
    #expect(replaced?.reason?.hasSuffix(": old.sqlite.after-2") == true)
    try trial.directory.write([1, 2, 3], to: "old.sqlite.before-0")
    let unreadable = try failure()
    #expect(unreadable?.message == "no old store of old.sqlite that is kept can be put back")
    #expect(unreadable?.reason?.hasSuffix(": old.sqlite.before-0") == true)
    try restore(trial, .named("old.sqlite.after-2"))
    #expect(try Safety.version(trial.sourcePath) == "2")
  }

  /// Such as a file of text: it is advised to make way only where a kept store can take its place.
  @Test(arguments: [("STO-106", true), ("RST-001", false)])
  func `a file that is no store need make way only for one that is kept`(
    code: String, isKept: Bool
  ) throws {
    let trial = try migrated()
    try FileSystem().remove(trial.sourcePath)
    try trial.directory.write(Array("id,name\n1,a\n".utf8), to: "old.sqlite")
    if !isKept { try FileSystem().remove(trial.sourcePath + ".before-1") }
    let failure = try #require(throws: MigrationError.self) { try restore(trial) }
    #expect(failure.codes == [code])
  }

  @Test func `a damaged kept store is not put in place`() throws {
    let trial = try migrated()
    var bytes = try #require(trial.directory.contents("old.sqlite.before-1"))
    for place in 4_096..<bytes.count { bytes[place] = 0xFF }
    try trial.directory.write(bytes, to: "old.sqlite.before-1")
    let before = trial.sourceBytes
    let error = try #require(throws: MigrationError.self) { try restore(trial, .named("1")) }
    #expect(error.kind == .sourceDamaged)
    #expect(trial.sourceBytes == before)
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
  }

  /// It was the live store, migrated in place, and may be the only way back.
  @Test func `a store with an index that does not agree with its table is put back with a warning`()
    throws
  {
    let trial = try Safety.trial(journalMode: .delete)
    try EmptiedIndex.add(toDatabaseAt: trial.sourcePath, table: "ZCAR", column: "ZPLATE")
    let old = try StoreRows(path: trial.sourcePath)
    try trial.runInPlace()
    let report = try restore(trial)
    #expect(report.outcome == .restored)
    #expect(report.warnings.all.map(\.code) == ["RST-005"])
    let differences = try StoreRows(path: trial.sourcePath).differences(from: old)
    #expect(differences.allSatisfy { "\($0)".contains("Z_METADATA") }, "\(differences)")
    let remedy = try #require(report.warnings.all.first?.remedy)
    #expect(remedy.hasSuffix("sqlite3 \(ShellText.word(trial.sourcePath)) REINDEX"), "\(remedy)")
    #expect(try !StoreFile.open(path: trial.sourcePath).fullCheck().isEmpty)
    try Connection(path: trial.sourcePath, mode: .readWrite).execute("REINDEX")
    #expect(try StoreFile.open(path: trial.sourcePath).fullCheck() == [])
  }

  @Test func `values that a unique index forbids are no reason to keep the way back shut`() throws {
    let trial = try migrated()
    let path = trial.sourcePath + ".before-1"
    // The statement leaves room for the word that the index is declared with afterwards.
    try Connection(path: path, mode: .readWrite).execute(
      "CREATE INDEX same        ON ZCAR (Z_ENT); PRAGMA wal_checkpoint(TRUNCATE)")
    var bytes = try Data(contentsOf: URL(filePath: path))
    let place = try #require(bytes.range(of: Data("CREATE INDEX same        ON".utf8)))
    bytes.replaceSubrange(place, with: Data("CREATE UNIQUE INDEX same ON".utf8))
    try bytes.write(to: URL(filePath: path))
    let report = try restore(trial, .named("1"))
    #expect(report.warnings.all.map(\.code) == ["RST-005"])
    let remedy = try #require(report.warnings.all.first?.remedy)
    #expect(!remedy.contains("sqlite3"), "\(remedy)")
  }

  /// SQLite's check names equal values that are in the index, not those that it lacks.
  @Test(arguments: [("", true), ("COLLATE NOCASE", true), ("", false)], [false, true])
  func `to build an index again is advised only where that is possible`(
    index: (collation: String, hasEqualValues: Bool), isLogged: Bool
  ) throws {
    let trial = try migrated(journalMode: isLogged ? .wal : .delete)
    let path = trial.sourcePath + ".before-1"
    try EmptiedIndex.add(
      toDatabaseAt: path, table: "ZCAR", column: "ZPLATE \(index.collation)", isUnique: true)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      let value =
        !index.hasEqualValues ? "'other'" : index.collation.isEmpty ? "ZPLATE" : "upper(ZPLATE)"
      try connection.execute(
        "INSERT INTO ZCAR (Z_PK, Z_ENT, Z_OPT, ZPLATE) "
          + "SELECT 9, Z_ENT, 1, \(value) FROM ZCAR WHERE Z_PK = 1")
      let findings = try connection.rows("PRAGMA integrity_check").map { $0[0].string ?? "" }
      #expect(!findings.contains { $0.contains("non-unique") }, "\(findings)")
    }
    let kept = try StoreRows(path: path)
    let bytes = trial.directory.contents("old.sqlite.before-1")
    let report = try restore(trial, .named("1"))
    #expect(report.warnings.all.map(\.code) == ["RST-005"])
    let remedy = try #require(report.warnings.all.first?.remedy)
    #expect(remedy.contains("sqlite3") == !index.hasEqualValues, "\(remedy)")
    let differences = try StoreRows(path: trial.sourcePath).differences(from: kept)
    #expect(differences.allSatisfy { "\($0)".contains("Z_METADATA") }, "\(differences)")
    #expect(trial.directory.contents("old.sqlite.before-1") == bytes)
    func rebuild() throws {
      try Connection(path: trial.sourcePath, mode: .readWrite).execute("REINDEX")
    }
    if index.hasEqualValues {
      #expect(throws: SQLiteError.self) { try rebuild() }
    } else {
      try rebuild()
      #expect(try StoreFile.open(path: trial.sourcePath).fullCheck() == [])
    }
  }

  @Test func `a store that another program has open is not replaced`() throws {
    let trial = try migrated()
    let reader = try Connection(path: trial.sourcePath, mode: .readOnly)
    try reader.execute("BEGIN")
    _ = try reader.integer("SELECT count(*) FROM ZCAR")
    let error = try #require(throws: MigrationError.self) { try restore(trial) }
    #expect(error.kind == .locked)
    #expect(try Safety.version(trial.sourcePath) == "2")
    #expect(!trial.directory.names.contains("old.sqlite.after-2"))
  }

  @Test func `of a store that another call works on, it is not said that it was written`() throws {
    let trial = try migrated()
    // As a restoration that folds the log in leaves the store for a moment.
    try write(trial)
    let names = trial.directory.names
    do {
      let other = try #require(
        try WorkFolder.hold(trial.sourcePath + ".passage", files: FileSystem()))
      let error = try #require(throws: MigrationError.self) { try restore(trial) }
      #expect(error.kind == .locked)
      _ = other.end()
    }
    let error = try #require(throws: MigrationError.self) { try restore(trial) }
    #expect(error.codes == ["RST-003"])
    #expect(trial.directory.names == names)
  }

  @Test func `the work of an unfinished migration is not discarded`() throws {
    let trial = try Safety.trial(journalMode: .delete)
    try trial.directory.copy(trial.sourcePath, to: "old.sqlite.before-0")
    let faults = FaultyFiles(failing: 12, isLasting: true)
    #expect(throws: MigrationError.self) { try trial.runInPlace(files: faults.files) }
    let names = trial.directory.names
    try #require(names.contains("old.sqlite.passage"))
    let error = try #require(throws: MigrationError.self) {
      try restore(trial, discardsChanges: true)
    }
    #expect(error.codes == ["RST-004"])
    #expect(trial.directory.names == names)
    #expect(try trial.runInPlace().wasContinued)
  }

  // MARK: Interruptions

  @Test(arguments: [true, false], [StoreBuilder.JournalMode.wal, .delete])
  func `a fault at any operation leaves the whole new or the whole old store`(
    isLasting: Bool, journalMode: StoreBuilder.JournalMode
  ) throws {
    var stop = 0
    var slice = FaultSlice("RestorationTests")
    while true {
      stop = slice.next(after: stop, longest: 12)
      let trial = try migrated(journalMode: journalMode)
      let path = trial.sourcePath
      let new = try StoreRows(path: path)
      let faults = FaultyFiles(failing: stop, isLasting: isLasting)
      do {
        try restore(trial, files: faults.files)
        if !faults.hasFailed { break }
      } catch let error as MigrationError {
        #expect(error.kind == .inputOutput, "\(faults.last)")
      }
      #expect(["1", "2"].contains(try Safety.version(path)), "\(faults.last)")
      try restore(trial)
      #expect(try Safety.version(path) == "1")
      #expect(
        trial.directory.names == ["old.sqlite", "old.sqlite.after-2", "old.sqlite.before-1"],
        "\(faults.last)")
      #expect(try StoreRows(path: path + ".after-2").differences(from: new) == [])
    }
    #expect(stop > 12)
  }
}
