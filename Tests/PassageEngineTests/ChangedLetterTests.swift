import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassagePages
import PassageSQLite
import PassageTesting
import Synchronization
import Testing

/// A letter of a text that changes between writing and reading again leaves pages that SQLite accepts:
/// only the digest of what was written tells.
@Suite struct ChangedLetterTests {
  /// Changes the last letter of a text where it stands in pages, once.
  private final class Change: Sendable {
    private let text: Data
    private let image = Mutex<[UInt8]?>(nil)

    init(of text: String) { self.text = Data(text.utf8) }

    /// The bytes of the database after the change; `nil` when the text was not there yet.
    var bytes: [UInt8]? { image.withLock { $0 } }

    /// - Parameter start: only pages from this offset on are changed.
    func make(in pages: any PageStorage, from start: Int64 = 0) throws {
      try image.withLock { image in
        guard image == nil, try pages.byteCount > start else { return }
        var bytes = [UInt8](repeating: 0, count: Int(try pages.byteCount))
        _ = try bytes.withUnsafeMutableBytes { try pages.read(into: $0, at: 0) }
        guard let place = Data(bytes).range(of: text, in: Int(start)..<bytes.count) else { return }
        bytes[place.upperBound - 1] ^= 1
        try bytes[(place.upperBound - 1)...].prefix(1).withUnsafeBytes {
          try pages.write($0, at: Int64(place.upperBound - 1))
        }
        image = bytes
      }
    }
  }

  private static let entities = [Entity("Car", [.text("plate")])]
  private static let destination = Model(
    "2", [Entity("Car", [.number("age"), .text("plate")])])

