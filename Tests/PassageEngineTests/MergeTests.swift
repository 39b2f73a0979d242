import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Objects of equal value that become one, in every lane; what is expected is written by hand.
@Suite struct MergeTests {
  private static let people = [
    Entity(
      "Person", [.text("name"), .text("email"), .number("visits"), .real("rating")],
      [
        .many("pets", "Pet", inverse: "owner"), .one("home", "Place"),
        .many("clubs", "Club", inverse: "members"),
      ]),
    Entity("Pet", [.text("name")], [.one("owner", "Person", inverse: "pets")]),
    Entity("Place", [.text("name")]),
    Entity("Club", [.text("name")], [.many("members", "Person", inverse: "clubs")]),
  ]
  private static let copies = """
    {"type": "copy", "source": "Pet", "destination": "Pet"},
    {"type": "copy", "source": "Place", "destination": "Place"},
    {"type": "copy", "source": "Club", "destination": "Club"}
    """

  /// Ann twice (1, 4), Bob three times (2, 3, 6), Cy without an address (5, 7).
  private static func fill(_ store: TestStore) throws {
    let places = try ["home", "away"].map { try store.insert("Place", ["name": .text($0)]) }
    let clubs = try ["chess", "golf"].map { try store.insert("Club", ["name": .text($0)]) }
    var people: [ObjectReference] = []
    for (name, email, visits) in [
      ("Ann", "a@x", 1), ("Bob", "b@x", 2), ("Bobby", "b@x", 3), ("Anna", "a@x", nil),
      ("Cy", nil, 5), ("Rob", "b@x", 6), ("Cy", nil, 7),
    ] as [(String, String?, Int64?)] {
      people.append(
        try store.insert(
          "Person",
          [
            "name": .text(name), "email": email.map { .text($0) } ?? .null,
            "visits": visits.map { .integer($0) } ?? .null,
            "rating": visits.map { .real(Double($0) / 2) } ?? .null,
          ]))
    }
    for (number, person) in people.enumerated() {
      let pet = try store.insert("Pet", ["name": .text("pet \(number + 1)")])
      try store.relate(pet, "owner", to: [person])
    }
    try store.relate(people[0], "home", to: [places[0]])
    try store.relate(people[3], "home", to: [places[1]])
    try store.relate(people[5], "home", to: [places[1]])
    for (person, club) in [(0, 0), (3, 0), (3, 1), (5, 1), (6, 0)] {
      try store.relate(
        people[person], "clubs", to: person == 3 ? clubs : [clubs[club]])
    }
  }

  private static func trial(_ person: String) throws -> Trial {
    try Trial(
      Model("1", people), Model("2", people), [mapping("\(copies), \(person)")], fill: fill)
  }

