import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageTesting
import Synchronization
import Testing

/// Objects that cannot be carried over are quarantined as a whole, in all lanes alike.
@Suite struct QuarantineTests {
  static let source = Model(
    "1",
    [
      Entity(
        "Owner", [.text("name")], [.many("cars", "Car", inverse: "owner")]),
      Entity(
        "Car", [.text("plate"), .text("day")],
        [.one("owner", "Owner", inverse: "cars"), .many("tags", "Tag", inverse: "cars")]),
      Entity("Tag", [.text("label")], [.many("cars", "Car", inverse: "tags")]),
    ])

  static let destination = Model(
    "2",
    [
      Entity(
        "Owner", [.text("name", isOptional: false)], [.many("cars", "Car", inverse: "owner")]),
      Entity(
        "Car", [.text("plate"), .date("day")],
        [
          .one("owner", "Owner", inverse: "cars"), .many("tags", "Tag", inverse: "cars"),
          .one("paper", "Paper", inverse: "car"),
        ], unique: [["plate"]]),
      Entity("Paper", [.text("plate")], [.one("car", "Car", inverse: "paper")]),
      Entity("Tag", [.text("label")], [.many("cars", "Car", inverse: "tags")]),
    ])

  static func mappings() throws -> [MappingModel] {
    let made =
      "FUNCTION($manager, \\\"destinationInstancesForEntityMappingNamed:sourceInstances:\\\""
    return [
      try mapping(
        """
        {"type": "copy", "source": "Owner", "destination": "Owner"},
        {"name": "Paper", "type": "transform", "source": "Car", "destination": "Paper",
         "attributes": {"plate": {}},
         "relationships": {"car": "\(made), \\"Car\\", $source)"}},
        {"name": "Car", "type": "copy", "source": "Car", "destination": "Car",
         "attributes": {"day": "parseDate($source.day, 'yyyy-MM-dd', 'UTC', 'en_US_POSIX')"},
         "relationships": {"paper": "\(made), \\"Paper\\", $source)"}},
        {"type": "copy", "source": "Tag", "destination": "Tag"}
        """)
    ]
  }

  /// Of eight cars the third and the sixth have no day, and the last has the plate of the first; the
  /// second owner has no name.
  static func trial() throws -> Trial {
    try Trial(source, destination, mappings()) { store in
      let owners = try ["a", nil, "c"].map { name in
        try store.insert("Owner", ["name": name.map { .text($0) } ?? .null])
      }
      let tags = try ["x", "y"].map { try store.insert("Tag", ["label": .text($0)]) }
      for number in 1...8 {
        let isBad = number == 3 || number == 6
        let car = try store.insert(
          "Car",
          [
            "plate": .text("p\(number == 8 ? 1 : number)"),
            "day": .text(isBad ? "someday" : "2020-01-0\(number)"),
          ], ["owner": [owners[number % 3]]])
        try store.relate(car, "tags", to: tags)
      }
    }
  }

  static func options(
    _ maximum: Int, lane: MigrationOptions.Lane = .automatic, batch: Int = 50_000
  ) -> MigrationOptions {
    var options = MigrationOptions()
    options.allowed.quarantined = maximum
    options.lane = lane
    options.limits.batch = BatchLimits(rows: batch)
    return options
  }

  @Test(arguments: [MigrationOptions.Lane.automatic, .page, .row], [1, 3, 50_000])
  func `what is quarantined is counted, named with its reason and nowhere in the store`(
    lane: MigrationOptions.Lane, batch: Int
  ) throws {
    let trial = try Self.trial()
    let report = try trial.run(options: Self.options(4, lane: lane, batch: batch))
    let path = trial.directory.path("new.sqlite")
    #expect(try StoreAudit(path: path, model: Self.destination).findings == [])
    let found = try StoreContents(path: path, model: Self.destination)
    #expect(found["Car"].map(\.key) == [1, 2, 4, 5, 7])
    #expect(found["Paper"].map(\.key) == [1, 2, 4, 5, 7])
    #expect(found["Owner"].map(\.key) == [1, 3])
    // The cars of the owner without a name have none; the tags have lost the cars quarantined.
    #expect(found["Car"].map { $0.keys("owner") } == [[], [3], [], [3], []])
    #expect(found["Tag"].map { $0.keys("cars") } == [[1, 2, 4, 5, 7], [1, 2, 4, 5, 7]])
    let accounts = report.steps[0].mappings
    #expect(accounts.filter { !$0.isBalanced } == [])
    #expect(accounts.map(\.quarantined) == [1, 3, 3, 0])
    #expect(accounts.map(\.read) == [3, 8, 8, 2])
    #expect(report.quarantined == 4)
    let lines = try Self.lines(trial)
    #expect(lines.map(\.entity) == ["Car", "Car", "Car", "Owner"])
    #expect(lines.map(\.key) == [3, 6, 8, 2])
    #expect(lines.map(\.code) == ["RUN-042", "RUN-042", "VAL-005", "RUN-044"])
    #expect(report.quarantinePath == path + ".quarantine.jsonl")
  }

