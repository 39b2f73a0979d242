import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// Records of the work that cannot be read are never taken for ones that are not there.
struct RecordTests {
  /// Stops a migration of objects of which some are quarantined, after its only step was sealed.
  private func stopped() throws -> Trial {
    let trial = try QuarantineTests.trial()
    let files = FileSystem(willPerform: { operation, path in
      if operation == .link, path.hasSuffix(".quarantine.jsonl") {
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 17)
      }
    })
    let error = try trial.failure(options: QuarantineTests.options(4), files: files)
    #expect(error.codes == ["RUN-046"])
    return trial
  }

  @Test(arguments: ["quarantine.jsonl", "account.json"])
  func `a folder in a record's place ends the run`(name: String) throws {
    let trial = try stopped()
    let path = trial.directory.path("new.sqlite.passage/step-1/\(name)")
    #expect(FileManager.default.fileExists(atPath: path))
    try FileManager.default.removeItem(atPath: path)
    // A folder is none of the records that the work is made of, so the work is another's.
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let error = try trial.failure(options: QuarantineTests.options(4))
    #expect(error.codes == ["RUN-050"])
    #expect(error.kind == .wrongCall)
    #expect(trial.directory.contents("new.sqlite") == nil)
    #expect(trial.directory.contents("new.sqlite.quarantine.jsonl") == nil)
  }

  /// It is the only record of those objects.
  @Test(arguments: [0, 1, 3])
  func `a quarantine file that lacks lines ends the run`(count: Int) throws {
    let trial = try stopped()
    let path = "new.sqlite.passage/step-1/quarantine.jsonl"
    let lines = try #require(trial.directory.contents(path)).split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 4)
    if count == 0 {
      try FileManager.default.removeItem(atPath: trial.directory.path(path))
    } else {
      try trial.directory.write(Array(lines.prefix(count).joined(separator: "\n".utf8)), to: path)
    }
    let error = try trial.failure(options: QuarantineTests.options(4))
    #expect(error.codes == ["RUN-063"], "\(error)")
    #expect(try trial.run(options: QuarantineTests.options(4)).quarantined == 4)
    #expect(try QuarantineTests.lines(trial).count == 4)
  }

  @Test func `a file in an account's place ends the run`() throws {
    let trial = try stopped()
    try trial.directory.write(
      Array("[]]".utf8), to: "new.sqlite.passage/step-1/account.json")
    let error = try trial.failure(options: QuarantineTests.options(4))
    #expect(error.codes == ["RUN-063"])
    var options = QuarantineTests.options(4)
    options.unfinishedWork = .discard
    #expect(try trial.run(options: options).quarantined == 4)
  }

  /// Makes a record larger than any that Passage writes.
  private func enlarge(_ name: String, of trial: Trial, to bytes: UInt64) throws {
    let path = trial.directory.path("new.sqlite.passage/\(name)")
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: bytes)
    try file.close()
  }

  @Test func `work with a record of the migration that is too large is discarded`() throws {
    let trial = try stopped()
    try enlarge("run.json", of: trial, to: (16 << 20) + 1)
    let report = try trial.run(options: QuarantineTests.options(4))
    #expect(report.discardedWork?.contains("(run.json) is damaged") == true)
    #expect(!report.wasContinued && report.quarantined == 4)
  }

  @Test func `an account that is too large ends the run`() throws {
    let trial = try stopped()
    try enlarge("step-1/account.json", of: trial, to: (1 << 30) + 1)
    let error = try trial.failure(options: QuarantineTests.options(4))
    #expect(error.codes == ["RUN-063"])
  }

  /// Nobody gave the store of a step to the call, so its damage is that of the work, not of a source.
  @Test(arguments: [0, 3_000, 30_000])
  func `the damaged store of a step ends the run`(bytes: Int) throws {
    var trial = try ChainedMemoryTests.trial()
    trial.worksInMemory = false
    let files = FileSystem(willPerform: { operation, path in
      guard operation == .makeDirectory, path.hasSuffix("/step-2") else { return }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
    })
    _ = try trial.failure(files: files)
    let path = "new.sqlite.passage/step-1/store.sqlite"
    let store = try #require(trial.directory.contents(path))
    try trial.directory.write(Array(store.prefix(bytes)), to: path)
    let error = try trial.failure()
    #expect(error.codes == ["RUN-063"] && error.kind == .inputOutput, "\(error)")
    #expect(error.diskState?.contains("so far was removed") == true)
    #expect(!FileManager.default.fileExists(atPath: trial.directory.path("new.sqlite.passage")))
    #expect(try !trial.run().wasContinued)
  }

  /// Nothing else reads these pages again before the store is put in place.
  @Test(
    arguments: [MigrationOptions.Lane.row, .set, .automatic], ["pass-1.sqlite", "journal.sqlite"])
  func `damage to work that is continued never reaches the store`(
    lane: MigrationOptions.Lane, name: String
  ) throws {
    var trial = try ChainedMemoryTests.trial(persons: 2_000)
    trial.worksInMemory = false
    var options = MigrationOptions()
    options.lane = lane
    options.limits.batch = BatchLimits(rows: 200)
    var damaged = 0
    for place in stride(from: 6, to: 40, by: 3) {
      let stopping = StoppingControl(after: place)
      guard (try? trial.run(options: options, control: stopping.control)) == nil else { break }
      let path = "new.sqlite.passage/step-1/\(name)"
      guard var bytes = trial.directory.contents(path), bytes.count > 12_288 else { continue }
      // The order of the cells of a page, and what is behind it.
      for byte in 8_200..<8_240 { bytes[byte] = 0xff }
      try trial.directory.write(bytes, to: path)
      damaged += 1
      do {
        try trial.run(options: options)
        let store = try Connection(
          path: trial.directory.path("new.sqlite"), mode: .readOnly)
        #expect(try store.value("PRAGMA integrity_check") == "ok")
        try FileManager.default.removeItem(atPath: trial.directory.path("new.sqlite"))
      } catch {
        let error = try #require(error as? MigrationError)
        // What is found in the finished store is found there; the work is removed.
        #expect(["RUN-063", "RUN-035"].contains(error.codes.first), "\(error)")
        #expect(trial.directory.contents("new.sqlite") == nil)
        try trial.run(options: options)
        try FileManager.default.removeItem(atPath: trial.directory.path("new.sqlite"))
      }
    }
    #expect(damaged > 0)
  }

  @Test func `a destination that belongs to the source is refused`() throws {
    let trial = try Safety.trial()
    for name in [
      "old.sqlite-wal", "old.sqlite-journal", "old.sqlite-shm", ".old_SUPPORT",
      "old.sqlite.passage",
    ] {
      let error = try trial.failure(to: name)
      #expect(error.codes == ["RUN-060"], "\(name)")
      #expect(error.kind == .wrongCall)
    }
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test func `a name that leaves no room for the work's is refused before anything is made`() throws
  {
    let trial = try Safety.trial()
    let error = try trial.failure(to: String(repeating: "n", count: 248))
    #expect(error.codes == ["STO-161"])
    #expect(error.kind == .wrongCall)
    #expect(trial.directory.names == ["old.sqlite"])
  }
}