  private static func trial() throws -> Trial {
    let copy = try mapping(#"{"type": "copy", "source": "Car", "destination": "Car"}"#)
    return try Trial(Model("1", entities), destination, [copy]) { store in
      for number in 1...2_000 { try store.insert("Car", ["plate": .text("plate \(number).")]) }
    }
  }

  /// Expects that a run has left the pages and made the store through SQL, and says why.
  private static func expectOtherLane(
    _ report: MigrationReport, of trial: Trial, _ reason: String, passes: Int = 1
  ) throws {
    let told = report.warnings.all.filter { $0.code == "RUN-048" }
    #expect(told.map(\.reason) == Array(repeating: reason, count: passes))
    #expect(!report.steps.flatMap(\.mappings).map(\.lane).contains(.page))
    try trial.expectSameAsInSets()
  }

  /// Expects a database that SQLite finds nothing wrong with, in spite of the change.
  private static func expectAccepted(_ change: Change, in directory: TemporaryDirectory) throws {
    let path = try directory.write(try #require(change.bytes), to: "changed.sqlite")
    let store = try Connection(path: path, mode: .immutable)
    #expect(try store.rows("PRAGMA integrity_check") == [["ok"]])
  }

  /// A control that changes a text in the file of the first pass when its pages are about to be read.
  private static func control(_ trial: Trial, _ change: Change) -> RunControl {
    let path = trial.directory.path("new.sqlite.passage/step-1/pass-1.sqlite")
    return RunControl(report: { progress in
      guard progress.phase == .verify else { return }
      try? change.make(in: PositionalFile(path, mode: .updating))
    })
  }

  @Test func `in the file of a pass`() throws {
    let trial = try Self.trial()
    let change = Change(of: "plate 1234.")
    let report = try trial.run(options: .pages(jobs: 1), control: Self.control(trial, change))
    try Self.expectAccepted(change, in: trial.directory)
    try Self.expectOtherLane(
      report, of: trial, "the pages of ZCAR are not as they were written")
  }

  /// The leaves of a table of thousands of pages are read by several threads.
  @Test func `in the file of a pass that threads read`() throws {
    let copy = try mapping(#"{"type": "copy", "source": "Car", "destination": "Car"}"#)
    let trial = try Trial(Model("1", Self.entities), Self.destination, [copy]) { store in
      let text = String(repeating: "x", count: 3_000)
      for number in 1...1_200 { try store.insert("Car", ["plate": .text("\(text) \(number).")]) }
    }
    let change = Change(of: "x 777.")
    let report = try trial.run(options: .pages(jobs: 3), control: Self.control(trial, change))
    try Self.expectAccepted(change, in: trial.directory)
    try Self.expectOtherLane(
      report, of: trial, "the pages of ZCAR are not as they were written")
  }

  /// Objects whose links lead to what SQLite has made.
  @Test func `in the file of a pass whose pages come late`() throws {
    func model(_ name: String, _ owner: String) -> Model {
      Model(
        name,
        [
          Entity("Car", [.text("plate")], [.one("owner", owner, inverse: "cars")]),
          Entity(owner, [.text("city")], [.many("cars", "Car", inverse: "owner")]),
        ])
    }
    let ask =
      "FUNCTION($manager, \\\"destinationInstancesForEntityMappingNamed:sourceInstances:\\\", "
      + "\\\"Places\\\", $source.owner)"
    let mappings = try mapping(
      """
      {"name": "Places", "type": "custom", "policy": "CityPolicy", "source": "Person",
       "destination": "Place", "attributes": {"city": {}}},
      {"name": "Cars", "type": "transform", "source": "Car", "destination": "Car",
       "attributes": {"plate": {}}, "relationships": {"owner": "\(ask)"}}
      """)
    let trial = try Trial(
      model("1", "Person"), model("2", "Place"), [mappings], policies: [CityPolicy.self]
    ) { store in
      let persons = try (0..<9).map { number in
        try store.insert("Person", ["city": .text("city \(number % 4)")])
      }
      for number in 1...500 {
        try store.insert(
          "Car", ["plate": .text("plate \(number).")], ["owner": [persons[number % 9]]])
      }
    }
    let undisturbed = try trial.run(to: "other.sqlite", options: .pages(jobs: 1))
    #expect(undisturbed.steps[0].mappings.map(\.lane) == [.row, .page])
    let change = Change(of: "plate 333.")
    let report = try trial.run(options: .pages(jobs: 1), control: Self.control(trial, change))
    #expect(change.bytes != nil)
    try Self.expectOtherLane(
      report, of: trial, "the pages of ZCAR are not as they were written")
  }

  /// What is made in memory, and Core Data's own tables beside it.
  @Test(arguments: [("plate 1234.", "ZCAR"), ("Car", "Z_PRIMARYKEY")])
  func `in memory`(text: String, table: String) throws {
    var trial = try Self.trial()
    trial.worksInMemory = true
    let change = Change(of: text)
    let report = try MemoryPages.$willReadAgain.withValue({ try? change.make(in: $0) }) {
      try trial.run()
    }
    try Self.expectAccepted(change, in: trial.directory)
    try Self.expectOtherLane(
      report, of: trial, "the pages of \(table) are not as they were written")
  }

  /// The leaves of one pass that are taken over into the store of another.
  @Test func `in leaves that are put together`() throws {
    let text = String(repeating: "x", count: 1_500)
    let mappings = try (1...2).map { pass in
      try mapping(
        """
        {"type": "transform", "source": "Car", "destination": "Car",
         "attributes": {"plate": "concatenate($source.plate, \\"-\(pass)\\")"}}
        """, named: "Step\(pass)")
    }
    let trial = try Trial(Model("1", Self.entities), Self.destination, mappings) { store in
      // More leaves than are written at once, and than are taken over between two questions.
      for number in 1...600 { try store.insert("Car", ["plate": .text("\(text) \(number).")]) }
    }
    let change = Change(of: " 100.-")
    let isAssembling = Mutex(false)
    let control = RunControl(
      report: { progress in isAssembling.withLock { $0 = progress.phase == .assemble } },
      willContinue: { [directory = trial.directory] in
        guard isAssembling.withLock({ $0 }) else { return true }
        for pass in 1...2 {
          let path = directory.path("new.sqlite.passage/step-1/pass-\(pass).sqlite")
          guard let file = try? PositionalFile(path, mode: .updating),
            let header = try? file.prefix(32), header.count == 32
          else { continue }
          // The leaves that SQLite does not see yet.
          let pageCount = header[28...].reduce(0) { $0 << 8 | Int64($1) }
          try? change.make(in: file, from: pageCount * 4_096)
        }
        return true
      })
    let report = try trial.run(options: .pages(jobs: 1), control: control)
    #expect(change.bytes != nil)
    try Self.expectOtherLane(
      report, of: trial, "the pages of ZCAR are not as they were written", passes: 2)
  }
}

/// Makes one place for each city.
private struct CityPolicy: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  init(mapping: PolicyMapping) {}

  func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
    try context.findOrInsert("Place", key: [source["city"] ?? .null], for: source) {
      try $0.set("city", to: source["city"] ?? .null)
    }
  }
}