  @Test(arguments: [0, 1, 3])
  func `more than are allowed end the migration and leave nothing in place`(maximum: Int) throws {
    let trial = try Self.trial()
    let error = try trial.failure(options: Self.options(maximum))
    #expect(error.kind == .policyFailed)
    #expect(maximum == 0 ? error.codes == ["RUN-042"] : error.codes.first == "RUN-043")
    #expect(!trial.directory.names.contains("new.sqlite"))
    #expect(!trial.directory.names.contains { $0.hasSuffix(".quarantine.jsonl") })
    // The same call that allows more continues and ends well.
    try trial.run(options: Self.options(4))
    #expect(try Self.lines(trial).count == 4)
  }

  /// A required value that is missing is asked about where it is written, if it may be quarantined.
  @Test(arguments: [MigrationOptions.Lane.row, .set])
  func `a call that allows some for the first time quarantines what was written before, too`(
    lane: MigrationOptions.Lane
  ) throws {
    let trial = try Self.trial()
    try trial.run(options: Self.options(4))
    let whole = try StoreRows(path: trial.directory.path("new.sqlite"))
    try FileManager.default.removeItem(atPath: trial.directory.path("new.sqlite"))
    try FileManager.default.removeItem(
      atPath: trial.directory.path("new.sqlite.quarantine.jsonl"))
    for stop in stride(from: 8, to: 24, by: 3) {
      let name = "\(stop).sqlite"
      _ = try trial.failure(
        to: name, options: Self.options(0, lane: lane, batch: 1),
        control: StoppingControl(after: stop).control)
      let report = try trial.run(to: name, options: Self.options(4, lane: lane, batch: 1))
      #expect(report.discardedWork?.contains("to be quarantined") == true && !report.wasContinued)
      #expect(report.quarantined == 4)
      #expect(try StoreRows(path: trial.directory.path(name)).differences(from: whole) == [])
    }
  }

  @Test func `a later call that allows fewer does not take what an earlier one allowed`() throws {
    let trial = try Self.trial()
    let stop = StoppingControl(after: 12)
    var allowing = Self.options(4, lane: .row, batch: 1)
    let stopped = try trial.failure(options: allowing, control: stop.control)
    #expect(stopped.kind == .cancelled)
    allowing.allowed.quarantined = 0
    let error = try trial.failure(options: allowing)
    #expect(error.codes.first == "RUN-042" || error.codes == ["RUN-043", "RUN-045"])
  }

