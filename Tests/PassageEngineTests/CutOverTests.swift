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

/// A small migration for tests of safety: two passes, a policy's objects, a relationship across
/// passes.
enum Safety {
  static let source = Model(
    "1",
    [
      Entity("Person", [.text("name")], [.many("cars", "Car", inverse: "owner")]),
      Entity("Car", [.text("plate")], [.one("owner", "Person", inverse: "cars")]),
    ])
  static let destination = Model(
    "2",
    [
      Entity("Person", [.text("name")], [.many("cars", "Car", inverse: "owner")]),
      Entity("Car", [.text("plate"), .number("age")], [.one("owner", "Person", inverse: "cars")]),
    ])

  static func fill(_ store: TestStore) throws {
    let people = try (1...4).map { try store.insert("Person", ["name": .text("p\($0)")]) }
    for number in 1...7 {
      try store.insert(
        "Car", ["plate": .text("c\(number)")], ["owner": [people[number % 4]]])
    }
  }

  static func mappings() throws -> [MappingModel] {
    [
      try mapping(
        """
        {"type": "copy", "source": "Car", "destination": "Car", "attributes": {"age": "3"},
         "filter": "plate != 'c5'"}
        """, named: "Cars"),
      try mapping(
        #"{"type": "copy", "source": "Person", "destination": "Person"}"#, named: "People"),
    ]
  }

  static func trial(
    journalMode: StoreBuilder.JournalMode = .wal, isLogKept: Bool = false
  ) throws -> Trial {
    try Trial(
      source, destination, mappings(), journalMode: journalMode, isLogKept: isLogKept, fill: fill)
  }

  /// Which of the two models the store at a path has; it must be whole.
  static func version(_ path: String) throws -> String {
    let hashes = try StoreMetadata.read(path: path).versionHashes
    for model in [source, destination]
    where Compatibility(recordedHashes: hashes, model: model).isCompatible {
      #expect(try StoreAudit(path: path, model: model).findings == [])
      let contents = try StoreContents(path: path, model: model)
      #expect(contents["Person"].count == 4)
      #expect(contents["Car"].count == (model.name == "1" ? 7 : 6))
      return model.name
    }
    return "neither"
  }
}

/// What ends a run at its n-th operation on files.
final class FaultyFiles: Sendable {
  private let count = Mutex(0)
  private let log = Mutex<[String]>([])
  private let stop: Int
  private let isLasting: Bool
  private let errorNumber: Int32

  /// - Parameters:
  ///   - isLasting: whether every operation after the n-th fails too, as when the process is gone.
  init(failing stop: Int, isLasting: Bool, errorNumber: Int32 = 5) {
    self.stop = stop
    self.isLasting = isLasting
    self.errorNumber = errorNumber
  }

  var files: FileSystem { FileSystem(willPerform: { [self] in try perform($0, $1) }) }

  /// Counts an operation, and fails it when its turn has come.
  func perform(_ operation: FileSystem.Operation, _ path: String) throws {
    let number = count.withLock { count in
      count += 1
      return count
    }
    log.withLock { $0.append("\(operation.rawValue) \(path)") }
    if number == stop || isLasting && number > stop {
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: errorNumber)
    }
  }

  var hasFailed: Bool { count.withLock { $0 } >= stop }
  var last: String { log.withLock { $0.last ?? "" } }
}

@Suite struct CutOverTests {
  static let shell = "/usr/bin/sqlite3"

  /// The operating system forgets a process's locks on a file when any descriptor of it is closed.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: shell)), arguments: [false, true])
  func `no other program can write between the last look and the rename`(isLogKept: Bool) throws {
    let trial = try Safety.trial(isLogKept: isLogKept)
    let answers = Mutex<[Int32]>([])
    let files = FileSystem(willPerform: { operation, path in
      guard operation == .rename, path == trial.sourcePath else { return }
      let outcome = try ChildProgram.run(
        Self.shell, [path, "BEGIN IMMEDIATE; UPDATE ZCAR SET ZPLATE = 'lost'; COMMIT"])
      answers.withLock { $0.append(outcome.status) }
    })
    try trial.runInPlace(files: files)
    // SQLITE_BUSY: the store is locked.
    #expect(answers.withLock { $0 } == [5])
  }

  @Test(arguments: [
    (true, false, false), (false, false, false), (true, true, true), (false, true, true),
    (true, true, false), (true, false, true),
  ])
  func
    `a fault at any operation leaves no half store at the destination, and a second run ends well`(
      isLasting: Bool, isInMemory: Bool, isSecondInMemory: Bool
    ) throws
  {
    var trial = try Safety.trial()
    try trial.run(to: "whole.sqlite")
    let whole = try StoreRows(path: trial.directory.path("whole.sqlite"))
    var stop = 0
    var slice = FaultSlice("CutOverTests")
    while true {
      stop = slice.next(after: stop, longest: 8)
      let name = "new-\(stop).sqlite"
      let faults = FaultyFiles(failing: stop, isLasting: isLasting)
      do {
        trial.worksInMemory = isInMemory
        try trial.run(to: name, files: faults.files)
        if !faults.hasFailed { break }
      } catch let error as MigrationError {
        #expect(error.kind == .inputOutput, "\(faults.last)")
        #expect(error.kind.rawValue == 32)
      }
      let path = trial.directory.path(name)
      if trial.directory.contents(name) != nil {
        #expect(try Safety.version(path) == "2")
      }
      trial.worksInMemory = isSecondInMemory
      let report = try trial.run(to: name)
      #expect([.migrated, .upToDate].contains(report.outcome))
      #expect(try StoreRows(path: path).differences(from: whole) == [])
      #expect(trial.directory.names.filter { $0.hasSuffix(".passage") } == [])
    }
    #expect(stop > (isInMemory ? 8 : 20))
  }

