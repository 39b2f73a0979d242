import Passage
import PassageEngine
import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// At one time, one source and one mapping model give one file, byte by byte, whatever the threads.
@Suite struct SameBytesTests {
  private static let seed = RandomSeed.told(for: "SameBytesTests")

  /// Persons with cars, of which some are vans, and with clubs.
  private static func model(_ name: String, person: String, attributes: [Attribute]) -> Model {
    func index(_ name: String, _ elements: Entity.Index.Element...) -> Entity.Index {
      Entity.Index(name: name, elements: elements)
    }
    return Model(
      name,
      [
        Entity(
          person, [.text("name"), .date("born")] + attributes,
          [.many("cars", "Car", inverse: "owner"), .many("clubs", "Club", inverse: "members")],
          indexes: [
            index(
              "byNameAndBirth", Entity.Index.Element(propertyName: "name"),
              Entity.Index.Element(propertyName: "born", isAscending: false))
          ]),
        Entity(
          "Car", [.text("plate"), .number("age")], [.one("owner", person, inverse: "cars")],
          unique: [["plate"]], indexes: [index("byAge", Entity.Index.Element(propertyName: "age"))]),
        Entity("Van", parent: "Car", [.text("load")]),
        Entity(
          "Club", [.text("title")], [.many("members", person, inverse: "clubs")],
          indexes: [index("byTitle", Entity.Index.Element(propertyName: "title"))]),
        Entity("Zone", [.text("title")]),
      ])
  }

  /// Zones become clubs too, so that clubs get other keys; persons get another name, so that the columns of
  /// the join table change places.
  private static func trial() throws -> Trial {
    var random = SeededRandom(seed: seed)
    let ask =
      "FUNCTION($manager, \\\"destinationInstancesForEntityMappingNamed:sourceInstances:\\\", "
      + "\\\"Clubs\\\", $source.clubs)"
    let mappings = try mapping(
      """
      {"name": "Zones", "type": "transform", "source": "Zone", "destination": "Club",
       "attributes": {"title": {}}},
      {"name": "Clubs", "type": "transform", "source": "Club", "destination": "Club",
       "attributes": {"title": {}}},
      {"name": "Cars", "type": "transform", "source": "Car", "destination": "Car",
       "filter": "age != 5", "attributes": {"plate": {}, "age": "$source.age * 2"},
       "relationships": {"owner": {}}},
      {"name": "Vans", "type": "transform", "source": "Van", "destination": "Van",
       "attributes": {"plate": {}, "age": {}, "load": {}}, "relationships": {"owner": {}}},
      {"name": "Persons", "type": "transform", "source": "Person", "destination": "Being",
       "attributes": {"name": {}, "born": {}, "loud": "uppercase:($source.name)"},
       "relationships": {"clubs": "\(ask)"}}
      """)
    return try Trial(
      model("1", person: "Person", attributes: []),
      model("2", person: "Being", attributes: [.text("loud")]), [mappings]
    ) { store in
      let clubs = try (0..<40).map { try store.insert("Club", ["title": .text("club \($0 % 7)")]) }
      for number in 0..<5 { try store.insert("Zone", ["title": .text("zone \(number)")]) }
      for number in 0..<2_500 {
        let length = random.chance(2) ? 9_000 : Int.random(in: 0...3_500, using: &random)
        let person = try store.insert(
          "Person",
          [
            "name": .text("\(number % 90) " + String(repeating: "n", count: length)),
            "born": random.chance(10) ? .null : .real(Double(number) / 8),
          ])
        try store.relate(person, "clubs", to: [clubs[number % 40], clubs[number * 7 % 39]])
        for copy in 0..<(number % 3) {
          try store.insert(
            copy == 0 ? "Car" : "Van",
            ["plate": .text("\(copy) \(number)"), "age": .integer(Int64(number % 11))],
            random.chance(10) ? [:] : ["owner": [person]])
        }
      }
    }
  }

  @Test func `several entities with links and indexes`() throws {
    let trial = try Self.trial()
    // Smaller stores have nothing to share.
    #expect(try PageReader(path: trial.sourcePath).pageCount >= 1_024)
    for (number, jobs) in [1, 1, 2, 3].enumerated() {
      let report = try trial.runInOneMoment(to: "\(number).sqlite", options: .pages(jobs: jobs))
      #expect(report.steps[0].mappings.filter { $0.lane != .page } == [])
      #expect(report.warnings.all.filter { $0.code == "RUN-048" } == [])
      #expect(try trial.differingPages("0.sqlite", "\(number).sqlite") == [], "\(jobs) threads")
    }
    let store = try Connection(path: trial.directory.path("0.sqlite"), mode: .readOnly)
    #expect(try store.rows("PRAGMA integrity_check") == [["ok"]])
    try trial.expectSameAsInSets("0.sqlite")
  }

  /// The record in the metadata names the time, and nothing else does.
  @Test func `another time changes the record in the metadata alone`() throws {
    let trial = try Self.trial()
    var options = MigrationOptions.pages(jobs: 2)
    try trial.runInOneMoment(to: "one.sqlite", options: options)
    options.present = FrozenPresent()
    try trial.runInOneMoment(to: "other.sqlite", options: options)
    let pages = try trial.differingPages("one.sqlite", "other.sqlite")
    let store = try Connection(path: trial.directory.path("one.sqlite"), mode: .readOnly)
    let root = try store.integer("SELECT rootpage FROM sqlite_master WHERE name = 'Z_METADATA'")
    #expect(pages == [Int(root)], "\(pages)")
  }
}