  /// The call that allows nothing may find too much in quarantine, or work on. Only then is there work that was
  /// not asked.
  @Test(arguments: [MigrationOptions.Lane.row, .page])
  func `work stays whole for a call that allows as many, whatever is refused in between`(
    lane: MigrationOptions.Lane
  ) throws {
    let trial = try Self.trial()
    let allowing = Self.options(4, lane: lane, batch: 1)
    try trial.run(to: "whole.sqlite", options: allowing)
    let whole = try StoreRows(path: trial.directory.path("whole.sqlite"))
    var outcomes: Set<Bool> = []
    for stop in 1... {
      let name = "\(stop).sqlite"
      let stopped = Result {
        try trial.run(to: name, options: allowing, control: StoppingControl(after: stop).control)
      }
      if case .success = stopped { break }
      let refused = try trial.failure(to: name, options: Self.options(0, lane: lane, batch: 1))
      let isOfEarlierCall = refused.codes == ["RUN-043", "RUN-045"]
      let report = try trial.run(to: name, options: allowing)
      if isOfEarlierCall {
        #expect(report.wasContinued && report.discardedWork == nil, "stopped at \(stop)")
      }
      outcomes.insert(isOfEarlierCall)
      #expect(report.quarantined == 4)
      #expect(
        try StoreRows(path: trial.directory.path(name)).differences(from: whole) == [],
        "stopped at \(stop)")
    }
    #expect(outcomes == [true, false])
  }

  /// The note that work is not asked comes before that work.
  @Test func `where it cannot be noted that work is not asked, none is written`() throws {
    let trial = try Self.trial()
    let allowing = Self.options(4, lane: .row, batch: 1)
    var found = 0
    for stop in 1...12 {
      let name = "\(stop).sqlite"
      _ = try trial.failure(
        to: name, options: allowing, control: StoppingControl(after: stop).control)
      let journal = trial.directory.contents("\(name).passage/step-1/journal.sqlite")
      guard trial.directory.contents("\(name).passage/run.json") != nil else { continue }
      let files = FileSystem(willPerform: { operation, path in
        guard operation == .write, path.contains("/run.json") else { return }
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
      })
      let refused = try trial.failure(
        to: name, options: Self.options(0, lane: .row, batch: 1), files: files)
      if refused.codes == ["RUN-043", "RUN-045"] { continue }
      #expect(refused.kind == .inputOutput, "stopped at \(stop)")
      #expect(
        trial.directory.contents("\(name).passage/step-1/journal.sqlite") ?? [] == journal ?? [])
      let report = try trial.run(to: name, options: allowing)
      #expect(report.wasContinued && report.discardedWork == nil && report.quarantined == 4)
      found += 1
    }
    #expect(found > 0)
  }

  @Test func `stopped anywhere and continued, each object is quarantined once`() throws {
    let trial = try Self.trial()
    try trial.run(options: Self.options(4))
    let rows = try StoreRows(path: trial.directory.path("new.sqlite"))
    let expected = try Self.lines(trial)
    var stop = 0
    var slice = FaultSlice("QuarantineTests")
    while true {
      stop = slice.next(after: stop, longest: 9)
      let control = StoppingControl(after: stop)
      let name = "stopped-\(stop).sqlite"
      let options = Self.options(4, lane: stop.isMultiple(of: 2) ? .row : .page, batch: 1)
      do {
        try trial.run(to: name, options: options, control: control.control)
        break
      } catch let error as MigrationError {
        #expect(error.kind == .cancelled)
      }
      try trial.run(to: name, options: options)
      let found = try StoreRows(path: trial.directory.path(name))
      #expect(found.differences(from: rows) == [], "stopped at \(stop)")
      #expect(try Self.lines(trial, name) == expected, "stopped at \(stop)")
    }
    #expect(stop > 20)
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `a duplicate is named by its own entity where entities of one table become one`(
    order: [Int]
  ) throws {
    let source = Model(
      "1",
      [
        Entity("Base", isAbstract: true, [.text("code")]), Entity("One", parent: "Base"),
        Entity("Two", parent: "Base"),
      ])
    let destination = Model("2", [Entity("Code", [.text("code")], unique: [["code"]])])
    let mappings = order.map {
      #"{"type": "copy", "source": "\#(["One", "Two"][$0])", "destination": "Code"}"#
    }
    let trial = try Trial(source, destination, [mapping(mappings.joined(separator: ","))]) {
      for entity in ["One", "Two", "Two"] { try $0.insert(entity, ["code": .text("p")]) }
    }
    for (number, lane) in [MigrationOptions.Lane.page, .set, .row].enumerated() {
      let name = "new-\(number).sqlite"
      let report = try trial.run(to: name, options: Self.options(5, lane: lane))
      let accounts = report.steps[0].mappings
      #expect(accounts.filter { !$0.isBalanced } == [])
      #expect(accounts.map(\.quarantined) == (order == [0, 1] ? [0, 2] : [2, 0]))
      let lines = try Self.lines(trial, name)
      #expect(lines.map(\.entity) == ["Two", "Two"])
      #expect(lines.map(\.key) == [2, 3])
    }
  }

  // MARK: The file

  struct Line: Decodable, Equatable {
    var entity: String
    var key: Int64
    var code: String
    var reason: String
  }

  static func lines(_ trial: Trial, _ name: String = "new.sqlite") throws -> [Line] {
    let bytes = try #require(trial.directory.contents(name + ".quarantine.jsonl"))
    return try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }
}

