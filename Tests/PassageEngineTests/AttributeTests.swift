import Passage
import PassageTesting
import TestSupport
import Testing

@Suite struct AttributeTests {
  static let source = Model(
    "1", [Entity("Event", [.text("title"), .number("count"), .real("size"), .date("day")])])

  static func fill(_ store: TestStore) throws {
    try store.insert("Event", ["title": "one", "count": 1, "size": 0.5, "day": 100.25])
    try store.insert("Event", [:])
    try store.insert("Event", ["title": "three", "count": 3, "size": 3, "day": 0], key: 70)
    try store.insert("Event", ["title": "", "count": -4, "size": -0.25, "day": -86_400.5])
  }

  private func migrate(
    _ attributes: [Attribute], _ mapped: String, filter: String? = nil
  ) throws -> StoreContents {
    let filter = filter.map { "\"filter\": \"\($0)\", " } ?? ""
    return try Trial(
      Self.source, Model("2", [Entity("Event", attributes)]),
      [
        mapping(
          """
          {"type": "transform", "source": "Event", "destination": "Event", \(filter)
           "attributes": {\(mapped)}}
          """)
      ], fill: Self.fill
    ).migrate().contents
  }

  @Test func `keys are kept and a property listed with nothing more takes the same-named one`()
    throws
  {
    let found = try migrate([.text("title"), .number("count")], #""title": {}, "count": {}"#)
    #expect(found.objects.map(\.key) == [1, 2, 70, 71])
    #expect(found.objects.map { $0["title"] } == ["one", .null, "three", ""] as [Value])
    #expect(found.objects.map { $0["count"] } == [1, .null, 3, -4] as [Value])
  }

  @Test func `null leaves the default, as does a property that is not listed`() throws {
    let found = try migrate(
      [.text("title", "none"), .number("count", 7), .number("other", 9)], #""title": null"#)
    #expect(found.objects.map { $0["title"] } == Array(repeating: "none", count: 4))
    #expect(found.objects.map { $0["count"] } == Array(repeating: 7, count: 4))
    #expect(found.objects.map { $0["other"] } == Array(repeating: 9, count: 4))
  }

  @Test func `a default replaces a value that is nil`() throws {
    let found = try migrate(
      [.text("title"), .number("count")],
      #""title": {"default": "'unnamed'"}, "count": {"value": "$source.count + 1", "default": "0"}"#
    )
    #expect(found.objects.map { $0["title"] } == ["one", "unnamed", "three", ""])
    #expect(found.objects.map { $0["count"] } == [2, 0, 4, -3])
  }

  @Test func `expressions compute values`() throws {
    let found = try migrate(
      [.real("size"), .real("since"), .text("title")],
      #"""
      "size": "$source.size * 2 + 1", "since": "$source.day.timeIntervalSince1970",
      "title": "uppercase:($source.title)"
      """#)
    #expect(found.objects.map { $0["size"].double } == [2, nil, 7, 0.5])
    #expect(
      found.objects.map { $0["since"].double }
        == [978_307_300.25, nil, 978_307_200, 978_220_799.5])
    #expect(found.objects.map { $0["title"] } == ["ONE", .null, "THREE", ""] as [Value])
  }

  @Test(
    arguments: [
      ("count > 0", [1, 70]), ("NOT count > 0", [2, 71]), ("title = nil", [2]),
      ("title != 'one'", [2, 70, 71]), ("count BETWEEN {1, 3}", [1, 70]),
      ("count IN {3, -4}", [70, 71]), ("title BEGINSWITH[c] 'T'", [70]),
      ("TRUEPREDICATE", [1, 2, 70, 71]), ("FALSEPREDICATE", []),
      ("title MATCHES '.*e.*'", [1, 70]), ("#size < 0 OR day = nil", [2, 71]),
    ] as [(String, [Int64])])
  func `a filter lets through what it says`(filter: String, keys: [Int64]) throws {
    let found = try migrate([.text("title")], #""title": {}"#, filter: filter)
    #expect(found.objects.map(\.key) == keys)
  }

  @Test func `the account tells what was filtered and migrated`() throws {
    let trial = try Trial(
      Self.source, Model("2", [Entity("Event", [.text("title")])]),
      [
        mapping(
          """
          {"type": "transform", "source": "Event", "destination": "Event", "filter": "count > 0",
           "attributes": {"title": {}}}
          """)
      ], fill: Self.fill)
    let account = try #require(try trial.migrate().report.steps.first?.mappings.first)
    #expect(account.read == 4)
    #expect(account.filtered == 2)
    #expect(account.migrated == 2)
    #expect(account.made == ["Event": 2])
    #expect(account.lane == .set)
  }

  @Test func `a required attribute without a value is found on the whole`() throws {
    let trial = try Trial(
      Self.source, Model("2", [Entity("Event", [.text("title", isOptional: false)])]),
      [
        mapping(
          """
          {"type": "transform", "source": "Event", "destination": "Event",
           "attributes": {"title": {}}}
          """)
      ], fill: Self.fill)
    for options in Trial.ways {
      let error = try trial.failure(options: options)
      #expect(error.kind == .policyFailed)
      #expect(error.codes == ["VAL-001"])
      #expect(error.description.contains("1 object"))
      #expect(trial.directory.names == ["old.sqlite"])
    }
  }

  @Test func `a required attribute that nothing maps is found too`() throws {
    let trial = try Trial(
      Self.source, Model("2", [Entity("Event", [.number("rank", isOptional: false)])]),
      [mapping(#"{"type": "transform", "source": "Event", "destination": "Event"}"#)],
      fill: Self.fill)
    for options in Trial.ways {
      let error = try trial.failure(options: options)
      #expect(error.codes == ["VAL-001"])
    }
  }

  @Test func `a value that cannot be computed ends the migration`() throws {
    let trial = try Trial(
      Self.source, Model("2", [Entity("Event", [.text("title")])]),
      [
        mapping(
          """
          {"type": "transform", "source": "Event", "destination": "Event",
           "attributes": {"title": "uppercase:($source.title)"}}
          """)
      ]
    ) { store in
      try store.insert("Event", ["title": .malformedText([0x61, 0xFF])])
    }
    for options in Trial.ways {
      let error = try trial.failure(options: options)
      #expect(error.kind == .policyFailed)
      #expect(error.description.contains("PRE-030"))
    }
  }

  @Test func `two objects that share what must be unique are named`() throws {
    let trial = try Trial(
      Self.source, Model("2", [Entity("Event", [.text("title")], unique: [["title"]])]),
      [
        mapping(
          """
          {"type": "transform", "source": "Event", "destination": "Event",
           "attributes": {"title": {}}}
          """)
      ]
    ) { store in
      // Those without a title differ from all others.
      for title in ["a", "b", "a", "c", .null, .null] as [Value] {
        try store.insert("Event", ["title": title])
      }
    }
    for options in Trial.ways {
      let error = try trial.failure(options: options)
      #expect(error.kind == .policyFailed)
      #expect(error.codes == ["VAL-005"])
      #expect(error.description.contains("objects of “Event” with keys 1 and 3\n"))
      #expect(
        error.diagnostics.all[0].message
          == "objects of “Event” have the same values for the uniqueness constraint on “title”")
      #expect(trial.directory.names == ["old.sqlite"])
    }
  }

  /// The table is that of the pets; the constraint is that of the dogs.
  @Test func `of objects that share what must be unique, each entity is named`() throws {
    func pets(_ version: String, unique: [[String]] = []) -> Model {
      Model(
        version,
        [
          Entity("Pet", [.text("name")]),
          Entity("Dog", parent: "Pet", [.text("tag")], unique: unique),
          Entity("Puppy", parent: "Dog"),
        ])
    }
    let mappings = try mapping(
      """
      {"type": "copy", "source": "Pet", "destination": "Pet"},
      {"type": "copy", "source": "Dog", "destination": "Dog"},
      {"type": "copy", "source": "Puppy", "destination": "Puppy"}
      """)
    let trial = try Trial(pets("1"), pets("2", unique: [["tag", "name"]]), [mappings]) { store in
      for entity in ["Pet", "Dog", "Puppy"] {
        let tag: [String: Value] = entity == "Pet" ? [:] : ["tag": "t"]
        try store.insert(entity, tag.merging(["name": "n"]) { first, _ in first })
      }
    }
    for options in Trial.ways {
      let error = try trial.failure(options: options)
      let found = try #require(error.diagnostics.all.first)
      #expect(found.code == "VAL-005")
      #expect(
        found.message == "objects of “Dog” have the same values for the uniqueness constraint on "
          + "“tag”, “name”")
      let reason = try #require(found.reason)
      #expect(reason.hasPrefix("for instance the objects of “Dog” with keys "))
      #expect(reason.contains(" (“Dog”)") && reason.contains(" (“Puppy”)"))
    }
  }

  /// The index is on a column that all pets have.
  @Test func `a subentity's constraint on what it inherits holds for all that have it`() throws {
    func pets(_ version: String, unique: [[String]] = []) -> Model {
      Model(
        version, [Entity("Pet", [.text("name")]), Entity("Dog", parent: "Pet", [], unique: unique)])
    }
    let mappings = try mapping(
      """
      {"type": "copy", "source": "Pet", "destination": "Pet"},
      {"type": "copy", "source": "Dog", "destination": "Dog"}
      """)
    let trial = try Trial(pets("1"), pets("2", unique: [["name"]]), [mappings]) { store in
      for _ in 1...2 { try store.insert("Pet", ["name": "n"]) }
    }
    for options in Trial.ways {
      let error = try trial.failure(options: options)
      let found = try #require(error.diagnostics.all.first)
      #expect(found.code == "VAL-005")
      #expect(
        found.message
          == "objects of “Pet” have the same values for the uniqueness constraint of “Dog” on “name”"
      )
      #expect(
        found.reason == "for instance the objects of “Pet” with keys 1 (“Pet”) and 2 (“Pet”)")
    }
  }
}