  @Test(
    arguments: [
      (true, true, true), (true, false, true), (false, true, false), (false, false, true),
      (true, true, false),
    ], [false, true])
  func `a fault at any operation in place leaves the whole old or the whole new store`(
    way: (isLasting: Bool, isLogKept: Bool, keepsBackup: Bool), isInMemory: Bool
  ) throws {
    let (isLasting, isLogKept, keepsBackup) = way
    var options = MigrationOptions()
    options.oldStore = keepsBackup ? .keep : .remove
    var stop = 0
    var slice = FaultSlice("CutOverTests")
    while true {
      stop = slice.next(after: stop)
      var trial = try Safety.trial(isLogKept: isLogKept)
      trial.worksInMemory = isInMemory
      let path = trial.sourcePath
      let faults = FaultyFiles(failing: stop, isLasting: isLasting)
      do {
        try trial.runInPlace(options: options, files: faults.files)
        if !faults.hasFailed { break }
      } catch let error as MigrationError {
        #expect(error.kind == .inputOutput, "\(faults.last)")
      }
      #expect(["1", "2"].contains(try Safety.version(path)), "\(faults.last)")
      try trial.runInPlace(options: options)
      #expect(try Safety.version(path) == "2")
      #expect(
        trial.directory.names
          == (keepsBackup ? ["old.sqlite", "old.sqlite.before-1"] : ["old.sqlite"]))
      if keepsBackup {
        #expect(try Safety.version(trial.directory.path("old.sqlite.before-1")) == "1")
      }
    }
    #expect(stop > 15)
  }

  @Test(arguments: [StoreBuilder.JournalMode.wal, .delete])
  func `in place, the old store is kept whole beside the new one`(
    journalMode: StoreBuilder.JournalMode
  ) throws {
    let trial = try Safety.trial(journalMode: journalMode, isLogKept: journalMode == .wal)
    let before = try StoreRows(path: trial.sourcePath)
    let report = try trial.runInPlace()
    #expect(report.backupPath == trial.sourcePath + ".before-1")
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
    #expect(try StoreRows(path: trial.sourcePath + ".before-1").differences(from: before) == [])
    #expect(try Safety.version(trial.sourcePath) == "2")
    #expect(try trial.runInPlace().outcome == .upToDate)
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
  }

  @Test(arguments: [true, false], [true, false])
  func `a rename that fails leaves no second name of the store`(
    isLinking: Bool, worksInMemory: Bool
  ) throws {
    var trial = try Safety.trial()
    trial.worksInMemory = worksInMemory
    let path = trial.sourcePath
    let files = FileSystem(willPerform: { operation, place in
      if operation == .rename && place == path || operation == .link && !isLinking {
        throw FileSystem.Failure(operation: operation, path: place, errorNumber: 1)
      }
    })
    let error = try #require(throws: MigrationError.self) { try trial.runInPlace(files: files) }
    #expect(error.codes == ["STO-112"])
    #expect(
      trial.directory.names == ["old.sqlite"] + (worksInMemory ? [] : ["old.sqlite.passage"]))
    try trial.runInPlace()
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
  }

  @Test func `a hot log is read, and neither it nor the main file is changed`() throws {
    let hot = try Safety.trial(isLogKept: true)
    #expect((hot.directory.contents("old.sqlite-wal")?.count ?? 0) > 1_000)
    let cold = try Safety.trial()
    try hot.run()
    try cold.run()
    let expected = try StoreContents(
      path: cold.directory.path("new.sqlite"), model: Safety.destination)
    let found = try StoreContents(path: hot.directory.path("new.sqlite"), model: Safety.destination)
    #expect(found.differences(from: expected) == [])
    #expect(found["Car"].count == 6)
  }

  @Test func `in place is refused while another program has the store open, and the work is kept`()
    throws
  {
    let trial = try Safety.trial()
    let error: MigrationError
    do {
      let other = try Connection(path: trial.sourcePath, mode: .readWrite)
      try other.execute("BEGIN")
      _ = try other.integer("SELECT count(*) FROM ZCAR")
      error = try #require(throws: MigrationError.self) { try trial.runInPlace() }
      try other.execute("COMMIT")
    }
    #expect(error.kind == .locked)
    #expect(error.codes == ["RUN-011"])
    let report = try trial.runInPlace()
    #expect(report.wasContinued)
    #expect(try Safety.version(trial.sourcePath) == "2")
  }

  /// To fold the log in, SQLite changes the journal mode in a transaction with a journal.
  @Test func `killed while the log is folded in, the next run rolls back and ends well`() throws {
    let trial = try Safety.trial(journalMode: .delete)
    let isMarked = Mutex(false)
    let files = FileSystem(willPerform: { operation, path in
      if isMarked.withLock({ $0 }) {
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
      }
      if operation == .rename, path.hasSuffix("/cut-over") { isMarked.withLock { $0 = true } }
    })
    #expect(throws: MigrationError.self) { try trial.runInPlace(files: files) }
    // A copy taken in the middle of a transaction is what a kill leaves.
    let left: [(String, [UInt8])]
    do {
      let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
      try connection.execute("PRAGMA cache_size = 1")
      try connection.execute("BEGIN IMMEDIATE; UPDATE ZCAR SET ZPLATE = hex(zeroblob(2000))")
      left = try ["old.sqlite", "old.sqlite-journal"].map {
        ($0, try #require(trial.directory.contents($0)))
      }
      try connection.execute("ROLLBACK")
    }
    for (name, bytes) in left { try trial.directory.write(bytes, to: name) }
    try trial.runInPlace()
    #expect(try Safety.version(trial.sourcePath) == "2")
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
  }
}
