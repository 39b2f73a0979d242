import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageStores
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// From the instant that a store is in its place nothing is reported as a failure; and what a later run
/// depends on is durable before that.
@Suite struct AfterTheInstantTests {
  /// Fails every operation of one kind from the moment that something is put at a path.
  private static func faults(
    _ operations: [FileSystem.Operation], afterPlacingAt path: String
  ) -> FileSystem {
    let isPlaced = Mutex(false)
    return FileSystem(willPerform: { operation, other in
      if isPlaced.withLock({ $0 }), operations.contains(operation) {
        throw FileSystem.Failure(operation: operation, path: other, errorNumber: 5)
      }
      if [.rename, .link].contains(operation), other == path { isPlaced.withLock { $0 = true } }
    })
  }

  @Test(arguments: [nil] + ConversionTrial.foreignTypes)
  func `a store that is placed is reported as migrated, and what failed as a warning`(
    type: String?
  ) throws {
    let trial = try ConversionTrial(Safety.trial(), from: nil)
    for (number, operations) in [[FileSystem.Operation.synchronizeDirectory], [.remove]]
      .enumerated()
    {
      let name = ConversionTrial.name("new-\(number)", type)
      let path = trial.directory.path(name)
      let report = try trial.run(
        to: name, as: type, files: Self.faults(operations, afterPlacingAt: path))
      #expect(report.outcome == .migrated)
      let code = number == 0 ? "RUN-053" : "RUN-052"
      let warning = try #require(report.warnings.all.first { $0.code == code })
      #expect(warning.severity == .warning)
      #expect(warning.location?.file == (number == 0 ? path : path + ".passage"))
      // The work is removed only when that is durable up to its marker.
      #expect(report.warnings.all.contains { $0.code == "RUN-052" })
      #expect(try FileSystem().exists(path + ".passage"))
      #expect(try trial.run(to: name, as: type).outcome == .upToDate)
      #expect(trial.directory.names.filter { $0.hasSuffix(".passage") } == [])
    }
  }

  @Test(arguments: [FileSystem.Operation.synchronizeDirectory, .remove])
  func `a store that is installed or packed is reported as such`(
    operation: FileSystem.Operation
  ) throws {
    let bundle = try PrefilledStore()
    let codes = operation == .remove ? ["RUN-052"] : ["RUN-053", "RUN-052"]
    let installed = try bundle.install(
      files: Self.faults([operation], afterPlacingAt: bundle.installedPath))
    #expect(installed.outcome == .installed)
    #expect(installed.warnings.all.map(\.code) == codes)
    #expect(try bundle.install().outcome == .alreadyThere)
    #expect(bundle.installedNames == PrefilledStore.wholeNames)
    let packed = try bundle.pack(
      files: Self.faults(
        [operation], afterPlacingAt: bundle.directory.path("packed/Default.sqlite")))
    #expect(packed.outcome == .packed)
    #expect(packed.warnings.all.map(\.code) == codes)
    #expect(try bundle.pack().outcome == .unchanged)
    #expect(!bundle.contents("packed").keys.contains { $0.hasSuffix(".passage") })
  }

