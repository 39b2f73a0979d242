import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// The same command again: what is finished is known, and nothing else is taken for it.
@Suite struct RepeatedConversionTests {
  private static let pairs: [(String?, String)] = ConversionTrial.types.flatMap { source in
    ConversionTrial.foreignTypes.map { (source, $0) }
  }

  private static func trial(from type: String? = nil) throws -> ConversionTrial {
    try ConversionTrial(Safety.trial(), from: type)
  }

  private static func options(rows: Bool) -> MigrationOptions {
    var options = MigrationOptions()
    options.lane = rows ? .row : .automatic
    return options
  }

  @Test(arguments: pairs)
  func `a finished conversion has nothing to do, and changes nothing`(
    _ source: String?, _ type: String
  ) throws {
    let trial = try Self.trial(from: source)
    let name = ConversionTrial.name("new", type)
    #expect(try trial.run(to: name, as: type).outcome == .migrated)
    let (bytes, path) = (trial.directory.contents(name), trial.directory.path(name))
    let before = try FileSystem.status(path)
    for rows in [false, true] {
      let report = try trial.run(to: name, as: type, options: Self.options(rows: rows))
      #expect(report.outcome == .upToDate)
      #expect(report.destinationPath == path)
      #expect(report.steps == [])
      // Such a file has no room for a record, and that is said.
      #expect(report.record == nil)
      #expect(report.warnings.all.filter { $0.code == "RUN-087" }.map(\.severity) == [.note])
    }
    #expect(trial.directory.contents(name) == bytes)
    #expect(try FileSystem.status(path) == before)
    #expect(trial.directory.names == [name, trial.sourceName].sorted())
  }

  // MARK: What is not finished

  /// Ways to change a finished result.
  enum Change: String, CaseIterable, Sendable {
    case lastByte, cutShort, longer, other, empty, link
  }

  @Test(arguments: ConversionTrial.foreignTypes, Change.allCases)
  func `a destination that was changed since is refused and not touched`(
    _ type: String, _ change: Change
  ) throws {
    let trial = try Self.trial()
    let name = ConversionTrial.name("new", type)
    try trial.run(to: name, as: type)
    var bytes = try #require(trial.directory.contents(name))
    switch change {
    case .lastByte: bytes[bytes.count - 1] ^= 1
    case .cutShort: bytes.removeLast(bytes.count / 3)
    case .longer: bytes += Array("\n".utf8)
    case .other: bytes = Array("something else\n".utf8)
    case .empty: bytes = Array(" ".utf8)
    case .link:
      try FileManager.default.moveItem(
        atPath: trial.directory.path(name), toPath: trial.directory.path("elsewhere"))
      try FileManager.default.createSymbolicLink(
        atPath: trial.directory.path(name), withDestinationPath: trial.directory.path("elsewhere"))
    }
    if change != .link { try trial.directory.write(bytes, to: name) }
    let names = trial.directory.names
    let error = try trial.failure(to: name, as: type)
    #expect(error.kind == .wrongCall)
    #expect(error.codes == ["RUN-002"])
    #expect(error.diskState?.contains("nothing was left behind") == true)
    #expect(trial.directory.contents(name) == bytes)
    #expect(trial.directory.names == names)
  }

  @Test(arguments: ConversionTrial.foreignTypes)
  func `what other mapping models, models or sources give is not finished`(_ type: String) throws {
    var trial = try Self.trial()
    let name = ConversionTrial.name("new", type)
    try trial.run(to: name, as: type)
    let (bytes, mappings) = (trial.directory.contents(name), trial.mappings)
    trial.mappings = [
      try mapping(
        """
        {"type": "copy", "source": "Car", "destination": "Car", "attributes": {"age": "4"},
         "filter": "plate != 'c5'"}
        """, named: "Cars"), mappings[1],
    ]
    #expect(try trial.failure(to: name, as: type).codes == ["RUN-002"])
    trial.mappings = mappings
    #expect(try trial.run(to: name, as: type).outcome == .upToDate)
    do {
      let source = try Connection(
        path: trial.directory.path(trial.sourceName), mode: .readWrite)
      try source.execute("UPDATE ZCAR SET ZPLATE = 'c9' WHERE ZPLATE = 'c1'")
    }
    #expect(try trial.failure(to: name, as: type).codes == ["RUN-002"])
    #expect(trial.directory.contents(name) == bytes)
    #expect(trial.directory.names.filter { $0.hasSuffix(".passage") } == [])
  }