/// What is derived from quarantined objects, and what cannot be traced to them.
@Suite struct QuarantinedPartsTests {
  private static let books = Relationship.many("books", "Book", inverse: "author")
  private static let author = Relationship.one("author", "Author", inverse: "books")

  private static func model(_ name: String, derives: Bool, works: Bool = false) -> Model {
    let derived =
      derives
      ? [
        Attribute(name: "count", type: .integer64, derivation: "books.@count"),
        Attribute(name: "pages", type: .integer64, derivation: "books.pages.@sum"),
      ] : []
    return Model(
      name,
      [
        Entity("Author", [.text("name")] + derived, [books], unique: derives ? [["pages"]] : []),
        Entity(
          "Book", [.text("title", isOptional: name == "1"), .text("isbn"), .number("pages")],
          [author], unique: derives ? [["isbn"]] : []),
      ] + (works ? [Entity("Work", [.text("isbn")])] : []))
  }

  /// The first author has two books with one number and one with another; the second has two.
  private static func fill(_ store: TestStore) throws {
    let authors = try ["Ann", "Bob"].map { try store.insert("Author", ["name": .text($0)]) }
    for (isbn, owner) in [("x", 0), ("x", 0), ("y", 0), ("z", 1), ("q", 1), ("r", 1)] {
      try store.insert(
        "Book", ["title": .text(isbn), "isbn": .text(isbn), "pages": .integer(20)],
        ["author": [authors[owner]]])
    }
  }

  private static let copies = """
    {"type": "copy", "source": "Author", "destination": "Author"},
    {"type": "copy", "source": "Book", "destination": "Book"}
    """

  private static let lanes: [MigrationOptions.Lane] = [.automatic, .page, .set, .row]

  @Test(arguments: lanes)
  func `values are derived from the objects that are left`(lane: MigrationOptions.Lane) throws {
    let trial = try Trial(
      Self.model("1", derives: false), Self.model("2", derives: true), [mapping(Self.copies)],
      fill: Self.fill)
    let options = QuarantineTests.options(5, lane: lane)
    #expect(try trial.run(options: options).quarantined == 1)
    let path = trial.directory.path("new.sqlite")
    #expect(try StoreAudit(path: path, model: trial.destination).findings == [])
    let found = try StoreContents(path: path, model: trial.destination)
    #expect(found["Author"].map { $0["count"] } == [2, 3])
    #expect(found["Author"].map { $0["pages"] } == [40, 60])
    // Wherever the run is stopped, the same command ends with the same store.
    var stop = 1
    var isStopped = true
    while isStopped {
      let name = "stopped-\(stop).sqlite"
      isStopped =
        (try? trial.run(
          to: name, options: options, control: StoppingControl(after: stop).control)) == nil
      if isStopped { try trial.run(to: name, options: options) }
      let again = try StoreContents(path: trial.directory.path(name), model: trial.destination)
      #expect(again["Author"].map { $0["count"] } == [2, 3], "stopped at \(stop)")
      stop += 1
    }
    #expect(stop > 5)
  }

  @Test(arguments: lanes)
  func `what other mappings may have merged of quarantined objects is told`(
    lane: MigrationOptions.Lane
  ) throws {
    let trial = try Trial(
      Self.model("1", derives: false), Self.model("2", derives: false, works: true),
      [
        mapping(
          """
          \(Self.copies), {"name": "Works", "type": "transform", "source": "Book", "destination": "Work",
           "mergeBy": "$source.isbn", "attributes": {"isbn": {}}}
          """)
      ]
    ) { store in
      try Self.fill(store)
      try store.insert("Book", ["isbn": .text("without a title")])
    }
    let report = try trial.run(options: QuarantineTests.options(5, lane: lane))
    #expect(report.quarantined == 1)
    let found = try StoreContents(
      path: trial.directory.path("new.sqlite"), model: trial.destination)
    #expect(found["Work"].count == 6)
    let told = report.warnings.all.filter { $0.code == "RUN-094" }
    #expect(told.count == 1)
    #expect(told.first?.message.contains("“Works” may have made objects of 1 quarantined") == true)
    // Without anything in quarantine, there is nothing to tell.
    let whole = try Trial(
      trial.source, trial.destination, trial.mappings, fill: Self.fill)
    let warnings = try whole.run(options: QuarantineTests.options(5, lane: lane)).warnings
    #expect(!warnings.all.map(\.code).contains("RUN-094"))
  }
}