  @Test func `a store that is made is reported as made`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("new.sqlite")
    var warnings = Diagnostics()
    _ = try StoreCreator.create(
      model: Safety.source, at: path, warnings: &warnings,
      files: Self.faults([.synchronizeDirectory, .remove], afterPlacingAt: path))
    #expect(warnings.all.map(\.code) == ["RUN-053"])
    #expect(warnings.all.map(\.severity) == [.warning])
    #expect(try StoreAudit(path: path, model: Safety.source).findings == [])
  }

  @Test(arguments: [false, true])
  func `a store that is saved whole is reported as saved`(isThere: Bool) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("people.csv")
    let store = AtomicStore(
      type: DelimitedTextStoreType(), location: path,
      model: Model("1", [Entity("A", [.text("x")])]))
    if isThere { #expect(try store.save().all.isEmpty) }
    store.insert(CacheNode(store.newIdentifier(for: "A"), values: ["x": .text("saved")]))
    let warnings = try store.save(Self.faults([.synchronizeDirectory], afterPlacingAt: path))
    #expect(warnings.all.map(\.code) == ["RUN-053"])
    #expect(String(decoding: folder.contents("people.csv") ?? [], as: UTF8.self).contains("saved"))
    #expect(folder.names == ["people.csv"])
  }

  /// The log of the old store is folded into it before the rename: its bytes change, its objects do
  /// not.
  @Test(arguments: [StoreBuilder.JournalMode.wal, .delete])
  func `a failure between the fold and the rename says what became of the source`(
    journalMode: StoreBuilder.JournalMode
  ) throws {
    let model = Model("1", [Entity("A", [.text("x")])])
    let trial = try Trial(
      model, Model("2", [Entity("A", [.text("x"), .text("y")])]),
      [
        mapping(
          #"{"type": "transform", "source": "A", "destination": "A", "attributes": {"x": {}}}"#)
      ],
      journalMode: journalMode, isLogKept: journalMode == .wal
    ) { store in
      for number in 0..<500 { try store.insert("A", ["x": .text("\(number)")]) }
    }
    let before = trial.sourceBytes
    let path = trial.sourcePath
    let error = try #require(throws: MigrationError.self) {
      try trial.runInPlace(
        files: FileSystem(willPerform: { operation, other in
          if operation == .rename, other == path {
            throw FileSystem.Failure(operation: operation, path: other, errorNumber: 5)
          }
        }))
    }
    #expect(error.kind == .inputOutput)
    let state = try #require(error.diskState)
    #expect(state.contains("the source is unchanged") == (trial.sourceBytes == before), "\(state)")
    #expect(state.contains("its log was being merged") == (journalMode == .wal), "\(state)")
    #expect(try StoreContents(path: path, model: model)["A"].count == 500)
    #expect(try trial.runInPlace().outcome == .migrated)
  }

  // MARK: Before it

  @Test func `what a later run depends on has a durable name before it is depended on`() throws {
    let trial = try Safety.trial()
    let log = Mutex<[String]>([])
    let folder = trial.directory.path
    try trial.runInPlace(
      files: FileSystem(willPerform: { operation, path in
        let name = path == folder ? "." : String(path.dropFirst(folder.count + 1))
        log.withLock { $0.append("\(operation.rawValue) \(name)") }
      }))
    let lines = log.withLock { $0 }
    let work = "old.sqlite.passage"
    /// What follows a line.
    func rest(after line: String) throws -> ArraySlice<String> {
      lines[(try #require(lines.firstIndex(of: line)) + 1)...]
    }
    #expect(
      try rest(after: "write \(work)/passage-work").prefix(2)
        == ["synchronizeDirectory \(work)", "synchronizeDirectory ."])
    #expect(
      try rest(after: "rename \(work)/cut-over").prefix(2)
        == ["synchronizeDirectory \(work)", "synchronizeDirectory ."])
    // The clean-up removes the mark before anything else.
    let removed = try rest(after: "rename old.sqlite").filter { $0.hasPrefix("remove") }
    #expect(removed.first == "remove \(work)/cut-over")
    #expect(removed.last == "remove \(work)")
  }

  /// The store of a step that is not the last is trusted after a power failure.
  @Test func `what names the migration is durable before the store of a step is sealed`() throws {
    let trial = try InterruptionTests.chain()
    let log = Mutex<[String]>([])
    let folder = trial.directory.path
    try trial.run(
      files: FileSystem(willPerform: { operation, path in
        let name = path == folder ? "." : String(path.dropFirst(folder.count + 1))
        log.withLock { $0.append("\(operation.rawValue) \(name)") }
      }))
    let lines = log.withLock { $0 }
    let work = "new.sqlite.passage"
    let sealed = try #require(lines.firstIndex(of: "rename \(work)/step-1/store.sqlite"))
    #expect(
      lines[..<sealed].suffix(3) == [
        "synchronize \(work)/run.json", "synchronizeDirectory \(work)",
        "synchronize \(work)/step-1/pass-1.sqlite",
      ])
    #expect(lines[sealed + 1] == "synchronizeDirectory \(work)/step-1")
    // The last step is made durable by the cut-over.
    let last = try #require(lines.firstIndex(of: "rename \(work)/step-2/store.sqlite"))
    #expect(!lines[last + 1].hasPrefix("synchronize"))
    #expect(lines[last...].contains("synchronize \(work)/step-2/store.sqlite"))
  }

  /// A power failure while the log is folded in may take the mark's name away.
  @Test(arguments: [true, false])
  func `a journal of our own fold is rolled back without the mark`(isSynced: Bool) throws {
    let trial = try Safety.trial()
    try Self.leaveFold(trial, records: isSynced ? 1 : 0)
    #expect((trial.directory.contents("old.sqlite-journal")?.count ?? 0) > 0)
    #expect(try trial.runInPlace().outcome == .migrated)
    #expect(try Safety.version(trial.sourcePath) == "2")
    #expect(try Safety.version(trial.sourcePath + ".before-1") == "1")
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
  }

  /// It may end anywhere, and a power failure may leave zeros from anywhere on.
  @Test(arguments: [28, 512, 514, 516, 700, 4_608], [true, false])
  func `a journal of our own fold that was not finished is rolled back`(
    end: Int, isZeroed: Bool
  ) throws {
    let trial = try Safety.trial()
    try Self.leaveFold(trial, records: 0)
    var journal = try #require(trial.directory.contents("old.sqlite-journal"))
    let count = journal.count
    journal.removeLast(count - end)
    if isZeroed { journal += Array(repeating: 0, count: count - end) }
    try trial.directory.write(journal, to: "old.sqlite-journal")
    #expect(try trial.runInPlace().outcome == .migrated)
    #expect(try Safety.version(trial.sourcePath) == "2")
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])
  }

  /// A journal that says that it has no record may have the only copies of pages.
  @Test(arguments: ["page", "size", "number", "longer"], [UInt8(0), 1])
  func `any other journal is left to its program`(change: String, records: UInt8) throws {
    let trial = try Safety.trial()
    try Self.leaveFold(trial, records: records)
    var journal = try #require(trial.directory.contents("old.sqlite-journal"))
    switch change {
    case "page": journal[512 + 4 + 200] ^= 1
    case "size": journal[19] += 1
    case "longer": journal += journal[512...]
    default: journal[512 + 3] = 2
    }
    try trial.directory.write(journal, to: "old.sqlite-journal")
    let before = trial.directory.contents("old.sqlite")
    let error = try #require(throws: MigrationError.self) { try trial.runInPlace() }
    #expect(error.codes == ["STO-114"])
    #expect(trial.directory.contents("old.sqlite-journal") == journal)
    #expect(trial.directory.contents("old.sqlite") == before)
  }

  /// What a kill leaves while SQLite leaves WAL mode: the first page written again, and a journal with
  /// the old one.
  private static func leaveFold(_ trial: Trial, records: UInt8) throws {
    let old = try #require(trial.directory.contents("old.sqlite"))
    #expect(Array(old[18..<20]) == [2, 2])
    var new = old
    if records > 0 {
      new[18] = 1
      new[19] = 1
      for offset in [27, 95] { new[offset] &+= 1 }
    }
    let pageBytes = Int(old[16]) << 8 | Int(old[17])
    func bytes(_ number: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) }
    }
    // https://www.sqlite.org/fileformat2.html, section 3.
    let nonce: UInt32 = 7
    var journal: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    journal += bytes(UInt32(records)) + bytes(nonce) + bytes(UInt32(old.count / pageBytes))
    journal += bytes(512) + bytes(UInt32(pageBytes))
    journal += Array(repeating: 0, count: 512 - journal.count)
    let page = Array(old[..<pageBytes])
    var sum = nonce
    for offset in stride(from: pageBytes - 200, to: 0, by: -200) { sum &+= UInt32(page[offset]) }
    journal += bytes(1) + page + bytes(sum)
    try trial.directory.write(new, to: "old.sqlite")
    try trial.directory.write(journal, to: "old.sqlite-journal")
  }
}