  @Test func `the first of equal objects is kept, and what led to one of them leads to it`() throws
  {
    let trial = try Self.trial(
      #"{"type": "copy", "source": "Person", "destination": "Person", "mergeBy": "$source.email"}"#)
    let (contents, report) = try trial.migrate()
    let people = contents["Person"]
    #expect(people.map(\.key) == [1, 2, 5, 7])
    #expect(people.map { $0["name"] } == ["Ann", "Bob", "Cy", "Cy"])
    #expect(people.map { $0.keys("pets") } == [[1, 4], [2, 3, 6], [5], [7]])
    #expect(people.map { $0.keys("home") } == [[1], [], [], []])
    #expect(people.map { $0.keys("clubs") } == [[1, 2], [2], [], [1]])
    let account = try #require(report.steps[0].mappings.first { $0.name == "PersonToPerson" })
    #expect((account.read, account.migrated, account.merged) == (7, 4, 3))
    // Too many values for the memory are sorted.
    let sorted = try KnownValues.$limit.withValue(200) { try trial.migrate().contents }
    #expect(sorted.differences(from: contents) == [])
  }

  /// What a mapping says first must not matter: the rows of the to-one side hold the links.
  @Test(arguments: [false, true])
  func `of objects merged on both ends, the kept one has its own to-one`(isPersonFirst: Bool) throws
  {
    let model = [
      Entity("Person", [.text("email")], [.many("pets", "Pet", inverse: "owner")]),
      Entity("Pet", [.text("name")], [.one("owner", "Person", inverse: "pets")]),
    ]
    let mappings = [("Person", "email"), ("Pet", "name")].map {
      #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)", "mergeBy": "$source.\#($1)"}"#
    }
    let trial = try Trial(
      Model("1", model), Model("2", model + [Entity("New")]),
      [mapping((isPersonFirst ? mappings : mappings.reversed()).joined(separator: ","))]
    ) { store in
      let people = try ["a", "a", "b"].map { try store.insert("Person", ["email": .text($0)]) }
      for owner in [0, 2, 1] {
        try store.insert("Pet", ["name": "same"], ["owner": [people[owner]]])
      }
    }
    let contents = try trial.migrate().contents
    #expect(contents["Pet"].map { $0.keys("owner") } == [[1]])
    #expect(contents["Person"].map { $0.keys("pets") } == [[1], []])
  }

  @Test func `the last of equal objects is kept where the mapping says so`() throws {
    let trial = try Self.trial(
      """
      {"type": "copy", "source": "Person", "destination": "Person", "filter": "visits != 3",
       "mergeBy": {"value": "$source.email", "keep": "last"}}
      """)
    let (contents, report) = try trial.migrate()
    let people = contents["Person"]
    #expect(people.map(\.key) == [4, 5, 6, 7])
    #expect(people.map { $0["name"] } == ["Anna", "Cy", "Rob", "Cy"])
    #expect(people.map { $0.keys("pets") } == [[1, 4], [5], [2, 6], [7]])
    #expect(people.map { $0.keys("home") } == [[2], [], [2], []])
    let account = try #require(report.steps[0].mappings.first { $0.name == "PersonToPerson" })
    #expect((account.read, account.filtered, account.merged) == (7, 1, 2))
  }

  @Test func `values combine as each attribute says`() throws {
    let destination = Model(
      "2",
      [
        Entity(
          "Person",
          [
            .text("first"), .text("last"), .text("least"), .text("most"), .number("visits"),
            .real("mean"), .number("count"), .number("early"),
          ])
      ])
    let trial = try Trial(
      Model("1", Self.people), destination,
      [
        mapping(
          """
          {"type": "transform", "source": "Person", "destination": "Person",
           "mergeBy": "$source.email", "attributes": {
            "first": {"value": "$source.name", "combine": "first"},
            "last": {"value": "$source.name", "combine": "last"},
            "least": {"value": "$source.name", "combine": "min"},
            "most": {"value": "$source.name", "combine": "max"},
            "visits": {"combine": "sum"},
            "mean": {"value": "$source.rating", "combine": "average"},
            "count": {"combine": "count"},
            "early": {"value": "TERNARY($source.visits > 2, $source.visits, nil)", "combine": "first"}}},
          {"type": "remove", "source": "Pet"}, {"type": "remove", "source": "Place"},
          {"type": "remove", "source": "Club"}
          """)
      ], fill: Self.fill)
    let people = try trial.migrate().contents["Person"]
    #expect(people.map(\.key) == [1, 2, 5, 7])
    #expect(people.map { $0["first"] } == ["Ann", "Bob", "Cy", "Cy"])
    #expect(people.map { $0["last"] } == ["Anna", "Rob", "Cy", "Cy"])
    #expect(people.map { $0["least"] } == ["Ann", "Bob", "Cy", "Cy"])
    #expect(people.map { $0["most"] } == ["Anna", "Rob", "Cy", "Cy"])
    #expect(people.map { $0["visits"] } == [1, 11, 5, 7])
    #expect(people.map { $0["mean"] } == [0.5, .real(11.0 / 6), 2.5, 3.5])
    #expect(people.map { $0["count"] } == [2, 3, 1, 1])
    #expect(people.map { $0["early"] } == [.null, 3, 5, 7])
  }

  /// As of `@sum`, the result depends on no order, and is rounded once.
  @Test(arguments: [false, true])
  func `sums are exact in every order`(isReversed: Bool) throws {
    let entity = Entity("Row", [.text("tag"), .number("whole"), .real("sum"), .real("mean")])
    let trial = try Trial(
      Model("1", [entity]), Model("2", [entity]),
      [
        mapping(
          """
          {"type": "copy", "source": "Row", "destination": "Row", "mergeBy": "$source.tag",
           "attributes": {"whole": {"combine": "sum"}, "sum": {"combine": "sum"},
                          "mean": {"combine": "average"}}}
          """)
      ]
    ) { store in
      let rows: [(Value, Double)] = [
        (.integer(.max), 1e300), (1, 1), (-5, -1e300), (.null, 0.5), (0, 1e308), (0, 1e308),
        (0, -1e308), (0, -1e308),
      ]
      for (whole, real) in isReversed ? rows.reversed() : rows {
        try store.insert(
          "Row", ["tag": "a", "whole": whole, "sum": .real(real), "mean": .real(real)])
      }
      for _ in 1...2 { try store.insert("Row", ["tag": "nothing"]) }
    }
    let rows = try trial.migrate().contents["Row"]
    #expect(rows.map { $0["whole"] } == [.integer(.max - 4), .null])
    #expect(rows.map { $0["sum"] } == [1.5, .null])
    #expect(rows.map { $0["mean"] } == [.real(1.5 / 8), .null])
  }

  @Test func `a sum that its attribute cannot hold is refused by attribute and object`() throws {
    let small = Attribute(name: "size", type: .integer16)
    let trial = try Trial(
      Model("1", [Entity("Row", [.text("tag"), small])]),
      Model("2", [Entity("Row", [.text("tag"), small])]),
      [
        mapping(
          """
          {"type": "copy", "source": "Row", "destination": "Row", "mergeBy": "$source.tag",
           "attributes": {"size": {"combine": "sum"}}}
          """)
      ]
    ) { store in
      for size in [30_000, 2_767, 1] as [Int64] {
        try store.insert("Row", ["tag": "a", "size": .integer(size)])
      }
    }
    let error = try trial.failure()
    #expect(error.codes == ["RUN-042"] && error.kind == .policyFailed)
    #expect(error.diagnostics.all[0].message.contains("“Row.size”"))
  }

  @Test func `a text becomes an object that all with the text share`() throws {
    let source = Model("1", [Entity("Row", [.text("title"), .text("tag")])])
    let destination = Model(
      "2",
      [
        Entity("Row", [.text("title")], [.one("tag", "Tag", inverse: "rows")]),
        Entity("Tag", [.text("name")], [.many("rows", "Row", inverse: "tag")]),
      ])
    let trial = try Trial(
      source, destination,
      [
        mapping(
          """
          {"type": "transform", "source": "Row", "destination": "Tag", "filter": "tag != nil",
           "mergeBy": "lowercase:($source.tag)",
           "attributes": {"name": "lowercase:($source.tag)"}},
          {"type": "transform", "source": "Row", "destination": "Row",
           "attributes": {"title": {}}, "relationships": {"tag":
            "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'RowToTag', $source)"}}
          """)
      ]
    ) { store in
      for (title, tag) in [
        ("a", "red"), ("b", "Blue"), ("c", "RED"), ("d", nil), ("e", "blue"), ("f", "green"),
      ] as [(String, String?)] {
        try store.insert(
          "Row", ["title": .text(title), "tag": tag.map { .text($0) } ?? .null])
      }
    }
    let (contents, report) = try trial.migrate()
    let tags = contents["Tag"]
    #expect(tags.map { $0["name"] } == ["red", "blue", "green"])
    let names = Dictionary(uniqueKeysWithValues: tags.map { ($0.key, $0["name"]) })
    #expect(
      contents["Row"].map { $0.keys("tag").first.flatMap { names[$0] } }
        == ["red", "blue", "red", nil, "blue", "green"])
    let account = try #require(report.steps[0].mappings.first { $0.name == "RowToTag" })
    #expect((account.read, account.filtered, account.migrated, account.merged) == (6, 1, 3, 2))
    for name in try Interruptions.anyBatches(of: trial) {
      let rows = try StoreRows(path: trial.directory.path(name))
      #expect(
        try rows.differences(from: StoreRows(path: trial.directory.path("new-0.sqlite"))) == [])
    }
  }

  @Test func `a value that cannot be computed names its object`() throws {
    let trial = try Self.trial(
      """
      {"type": "copy", "source": "Person", "destination": "Person",
       "mergeBy": "parseNumber($source.email, 'en_US')"}
      """)
    for lane in [MigrationOptions.Lane.set, .row, .automatic] {
      var options = MigrationOptions()
      options.lane = lane
      let error = try trial.failure(options: options)
      #expect(error.codes == ["RUN-042"])
      #expect("\(error)".contains("the object with key 1"))
    }
  }
}