  @Test func `rows that wait in a log beside plain tables count as changes`() throws {
    let trial = try Self.trial()
    try trial.run(to: "new.db", as: "tables")
    let path = trial.directory.path("new.db")
    let bytes = try #require(trial.directory.contents("new.db"))
    // The main file is as it was written, and a program that was killed has left a log.
    let log: [UInt8]
    do {
      let copy = try #require(trial.directory.contents("new.db"))
      try trial.directory.write(copy, to: "open.db")
      let connection = try Connection(path: trial.directory.path("open.db"), mode: .readWrite)
      try connection.execute("PRAGMA journal_mode = WAL; UPDATE cars SET age = 9")
      log = try #require(trial.directory.contents("open.db-wal"))
    }
    try trial.directory.write(log, to: "new.db-wal")
    for name in ["open.db", "open.db-wal", "open.db-shm"] {
      try? FileManager.default.removeItem(atPath: trial.directory.path(name))
    }
    #expect(try trial.failure(to: "new.db", as: "tables").codes == ["RUN-002"])
    #expect(trial.directory.contents("new.db") == bytes)
    #expect(trial.directory.names == ["new.db", "new.db-wal", "old.sqlite"])
    try FileManager.default.removeItem(atPath: path + "-wal")
    #expect(try trial.run(to: "new.db", as: "tables").outcome == .upToDate)
  }

  @Test func `tables that another SQLite library wrote are known again`() throws {
    let trial = try Self.trial()
    try trial.run(to: "new.db", as: "tables")
    var bytes = try #require(trial.directory.contents("new.db"))
    for index in 96..<100 { bytes[index] ^= 0x55 }
    try trial.directory.write(bytes, to: "new.db")
    let time = try #require(trial.directory.contents("new.db"))
    #expect(try trial.run(to: "new.db", as: "tables").outcome == .upToDate)
    #expect(trial.directory.contents("new.db") == time)
  }

  @Test(arguments: ConversionTrial.foreignTypes)
  func `a Core Data store of the same migration is not a finished store of another type`(
    _ type: String
  ) throws {
    let trial = try Self.trial()
    try trial.run(to: "new.sqlite", as: nil)
    let bytes = trial.directory.contents("new.sqlite")
    #expect(try trial.failure(to: "new.sqlite", as: type).codes == ["RUN-002"])
    #expect(trial.directory.contents("new.sqlite") == bytes)
  }

  // MARK: The present

  private static func dated() throws -> ConversionTrial {
    let last = Model(
      "2",
      [
        Entity("Person", [.text("name"), .date("made"), .real("lot")]),
        Entity("Car", [.text("plate")]),
      ])
    let trial = try Trial(
      Safety.source, last,
      [
        mapping(
          """
          {"type": "copy", "source": "Person", "destination": "Person",
           "attributes": {"made": "now()", "lot": "random()"}},
          {"type": "copy", "source": "Car", "destination": "Car"}
          """)
      ], fill: Safety.fill)
    return try ConversionTrial(trial, from: nil)
  }

  @Test(arguments: ConversionTrial.foreignTypes, [false, true])
  func `a repeated conversion has the present of the first`(_ type: String, rows: Bool) throws {
    let trial = try Self.dated()
    let name = ConversionTrial.name("new", type)
    try trial.run(to: name, as: type, options: Self.options(rows: rows))
    #expect(
      try trial.run(to: name, as: type, options: Self.options(rows: !rows)).outcome == .upToDate)
    // Without the time of the file the present is another.
    try FileSystem().setModificationTime(
      trial.directory.path(name), nanoseconds: 1_600_000_000_123_456_789)
    #expect(try trial.failure(to: name, as: type).codes == ["RUN-002"])
  }

  // MARK: Plan and objects quarantined

  @Test(arguments: ConversionTrial.foreignTypes)
  func `a plan says that a run will compare`(_ type: String) throws {
    let trial = try Self.trial()
    let name = ConversionTrial.name("new", type)
    let plan = { try trial.migration(to: name, as: type, options: MigrationOptions()).plan() }
    #expect(try plan().warnings.filter { $0.code == "RUN-016" } == [])
    try trial.run(to: name, as: type)
    #expect(try plan().warnings.filter { $0.code == "RUN-016" }.count == 1)
    #expect(trial.directory.names == [name, trial.sourceName].sorted())
  }

  @Test(arguments: ConversionTrial.foreignTypes)
  func `a finished conversion keeps the file of what it quarantined`(_ type: String) throws {
    let trial = try ConversionTrial(QuarantineTests.trial(), from: nil)
    let name = ConversionTrial.name("new", type)
    let options = QuarantineTests.options(4)
    #expect(try trial.run(to: name, as: type, options: options).quarantined == 4)
    let lines = try #require(trial.directory.contents(name + ".quarantine.jsonl"))
    #expect(try trial.run(to: name, as: type, options: options).outcome == .upToDate)
    #expect(trial.directory.contents(name + ".quarantine.jsonl") == lines)
    // What was seen to stays away.
    try FileManager.default.removeItem(atPath: trial.directory.path(name + ".quarantine.jsonl"))
    #expect(try trial.run(to: name, as: type, options: options).outcome == .upToDate)
    #expect(trial.directory.names == [name, trial.sourceName].sorted())
  }
}
