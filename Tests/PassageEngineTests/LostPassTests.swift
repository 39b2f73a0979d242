import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageTesting
import Testing

/// A pass whose file is lost although other work was made from it: nothing of that work may be taken for
/// done when the pass starts again, or what the assembly has written would be missing.
@Suite struct LostPassTests {
  private static let work = "new.sqlite.passage"
  private static let journal = "\(work)/step-1/journal.sqlite"

  enum Kind: CaseIterable {
    /// One pass; its links need the associations of all objects, so the assembly writes them.
    case ownTable
    /// Two passes with links from one to the other.
    case twoPasses
    /// One pass whose policy decides the links.
    case decided
  }

  private static func people(_ name: String) -> Model {
    Model(
      name,
      [
        Entity(
          "Person", [.text("name")],
          [
            .one("boss", "Person", inverse: "staff"), .many("staff", "Person", inverse: "boss"),
          ])
      ])
  }

  private static func trial(_ kind: Kind) throws -> Trial {
    let boss =
      #""FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"P\", $source.boss)""#
    let entityMapping: String
    switch kind {
    case .twoPasses: return try Safety.trial()
    case .ownTable:
      entityMapping = #"""
        {"name": "P", "type": "transform", "source": "Person", "destination": "Person",
         "filter": "name != 'p3'", "attributes": {"name": {}}, "relationships": {"boss": \#(boss)}}
        """#
    case .decided:
      entityMapping = """
        {"name": "P", "type": "transform", "source": "Person", "destination": "Person",
         "attributes": {"name": {}}, "policy": "LeadAll"}
        """
    }
    return try Trial(
      people("1"), people("2"), [mapping(entityMapping)], policies: [LeadAll.self]
    ) { store in
      let first = try store.insert("Person", ["name": .text("p0")])
      for number in 1..<12 {
        try store.insert("Person", ["name": .text("p\(number)")], ["boss": [first]])
      }
    }
  }

  /// Makes the first person everyone's boss.
  struct LeadAll: MigrationPolicy {
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      let made = try context.insert(context.defaultDestination(for: source), for: source)
      try context.setRelationship(
        "boss", of: made, to: [ObjectReference(entityName: "Person", key: 1)])
    }
  }

  private static func options(_ lane: MigrationOptions.Lane) -> MigrationOptions {
    var options = MigrationOptions()
    options.lane = lane
    options.limits.batch = BatchLimits(rows: 10)
    return options
  }

  private static func path(_ trial: Trial, ofPass pass: Int) -> String {
    trial.directory.path("\(work)/step-1/pass-\(pass).sqlite")
  }

  /// Stops a migration wherever it can be stopped once its assembly has begun, and calls `body` with each
  /// work folder.
  ///
  /// - Returns: at how many places it was stopped.
  private static func stopInAssembly(
    of trial: Trial, _ options: MigrationOptions, _ body: (_ what: String) throws -> Void
  ) throws -> Int {
    var places = 0
    for stop in 1... {
      let result = Result {
        try trial.run(options: options, control: StoppingControl(after: stop).control)
      }
      if case .success = result { break }
      guard FileManager.default.fileExists(atPath: trial.directory.path(journal)) else { continue }
      let parts = try Connection(path: trial.directory.path(journal), mode: .readWrite).rows(
        "SELECT group_concat(name) FROM state WHERE pass = -1 AND EXISTS "
          + "(SELECT 1 FROM state WHERE name = 'adopted')"
      ).compactMap { $0[0].string }
      if let done = parts.first {
        places += 1
        try body("stop \(stop): \(done)")
      }
      try? FileManager.default.removeItem(atPath: trial.directory.path(work))
    }
    return places
  }

  private static func expectWhole(_ trial: Trial, _ what: String) throws {
    let rows = try ["whole.sqlite", "new.sqlite"].map {
      try StoreRows(path: trial.directory.path($0))
    }
    #expect(rows[1].differences(from: rows[0]) == [], "\(what)")
    try FileManager.default.removeItem(atPath: trial.directory.path("new.sqlite"))
  }

  @Test(arguments: Kind.allCases, [MigrationOptions.Lane.row, .set])
  func `a pass that is lost after the assembly began loses no links`(
    kind: Kind, lane: MigrationOptions.Lane
  ) throws {
    let trial = try Self.trial(kind)
    let options = Self.options(lane)
    try trial.run(to: "whole.sqlite", options: options)
    let kept = trial.directory.path("kept")
    let places = try Self.stopInAssembly(of: trial, options) { what in
      try FileManager.default.copyItem(atPath: trial.directory.path(Self.work), toPath: kept)
      for pass in 1...(kind == .twoPasses ? 2 : 1) {
        for isRemoved in [true, false] {
          try? FileManager.default.removeItem(atPath: trial.directory.path(Self.work))
          try FileManager.default.copyItem(atPath: kept, toPath: trial.directory.path(Self.work))
          if isRemoved {
            try FileManager.default.removeItem(atPath: Self.path(trial, ofPass: pass))
          } else {
            try Data().write(to: URL(filePath: Self.path(trial, ofPass: pass)))
          }
          let report = try trial.run(options: options)
          #expect(report.discardedWork?.contains("whose work is lost") == true, "\(what)")
          try Self.expectWhole(trial, "\(what), pass \(pass), removed: \(isRemoved)")
        }
      }
      try FileManager.default.removeItem(atPath: kept)
    }
    #expect(places > 1)
  }

  /// The files say that they are of several moments, so the step is discarded, and that is interrupted.
  @Test(arguments: Kind.allCases)
  func `a step that is discarded halfway loses no links`(kind: Kind) throws {
    let trial = try Self.trial(kind)
    let options = Self.options(.set)
    try trial.run(to: "whole.sqlite", options: options)
    let files = FileSystem(willPerform: { operation, path in
      guard operation == .remove, path.hasSuffix(".sqlite"), path.contains("/pass-") else { return }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
    })
    let places = try Self.stopInAssembly(of: trial, options) { what in
      try Connection(path: Self.path(trial, ofPass: 1), mode: .readWrite).execute(
        "PRAGMA user_version = 5")
      let error = try trial.failure(options: options, files: files)
      #expect(error.kind == .inputOutput, "\(error)")
      #expect(try trial.run(options: options).wasContinued)
      try Self.expectWhole(trial, what)
    }
    #expect(places > 1)
  }

  @Test func `the first of two passes that is lost starts the second again, too`() throws {
    let trial = try Safety.trial()
    let options = Self.options(.row)
    try trial.run(to: "whole.sqlite", options: options)
    var found = 0
    for stop in 1... {
      let result = Result {
        try trial.run(options: options, control: StoppingControl(after: stop).control)
      }
      if case .success = result { break }
      if FileManager.default.fileExists(atPath: trial.directory.path(Self.journal)) {
        let journal = try Connection(path: trial.directory.path(Self.journal), mode: .readWrite)
        let begun = try journal.rows("SELECT pass FROM state WHERE name = 'begun'").count
        let adopted = try journal.integer("SELECT count(*) FROM state WHERE name = 'adopted'")
        if begun == 2, adopted == 0 {
          try FileManager.default.removeItem(atPath: Self.path(trial, ofPass: 1))
          let report = try trial.run(options: options)
          #expect(report.discardedWork?.contains("“Cars”, whose work is lost") == true)
          try Self.expectWhole(trial, "stop \(stop)")
          found += 1
        }
      }
      try? FileManager.default.removeItem(atPath: trial.directory.path(Self.work))
    }
    #expect(found > 0)
  }

  /// The last act is the rename of the sealed store.
  @Test(arguments: [true, false])
  func `a sealed store that is lost before it has its name ends the run`(isRemoved: Bool) throws {
    let trial = try Self.trial(.ownTable)
    let options = Self.options(.set)
    try trial.run(to: "whole.sqlite", options: options)
    let files = FileSystem(willPerform: { operation, path in
      guard operation == .rename, path.hasSuffix("/step-1/store.sqlite") else { return }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
    })
    _ = try trial.failure(options: options, files: files)
    let path = Self.path(trial, ofPass: 1)
    try #require(FileManager.default.fileExists(atPath: path))
    if isRemoved {
      try FileManager.default.removeItem(atPath: path)
    } else {
      try Data().write(to: URL(filePath: path))
    }
    #expect(try trial.failure(options: options).codes == ["RUN-063"])
    #expect(try !trial.run(options: options).wasContinued)
    try Self.expectWhole(trial, "sealed")
  }
}
