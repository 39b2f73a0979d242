import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Objects that a policy makes besides those at their source objects' keys: page by page they wait in
/// files until their tables are complete, and the store is the same as in the other lanes.
@Suite struct FurtherObjectsTests {
  /// Makes records, notes and tags of an event, by its number.
  private class Splits: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    class var needs: Set<MigrationContext.Need> { [.furtherObjects] }
    class var name: String { "Splits" }
    required init(mapping: PolicyMapping) {}

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      let number = try source.integer("number") ?? 0
      for part in 0..<number % 4 {
        var note = try context.makeObject(ofEntity: "Note")
        try note.set("text", to: .text(text(number, part)))
        try note.set("number", to: .integer(number))
        try context.insert(note, for: source)
      }
      if number % 3 != 0 {
        try context.insert(context.defaultDestination(for: source), for: source)
      }
      if number % 5 == 0 {
        var second = try context.defaultDestination(for: source)
        try second.set("title", to: "second")
        try context.insert(second, for: source)
      }
      if number % 7 == 0 {
        var tag = try context.makeObject(ofEntity: "Tag")
        try tag.set("weight", to: .real(Double(number) / 2))
        try context.insert(tag)
      }
    }

    func text(_ number: Int64, _ part: Int64) -> String {
      String(repeating: "é\(number).\(part) ", count: number % 11 == 0 ? 20_000 : 3)
    }
  }

  /// Counts the events before it in its own memory and in the journal's.
  private final class Remembers: Splits {
    override class var needs: Set<MigrationContext.Need> { [.furtherObjects, .order] }
    override class var name: String { "Remembers" }

    override func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      let before = try context.userInfo.value("count").flatMap { Int64($0) } ?? 0
      try context.userInfo.set("count", to: "\(before + 1)")
      var note = try context.makeObject(ofEntity: "Note")
      try note.set("number", to: .integer(before))
      try context.insert(note, for: source)
      try super.createDestinationInstances(for: source, in: context)
    }
  }

  /// Asks for what it has made: not page by page.
  private final class LooksBack: Splits {
    override class var needs: Set<MigrationContext.Need> { Set(MigrationContext.Need.allCases) }
    override class var name: String { "LooksBack" }
  }

  private static let source = Model(
    "1",
    [
      Entity(
        "Event", [.text("title"), .number("number")], [.one("place", "Place", inverse: "events")]),
      Entity("Place", [.text("name")], [.many("events", "Event", inverse: "place")]),
      Entity("Memo", [.text("text")]),
    ])
  private static let destination = Model(
    "2",
    [
      Entity(
        "Record", [.text("title"), .number("number")],
        [.one("place", "Place", inverse: "records")]),
      Entity("Place", [.text("name")], [.many("records", "Record", inverse: "place")]),
      Entity("Note", [.text("text"), .number("number")]),
      Entity("Tag", [.real("weight")]),
    ])

  private static let places =
    #"{"type": "copy", "source": "Place", "destination": "Place", "name": "Places", "attributes": {"name": {}}}"#
  private static let memos =
    #"{"type": "transform", "source": "Memo", "destination": "Note", "name": "Memos", "attributes": {"text": {}}}"#

  private static func records(_ policy: String, name: String = "Records") -> String {
    """
    {"type": "custom", "source": "Event", "destination": "Record", "policy": "\(policy)",
     "name": "\(name)", "attributes": {"title": {}, "number": {}},
     "relationships": {"place": {}}}
    """
  }

  private static func trial(_ mappings: [String], events: Int = 40) throws -> Trial {
    try Trial(
      source, destination, [mapping(mappings.joined(separator: ", "))],
      policies: [Splits.self, Remembers.self, LooksBack.self]
    ) { store in
      for number in 1...5 { try store.insert("Place", ["name": .text("Place \(number)")]) }
      for number in 0..<events {
        try store.insert(
          "Event", ["title": .text("Event \(number)"), "number": .integer(Int64(number))])
      }
      for number in 1...7 { try store.insert("Memo", ["text": .text("Memo \(number)")]) }
    }
  }

  @Test(arguments: ["Splits", "Remembers"])
  func `all lanes make them alike`(policy: String) throws {
    let trial = try Self.trial([Self.places, Self.records(policy), Self.memos])
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "UPDATE ZEVENT SET ZPLACE = 1 + Z_PK % 7")
    let report = try trial.migrate().report
    let account = try #require(report.steps[0].mappings.first { $0.name == "Records" })
    #expect(account.read == 40)
    #expect(account.split > 40)
    #expect(account.added == 6)
    #expect(Set(account.made.keys) == ["Record", "Note", "Tag"])
  }

  @Test(arguments: ["Splits", "Remembers"])
  func `they are made page by page`(policy: String) throws {
    var options = MigrationOptions()
    options.lane = .page
    let trial = try Self.trial([Self.memos, Self.records(policy), Self.places])
    let report = try trial.run(options: options)
    #expect(report.steps[0].mappings.map(\.lane) == [.page, .page, .page])
    #expect(report.warnings.all.filter { $0.code == "RUN-048" } == [])
  }

  @Test func `what a later mapping adds gets keys behind those of the first`() throws {
    let trial = try Self.trial([
      Self.records("Splits", name: "A"), Self.records("Splits", name: "B"), Self.memos,
      Self.places,
    ])
    let report = try trial.migrate().report
    #expect(report.steps[0].mappings.map(\.made).allSatisfy { !$0.isEmpty })
    var options = MigrationOptions()
    options.lane = .page
    let lanes = try trial.run(to: "lanes.sqlite", options: options).steps[0].mappings.map(\.lane)
    #expect(lanes == [.page, .row, .page, .page])
  }

  @Test func `behind one that looks back, nothing is added page by page`() throws {
    let trial = try Self.trial([
      Self.places, Self.records("LooksBack", name: "A"), Self.records("Splits", name: "B"),
      Self.memos,
    ])
    _ = try trial.migrate()
    var options = MigrationOptions()
    options.lane = .page
    let lanes = try trial.run(to: "lanes.sqlite", options: options).steps[0].mappings.map(\.lane)
    #expect(lanes == [.page, .row, .row, .page])
  }

  /// The rows that wait are lost or shorter than the journal says, as no run leaves them.
  @Test(arguments: [true, false])
  func `a run that does not find the rows that waited goes through SQL`(isLost: Bool) throws {
    let trial = try Self.trial([Self.places, Self.records("Splits"), Self.memos])
    var options = MigrationOptions()
    options.lane = .page
    options.limits.batch = BatchLimits(rows: 1)
    let step = "new.sqlite.passage/step-1"
    var found: String?
    for stop in 1...200 {
      _ = try trial.failure(options: options, control: StoppingControl(after: stop).control)
      let names = try FileSystem().names(in: trial.directory.path(step))
      found = names.first {
        $0.contains("-rows-") && trial.directory.contents("\(step)/\($0)")?.isEmpty == false
      }
      if found != nil { break }
    }
    let name = try #require(found)
    try FileSystem().remove(trial.directory.path("\(step)/\(name)"))
    if !isLost { try trial.directory.write([1], to: "\(step)/\(name)") }
    let report = try trial.run(options: options)
    #expect(report.warnings.all.map(\.code).contains("RUN-048"))
    try trial.expectSameAsInSets()
  }

  @Test(arguments: ["Splits", "Remembers"])
  func `a run that is stopped and continued makes the same`(policy: String) throws {
    let trial = try Self.trial([Self.places, Self.records(policy), Self.memos], events: 12)
    var options = MigrationOptions()
    options.lane = .page
    try trial.run(to: "whole.sqlite", options: options)
    let whole = try StoreRows(path: trial.directory.path("whole.sqlite"))
    for name in try Interruptions.anyBatches(of: trial, lane: .page) {
      #expect(try StoreRows(path: trial.directory.path(name)).differences(from: whole) == [])
    }
  }
}
