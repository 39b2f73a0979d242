import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Every value is accounted for: what nothing reads, what became nil, and links whose other end is not
/// there any more are counted, told, and refused where they may not be lost.
@Suite struct LossTests {
  static let source = Model(
    "1",
    [
      Entity(
        "Trip",
        [
          .text("day"), .text("kind"), .text("note"), .text("first"), .text("last"),
          .number("miles"), .number("unused"),
        ],
        [.one("car", "Car", inverse: "trips"), .many("tags", "Tag", inverse: "trips")]),
      Entity("Car", [.text("plate"), .number("age")], [.many("trips", "Trip", inverse: "car")]),
      Entity("Tag", [.text("label")], [.many("trips", "Trip", inverse: "tags")]),
    ])

  static let destination = Model(
    "2",
    [
      Entity(
        "Trip",
        [.date("day"), .text("note"), .text("name"), .text("plate"), .real("miles")],
        [.one("car", "Car", inverse: "trips"), .many("tags", "Tag", inverse: "trips")]),
      Entity("Car", [.text("plate"), .number("age")], [.many("trips", "Trip", inverse: "car")]),
      Entity("Tag", [.text("label")], [.many("trips", "Trip", inverse: "tags")]),
    ])

  static let trip = #"""
    {"type": "transform", "source": "Trip", "destination": "Trip",
     "attributes": {
       "day": {"value": "CAST($source.day, 'NSDate')", "default": "CAST(0, 'NSDate')"},
       "note": "TERNARY($source.kind == 'a', $source.note, nil)",
       "name": "concatenate($source.first, $source.last)",
       "plate": "$source.car.plate",
       "miles": "CAST(CAST($source.miles, 'NSString'), 'NSNumber')"},
     "relationships": {"car": {}, "tags": {}}}
    """#
  static let tag = #"{"type": "copy", "source": "Tag", "destination": "Tag"}"#
  static let young =
    #"{"type": "copy", "source": "Car", "destination": "Car", "filter": "age < 3"}"#

  /// Eight trips: every second day is not a date; the kinds are a, b, a, b …; the last names are missing
  /// for the first three; no tag for the odd. Four cars of the ages 1 to 4, two trips each.
  static func trial(_ mappings: [MappingModel]) throws -> Trial {
    try Trial(source, destination, mappings) { store in
      let cars = try (1...4).map {
        try store.insert("Car", ["plate": .text("p\($0)"), "age": .integer(Int64($0))])
      }
      let tag = try store.insert("Tag", ["label": .text("t")])
      for number in 0..<8 {
        let trip = try store.insert(
          "Trip",
          [
            "day": number.isMultiple(of: 2) ? .text("1962-02-18 00:00:00") : .text("18.2.62"),
            "kind": .text(number.isMultiple(of: 2) ? "a" : "b"),
            "note": number < 6 ? .text("n") : .null, "first": .text("f"),
            "last": number < 3 ? .null : .text("l"), "miles": .integer(5),
            "unused": number == 4 ? .integer(1) : .null,
          ], ["car": [cars[number / 2]]])
        if number.isMultiple(of: 2) { try store.relate(trip, "tags", to: [tag]) }
      }
    }
  }

  static func all(_ entityMappings: String...) throws -> [MappingModel] {
    [try mapping(entityMappings.joined(separator: ", "))]
  }

  static func texts(_ losses: [ValueLoss]) -> [String] {
    losses.map { "\($0.reason.rawValue) \($0.name) \($0.count ?? -1)" }
  }

  static func options(_ losses: AllowedLosses, rows: Bool = false) -> MigrationOptions {
    var options = MigrationOptions()
    options.allowed.losses = losses
    options.lane = rows ? .row : .automatic
    return options
  }

  static let expected = [
    "unread Trip.unused 1", "becameNil Trip.day 4", "becameNil Trip.name 3",
    "becameNil Trip.note 3", "emptied Trip.car 4",
  ]

  @Test func `both lanes count the same losses, and the store keeps the rest`() throws {
    let (contents, report) = try Self.trial(Self.all(Self.trip, Self.young, Self.tag)).migrate()
    #expect(Self.texts(report.losses) == Self.expected)
    #expect(report.warnings.all.map(\.code) == ["RUN-080", "RUN-081", "RUN-082"])
    #expect(report.warnings.all[0].message.contains("“Trip.day” 4, “Trip.name” 3"))
    // A default does not keep the value that it takes the place of.
    #expect(contents["Trip"].filter { $0["day"] == .integer(0) }.count == 4)
    let accounts = report.steps[0].mappings
    #expect(accounts[0].becameNil == ["day": 4, "name": 3, "note": 3])
    #expect(accounts[0].emptied == ["car": 4])
    #expect(accounts[0].unread == ["unused": 1])
  }

  /// What a call allows is not part of what made a store, so the record is compared with it.
  @Test func `a finished store is refused for what it lost and the call does not allow`() throws {
    let trial = try Self.trial(Self.all(Self.trip, Self.young, Self.tag))
    try trial.run()
    for rows in [false, true] {
      #expect(try trial.run(options: Self.options(.all, rows: rows)).outcome == .upToDate)
      let bytes = trial.directory.contents("new.sqlite")
      for allowed in [AllowedLosses.none, .only(["Trip.unused", "Trip.day", "Car.*"])] {
        let error = try trial.failure(options: Self.options(allowed, rows: rows))
        #expect(error.kind == .valuesLost)
        #expect(error.codes == ["RUN-083"])
        #expect(error.diagnostics.all[0].reason?.contains("“Trip.note” 3") == true)
        #expect(error.diagnostics.all[0].reason?.contains("Trip.unused") == (allowed == .none))
        #expect(throws: MigrationError.self) {
          try trial.migration(
            to: .file(trial.directory.path("new.sqlite")),
            options: Self.options(allowed, rows: rows)
          ).plan()
        }
      }
      let named = AllowedLosses.only([
        "Trip.unused", "Trip.day", "Trip.name", "Trip.note", "Trip.car",
      ])
      #expect(try trial.run(options: Self.options(named, rows: rows)).outcome == .upToDate)
      #expect(try trial.run(options: Self.options(.only(["*.*"]))).outcome == .upToDate)
      #expect(trial.directory.contents("new.sqlite") == bytes)
    }
  }

  /// A store that the version alone answers loses nothing now, whatever it lost long ago.
  @Test func `a store that is at its version is not judged by its past`() throws {
    let trial = try Self.trial(Self.all(Self.trip, Self.young, Self.tag))
    try trial.runInPlace()
    var options = Self.options(.none)
    #expect(throws: MigrationError.self) { try trial.runInPlace(options: options) }
    options.isAnsweredByVersion = true
    #expect(try trial.runInPlace(options: options).outcome == .upToDate)
  }

  /// So many properties are lost that not all of them are kept in the record.
  @Test func `losses that are not listed in the record are counted, and refused`() throws {
    let names = (0..<130).map { "p\($0)" }
    let trial = try Trial(
      Model("1", [Entity("A", names.map { .text($0) })]),
      Model("2", [Entity("A", [.text("x")])]),
      [mapping(#"{"type": "transform", "source": "A", "destination": "A"}"#)]
    ) { store in
      try store.insert("A", Dictionary(uniqueKeysWithValues: names.map { ($0, .text("v")) }))
    }
    try trial.run()
    let step = try #require(AnsweredCallTests.record(trial, "new.sqlite").steps.first)
    #expect(step.losses.count == MigrationRecord.Step.maximumLosses)
    #expect(step.unlistedLosses == 30)
    let error = try trial.failure(options: Self.options(.only(names.map { "A.\($0)" })))
    #expect(error.kind == .valuesLost)
    #expect(error.diagnostics.all[0].reason?.contains("30 more without naming them") == true)
    #expect(error.diagnostics.all[0].remedy?.contains("--losses '*.*'") == true)
    #expect(try trial.run(options: Self.options(.only(["*.*"]))).outcome == .upToDate)
  }

  @Test func `the new store records its losses, the same in every lane and batch`() throws {
    let trial = try Self.trial(Self.all(Self.trip, Self.young, Self.tag))
    for (number, options) in Trial.ways.enumerated() {
      try trial.run(to: "\(number).sqlite", options: options)
      let step = try #require(AnsweredCallTests.record(trial, "\(number).sqlite").steps.first)
      #expect(
        step.losses.map { "\($0.kind) \($0.entity).\($0.property) \($0.values)" } == Self.expected)
    }
  }

  @Test func `a filtered object's values are filtered, and not left behind`() throws {
    let some = Self.trip.replacing(
      #""attributes""#, with: #""filter": "unused == nil", "attributes""#)
    let (_, report) = try Self.trial(Self.all(some, Self.young, Self.tag)).migrate()
    #expect(Self.texts(report.losses).filter { $0.hasPrefix("unread") } == [])
  }

  @Test func `what one of several mappings of an entity reads is kept`() throws {
    let half = #"""
      {"name": "A", "type": "transform", "source": "Trip", "destination": "Trip", "filter": "kind == 'a'",
       "attributes": {"note": "$source.note", "miles": "$source.unused"},
       "relationships": {"car": {}}}
      """#
    let other = #"""
      {"name": "B", "type": "transform", "source": "Trip", "destination": "Trip", "filter": "kind != 'a'",
       "attributes": {"name": "concatenate($source.day, $source.first, $source.last)"}}
      """#
    let cars = #"{"type": "copy", "source": "Car", "destination": "Car"}"#
    let (_, report) = try Self.trial(Self.all(half, other, cars, Self.tag)).migrate()
    #expect(
      Self.texts(report.losses) == [
        "unread Trip.kind 8", "unread Trip.miles 8", "becameNil Trip.name 1",
      ])
  }

  @Test func `a remove mapping says that its objects go, and their links are counted`() throws {
    let gone = #"{"type": "remove", "source": "Car"}"#
    let (_, report) = try Self.trial(Self.all(Self.trip, gone, Self.tag)).migrate()
    #expect(Self.texts(report.losses).filter { $0.contains("Car.") } == [])
    #expect(report.steps[0].mappings[0].emptied == ["car": 8])
  }

  @Test func `links that no mapping follows are values too`() throws {
    let bare = #"{"type": "transform", "source": "Trip", "destination": "Trip"}"#
    let cars = #"{"type": "transform", "source": "Car", "destination": "Car"}"#
    let tags = #"{"type": "transform", "source": "Tag", "destination": "Tag"}"#
    let (_, report) = try Self.trial(Self.all(bare, cars, tags)).migrate()
    #expect(
      Self.texts(report.losses) == [
        "unread Trip.car 8", "unread Trip.day 8", "unread Trip.first 8", "unread Trip.kind 8",
        "unread Trip.last 5", "unread Trip.miles 8", "unread Trip.note 6",
        "unread Trip.unused 1", "unread Car.age 4", "unread Car.plate 4", "unread Tag.label 1",
        // Links that both sides have are reported once, by the side that the join table is named after.
        "unread Tag.trips 4",
      ])
  }

  @Test func `an inferred mapping's losses are reported, whole entities among them`() throws {
    var trial = try Trial(
      Model(
        "1",
        [
          Entity("Note", [.text("text"), .text("old")]),
          Entity("Draft", [.text("text")]),
        ]), Model("2", [Entity("Note", [.text("text")])]), []
    ) { store in
      for _ in 0..<3 {
        try store.insert("Note", ["text": .text("a"), "old": .text("b")])
        try store.insert("Draft", ["text": .text("a")])
      }
    }
    trial.mappings = [try InferredMapping.infer(from: trial.source, to: trial.destination)]
    let error = try trial.failure(options: Self.options(.none))
    #expect(error.kind == .valuesLost)
    #expect(
      error.diagnostics.all[0].remedy?.hasSuffix("(--losses Note.old,Draft.text)") == true)
    let report = try trial.run(options: Self.options(.only(["Note.old", "Draft.*"])))
    #expect(Self.texts(report.losses) == ["unread Note.old 3", "unread Draft.text 3"])
  }

  // MARK: The gate

  @Test(arguments: [false, true])
  func `what the plan knows is refused before anything is written`(rows: Bool) throws {
    let trial = try Self.trial(Self.all(Self.trip, Self.young, Self.tag))
    let names = trial.directory.names
    for losses in [AllowedLosses.none, .only(["Trip.day", "Trip.note", "Trip.name", "Trip.car"])] {
      let error = try trial.failure(options: Self.options(losses, rows: rows))
      #expect(error.kind.rawValue == 43)
      #expect(error.codes == ["RUN-083"])
      #expect(error.diagnostics.all[0].reason?.contains("“Trip.unused” 1") == true)
      #expect(trial.directory.names == names)
      let migration = trial.migration(
        to: .file(trial.directory.path("new.sqlite")), options: Self.options(losses))
      #expect(throws: MigrationError.self) { try migration.plan() }
    }
  }

  @Test(arguments: ["Trip.day", "Trip.note", "Trip.name", "Trip.car"], [false, true])
  func `what is known only then is refused before anything is put in place`(
    name: String, rows: Bool
  ) throws {
    let trial = try Self.trial(Self.all(Self.trip, Self.young, Self.tag))
    let allowed = ["Trip.unused", "Trip.day", "Trip.note", "Trip.name", "Trip.car"]
    let others = allowed.filter { $0 != name }
    let error = try trial.failure(options: Self.options(.only(others), rows: rows))
    #expect(error.kind == .valuesLost)
    #expect(error.diagnostics.all[0].reason?.contains("“\(name)”") == true)
    #expect(!trial.directory.names.contains("new.sqlite"))
    // The list that the message gives is enough, and the work continues.
    let list = try #require(error.diagnostics.all[0].remedy?.split(separator: "--losses ").last)
    let names = list.dropLast().split(separator: ",").map(String.init)
    let report = try trial.run(options: Self.options(.only(names), rows: rows))
    #expect(report.wasContinued)
    #expect(Self.texts(report.losses) == Self.expected)
  }

  @Test(arguments: [
    ["*.day", "Trip.n*"], ["Trp.day"], ["Trip"], ["Trip.dya"], ["Trip.day", "Trip.day.x"], [""],
  ])
  func `a name that no property has is a wrong call`(names: [String]) throws {
    let trial = try Self.trial(Self.all(Self.trip, Self.young, Self.tag))
    let error = try trial.failure(options: Self.options(.only(names)))
    #expect(error.kind == .wrongCall)
    #expect(error.codes == ["RUN-084"])
  }

  @Test(arguments: [["*.*"], ["Trip.*"], ["*.unused", "*.day", "*.name", "*.note", "*.car"]])
  func `a star stands for any name`(names: [String]) throws {
    let trial = try Self.trial(Self.all(Self.trip, Self.young, Self.tag))
    #expect(try Self.texts(trial.run(options: Self.options(.only(names))).losses) == Self.expected)
  }

  // MARK: Several steps, and policies

  static let note = Model("1", [Entity("Note", [.text("a"), .text("b")])])
  static let end = Model("3", [Entity("Note", [.text("a")])])

  @Test func `a later step is counted when its source is there, and refused then`() throws {
    let middle = Model("2", [Entity("Note", [.text("a"), .text("b"), .text("c")])])
    let trial = try Trial(
      Self.note, Self.end, between: [middle],
      [
        try mapping(#"{"type": "copy", "source": "Note", "destination": "Note"}"#),
        try mapping(
          #"{"type": "copy", "source": "Note", "destination": "Note"}"#, named: "Two", from: "2",
          to: "3"),
      ]
    ) { store in
      for number in 0..<5 {
        try store.insert("Note", ["a": .text("x"), "b": number < 2 ? .text("y") : .null])
      }
    }
    let plan = try trial.migration(to: .file(trial.directory.path("new.sqlite"))).plan()
    #expect(Self.texts(plan.losses) == ["unread Note.b -1", "unread Note.c -1"])
    #expect(plan.losses.map(\.step) == [2, 2])
    #expect(plan.warnings.isEmpty)
    let error = try trial.failure(options: Self.options(.none))
    #expect(error.kind == .valuesLost)
    let report = try trial.run(options: Self.options(.only(["Note.b"])))
    #expect(Self.texts(report.losses) == ["unread Note.b 2"])
    #expect(report.wasContinued)
  }

  struct Silent: MigrationPolicy {
    init(mapping: PolicyMapping) {}
  }

  struct Declared: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    static let readProperties: [String]? = ["unused"]
    init(mapping: PolicyMapping) {}
  }

  /// May leave out links of the mapping.
  struct Relating: MigrationPolicy {
    static let readProperties: [String]? = ["unused"]
    init(mapping: PolicyMapping) {}
  }

  @Test(arguments: ["Silent", "Declared", "Relating"])
  func `what a policy reads is not known unless it says so`(policy: String) throws {
    var trial = try Self.trial(
      Self.all(
        #"{"type": "copy", "source": "Trip", "destination": "Trip", "policy": "\#(policy)", "#
          + #""attributes": {"day": "CAST($source.day, 'NSDate')"}}"#, Self.young, Self.tag))
    trial.policies = [Silent.self, Declared.self, Relating.self]
    let plan = try trial.migration(to: .file(trial.directory.path("new.sqlite"))).plan()
    #expect(
      plan.steps[0].passes[0].mappings.map(\.areLossesKnown) == [policy == "Declared", true, true])
    #expect(
      Self.texts(plan.losses)
        == (policy == "Silent"
          ? []
          : ["unread Trip.first 8", "unread Trip.kind 8", "unread Trip.last 5"]))
    #expect(try trial.run().steps[0].mappings[0].becameNil == ["day": 4])
    #expect(!plan.warnings.all.map(\.code).contains("RUN-090"))
    // What is not known is not refused, and that is said.
    let strict = Self.options(.only(["Trip.*", "Car.*", "Tag.*"]))
    let file = MigrationDestination.file(trial.directory.path("strict.sqlite"))
    for warnings in [
      try trial.migration(to: file, options: strict).plan().warnings,
      try trial.run(to: "strict.sqlite", options: strict).warnings,
    ] {
      let found = warnings.all.filter { $0.code == "RUN-090" }
      #expect(found.count == (policy == "Declared" ? 0 : 1))
      #expect(found.allSatisfy { $0.severity == .warning && $0.message.contains("“") })
      // The remedy names only what the policy lacks.
      let remedies = found.compactMap(\.remedy)
      #expect(remedies.allSatisfy { $0.contains("readProperties") == (policy == "Silent") })
      #expect(remedies.allSatisfy { $0.contains("hooks") })
    }
  }

  @Test(arguments: [false, true])
  func `what is quarantined has lost nothing`(rows: Bool) throws {
    let strict = Self.trip.replacing(
      #""$source.car.plate""#,
      with: "\"uuidFromText(coalesce($source.last, '\(String(repeating: "0", count: 8))-0000-0000-"
        + "0000-000000000000')).UUIDString\"")
    let trial = try Self.trial(Self.all(strict, Self.young, Self.tag))
    var options = Self.options(.all, rows: rows)
    options.allowed.quarantined = 8
    // The five trips with a last name cannot be read as UUIDs.
    let report = try trial.run(options: options)
    #expect(report.quarantined == 5)
    #expect(report.steps[0].mappings[0].becameNil == ["day": 1, "name": 3, "note": 1])
  }

  /// Numbers of every kind that a type cannot hold, and those at its limits that it can.
  @Test func `numbers that do not fit are counted in every lane, and can be refused`() throws {
    let source = Model(
      "1",
      [
        Entity(
          "Note",
          [
            .number("small"), .number("middle"), .number("exact"), .real("whole"), .real("same"),
          ])
      ])
    let destination = Model(
      "2",
      [
        Entity(
          "Note",
          [
            Attribute(name: "small", type: .integer16), Attribute(name: "middle", type: .integer32),
            .real("exact"), .number("whole"), .real("same"),
          ])
      ])
    let rows: [[Value]] = [
      [32_767, 2_147_483_647, 9_007_199_254_740_992, 9.2e18, 1e300],
      [-32_768, -2_147_483_648, -9_007_199_254_740_992, -9.2e18, 0.5],
      [32_768, 2_147_483_648, 9_007_199_254_740_993, 9.3e18, 0], [-32_769, .null, 3, .null, 1],
      [70_000, -2_147_483_649, 5, -1e300, 2], [1, 2, 3, 1.5, 4],
      // The largest is no floating-point number: the nearest one is above it.
      [1, 1, .integer(.max), 1, 3], [1, 1, .integer(.max - 1), 1, 3], [1, 1, .integer(.min), 1, 3],
    ]
    let trial = try Trial(
      source, destination, [mapping(#"{"type": "copy", "source": "Note", "destination": "Note"}"#)]
    ) { store in
      for row in rows {
        try store.insert(
          "Note",
          ["small": row[0], "middle": row[1], "exact": row[2], "whole": row[3], "same": row[4]])
      }
    }
    let (_, report) = try trial.migrate()
    let losses = report.losses.filter { $0.reason == .narrowed }
    #expect(
      losses.map { "\($0.name) \($0.count ?? 0)" } == [
        "Note.exact 3", "Note.middle 2", "Note.small 3", "Note.whole 2",
      ])
    #expect(report.warnings.all.map(\.code) == ["RUN-088"])
    var options = MigrationOptions()
    options.allowed.losses = .none
    let error = try trial.failure(to: "refused.sqlite", options: options)
    #expect(error.codes == ["RUN-083"] && error.kind == .valuesLost)
    #expect(error.diagnostics.all[0].reason?.contains("“Note.small” 3") == true)
    // What a filter leaves out is not lost.
    let filtered = try Trial(
      source, destination,
      [
        mapping(
          #"{"type": "copy", "source": "Note", "destination": "Note", "filter": "same == 4"}"#)
      ]
    ) { store in
      for row in rows {
        try store.insert("Note", ["small": row[0], "same": row[4]])
      }
    }
    #expect(try filtered.migrate().report.losses == [])
  }

  /// SQLite limits how deep an expression is, and the filters of an entity's mappings are one expression.
  @Test func `what 1,100 filtered mappings of one entity do not read is counted`() throws {
    let trips = (0..<1_100).map { number in
      #"{"type": "transform", "name": "t\#(number)", "source": "Trip", "destination": "Trip", "#
        + #""filter": "miles == \#(number)", "attributes": {"note": "$source.note"}}"#
    }
    let others = ["Car", "Tag"].map { #"{"type": "remove", "source": "\#($0)"}"# }
    let trial = try Self.trial([mapping((trips + others).joined(separator: ", "))])
    let plan = try trial.migration(to: .file(trial.directory.path("new.sqlite"))).plan()
    #expect(!plan.isUpToDate)
  }
}
