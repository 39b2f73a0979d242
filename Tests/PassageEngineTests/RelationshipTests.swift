import Passage
import PassageTesting
import TestSupport
import Testing

/// Every kind of relationship, in both lanes; what is expected is written by hand.
@Suite struct RelationshipTests {
  /// A library: works (abstract) are books or maps; every kind of relationship.
  static func library(_ name: String, isRequired: Bool = false) -> Model {
    Model(
      name,
      [
        Entity(
          "Work", isAbstract: true, [.text("title")],
          [
            .one("shelf", "Shelf", inverse: "works", isOptional: !isRequired),
            .many("tags", "Tag", inverse: "works"),
            .many("authors", "Person", inverse: "works", isOrdered: true),
          ]),
        Entity(
          "Book", parent: "Work", [.number("pages")],
          [
            .one("sequel", "Book", inverse: "prequel"),
            .one("prequel", "Book", inverse: "sequel"),
          ]),
        Entity("Map", parent: "Work", [.real("scale")]),
        Entity(
          "Shelf", [.text("name")],
          [
            .many("works", "Work", inverse: "shelf", isOrdered: true),
            .one("best", "Work"),
          ]),
        Entity("Tag", [.text("name")], [.many("works", "Work", inverse: "tags")]),
        Entity(
          "Person", [.text("name")],
          [
            .many("works", "Work", inverse: "authors"),
            .many("friends", "Person", inverse: "friendOf"),
            .many("friendOf", "Person", inverse: "friends"),
          ]),
      ])
  }

  static func fill(_ store: TestStore) throws {
    let shelves = try ["low", "high"].map { try store.insert("Shelf", ["name": .text($0)]) }
    let tags = try ["old", "new", "red"].map { try store.insert("Tag", ["name": .text($0)]) }
    let people = try ["Ann", "Bob", "Cy"].map { try store.insert("Person", ["name": .text($0)]) }
    var works: [ObjectReference] = []
    for number in 1...9 {
      let entity = number % 3 == 0 ? "Map" : "Book"
      works.append(try store.insert(entity, ["title": .text("work \(number)")]))
    }
    try store.relate(shelves[0], "works", to: [works[4], works[0], works[2]])
    try store.relate(shelves[1], "works", to: [works[8], works[1]])
    try store.relate(shelves[0], "best", to: [works[2]])
    try store.relate(shelves[1], "best", to: [works[6]])
    try store.relate(works[0], "tags", to: [tags[0], tags[1]])
    try store.relate(works[2], "tags", to: [tags[1]])
    try store.relate(works[8], "tags", to: [tags[2], tags[0]])
    try store.relate(works[0], "authors", to: [people[2], people[0]])
    try store.relate(works[1], "authors", to: [people[0], people[2], people[1]])
    try store.relate(works[0], "sequel", to: [works[1]])
    try store.relate(works[1], "sequel", to: [works[3]])
    try store.relate(people[0], "friends", to: [people[1], people[2], people[0]])
    try store.relate(people[2], "friends", to: [people[0]])
  }

  static let entities = ["Book", "Map", "Shelf", "Tag", "Person"]

  /// Copies every entity, each in a pass of its own or all in one.
  static func copies(_ entities: [String] = entities, passes: Int = 1) throws -> [MappingModel] {
    let all = entities.map { #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"# }
    guard passes > 1 else { return [try mapping(all.joined(separator: ", "))] }
    return try all.enumerated().map { try mapping($1, named: "Step\($0 + 1)") }
  }

  @Test func `a copy of every entity keeps every object and every link`() throws {
    let trial = try Trial(
      Self.library("1"), Self.library2, Self.copies(), fill: Self.fill)
    let before = try StoreContents(path: trial.sourcePath, model: trial.source)
    let after = try trial.migrate()
    #expect(after.contents.differences(from: before) == [])
    #expect(after.contents.objects.count == 17)
  }

  /// The same shapes; a modifier makes it another version.
  static var library2: Model {
    let model = library("2")
    return Model(
      name: "2",
      entities: model.entities.map { entity in
        var entity = entity
        entity.versionHashModifier = "2"
        return entity
      })
  }

  @Test func `a pass for each entity gives what one pass for all gives`() throws {
    let one = try Trial(Self.library("1"), Self.library2, Self.copies(), fill: Self.fill)
    let many = try Trial(
      Self.library("1"), Self.library2, Self.copies(passes: 5), fill: Self.fill)
    let backwards = try Trial(
      Self.library("1"), Self.library2, Self.copies(Self.entities.reversed(), passes: 5),
      fill: Self.fill)
    let expected = try one.migrate().contents
    #expect(try many.migrate().contents.differences(from: expected) == [])
    #expect(try backwards.migrate().contents.differences(from: expected) == [])
  }

  @Test func `links to objects that were filtered out become empty`() throws {
    let mappings = try mapping(
      """
      {"type": "copy", "source": "Book", "destination": "Book", "filter": "title != 'work 2'"},
      {"type": "copy", "source": "Map", "destination": "Map"},
      {"type": "copy", "source": "Shelf", "destination": "Shelf", "filter": "name = 'low'"},
      {"type": "copy", "source": "Tag", "destination": "Tag"},
      {"type": "copy", "source": "Person", "destination": "Person", "filter": "name != 'Cy'"}
      """)
    let found = try Trial(Self.library("1"), Self.library2, [mappings], fill: Self.fill).migrate()
      .contents
    #expect(found["Shelf"].map { $0.keys("works") } == [[5, 1, 3]])
    #expect(found["Shelf"].map { $0.keys("best") } == [[3]])
    #expect(found.object("Book", 1)?.keys("sequel") == [])
    #expect(found.object("Book", 4)?.keys("prequel") == [])
    #expect(found.object("Map", 9)?.keys("shelf") == [])
    #expect(found.object("Map", 9)?.keys("tags") == [1, 3])
    #expect(found.object("Book", 1)?.keys("authors") == [1])
    #expect(found.object("Person", 1)?.keys("friends") == [1, 2])
    #expect(found.object("Person", 1)?.keys("friendOf") == [1])
  }

  @Test(arguments: ["Work side", "other side"])
  func `one side of a relationship is enough`(side: String) throws {
    func copy(_ entity: String, _ relationships: String) -> String {
      """
      {"type": "transform", "source": "\(entity)", "destination": "\(entity)",
       "relationships": {\(relationships)}}
      """
    }
    let isWork = side == "Work side"
    let work = isWork ? #""shelf": {}, "tags": {}, "authors": {}"# : ""
    let mappings = try mapping(
      [
        copy("Book", work), copy("Map", work),
        copy("Shelf", isWork ? "" : #""works": {}"#), copy("Tag", isWork ? "" : #""works": {}"#),
        copy("Person", isWork ? "" : #""works": {}"#),
      ].joined(separator: ", "))
    let trial = try Trial(Self.library("1"), Self.library2, [mappings], fill: Self.fill)
    let before = try StoreContents(path: trial.sourcePath, model: trial.source)
    let after = try trial.migrate().contents
    for object in after.objects {
      let old = try #require(before.object(object.entityName, object.key))
      for name in ["shelf", "tags", "works"] {
        #expect(object.keys(name) == old.keys(name), "\(object.entityName) \(object.key).\(name)")
      }
      #expect(object.keys("authors") == old.keys("authors"))
      #expect(object.keys("sequel") == [])
    }
  }

  @Test func `a required relationship whose target is gone is found on the whole`() throws {
    let mappings = try mapping(
      """
      {"type": "copy", "source": "Book", "destination": "Book"},
      {"type": "remove", "source": "Map"}, {"type": "remove", "source": "Tag"},
      {"type": "copy", "source": "Shelf", "destination": "Shelf", "filter": "name = 'low'"},
      {"type": "remove", "source": "Person"}
      """)
    let trial = try Trial(
      Self.library("1"), Self.library("2", isRequired: true), [mappings], fill: Self.fill)
    for options in Trial.ways {
      let error = try trial.failure(options: options)
      #expect(error.kind == .policyFailed)
      #expect(error.codes == ["VAL-002"])
      #expect(error.description.contains("4 objects"))
      #expect(trial.directory.names == ["old.sqlite"])
    }
  }

  @Test(
    arguments: [
      (3, 0, ["VAL-003"]), (1, 2, ["VAL-004"]), (1, 5, []), (2, 2, ["VAL-004"]),
    ] as [(Int, Int, [String])])
  func `minimum and maximum counts are judged`(
    minimum: Int, maximum: Int, codes: [String]
  ) throws {
    func model(_ name: String, _ minimum: Int, _ maximum: Int) -> Model {
      Model(
        name,
        [
          Entity(
            "Team", [],
            [.many("members", "Person", inverse: "team", minimum: minimum, maximum: maximum)]),
          Entity("Person", [], [.one("team", "Team", inverse: "members")]),
        ])
    }
    let trial = try Trial(
      model("1", 0, 0), model("2", minimum, maximum), Self.copies(["Team", "Person"], passes: 2)
    ) { store in
      let teams = try (1...3).map { _ in try store.insert("Team") }
      let people = try (1...5).map { _ in try store.insert("Person") }
      try store.relate(teams[0], "members", to: [people[0], people[1]])
      try store.relate(teams[1], "members", to: [people[2], people[3], people[4]])
    }
    if codes.isEmpty {
      #expect(try trial.migrate().contents["Team"].map { $0.keys("members").count } == [2, 3, 0])
    } else {
      #expect(try trial.failure().codes == codes)
    }
  }

  @Test func `the functions of the manager, paths and the source itself lead to objects`() throws {
    let source = Model(
      "1",
      [
        Entity("Owner", [.text("name")], [.many("cars", "Car", inverse: "owner")]),
        Entity(
          "Car", [.text("plate")],
          [
            .one("owner", "Owner", inverse: "cars"), .many("parts", "Part", inverse: "car"),
          ]),
        Entity("Part", [.text("name")], [.one("car", "Car", inverse: "parts")]),
      ])
    let destination = Model(
      "2",
      [
        Entity(
          "Person", [.text("name")],
          [.many("things", "Thing", inverse: "person"), .one("card", "Card", inverse: "person")]),
        Entity("Card", [.text("text")], [.one("person", "Person", inverse: "card")]),
        Entity("Vehicle", [.text("plate")]),
        Entity("Thing", [.text("name")], [.one("person", "Person", inverse: "things")]),
      ])
    let named = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    let related = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
    let mappings = try mapping(
      #"""
      {"type": "transform", "source": "Owner", "destination": "Person", "attributes": {"name": {}}},
      {"type": "transform", "name": "OwnerCards", "source": "Owner", "destination": "Card",
       "attributes": {"text": "$source.name"},
       "relationships": {
         "person": "FUNCTION($manager, '\#(named)', 'OwnerToPerson', $source)"}},
      {"type": "transform", "source": "Car", "destination": "Vehicle", "attributes": {"plate": {}}},
      {"type": "transform", "source": "Part", "destination": "Thing", "attributes": {"name": {}},
       "relationships": {
         "person": "FUNCTION($manager, '\#(related)', 'owner', $source.car.owner)"}}
      """#)
    let found = try Trial(source, destination, [mappings]) { store in
      let owners = try ["Ann", "Bob"].map { try store.insert("Owner", ["name": .text($0)]) }
      let cars = try [0, 1, 1].map { try store.insert("Car", [:], ["owner": [owners[$0]]]) }
      for (number, car) in [2, 0, 1, 0].enumerated() {
        try store.insert("Part", ["name": .text("p\(number)")], ["car": [cars[car]]])
      }
      try store.insert("Part", ["name": "loose"])
    }.migrate().contents
    #expect(found["Person"].map { $0.keys("card") } == [[1], [2]])
    #expect(found["Person"].map { $0.keys("things") } == [[2, 4], [1, 3]])
    #expect(found["Thing"].map { $0.keys("person") } == [[2], [1], [2], [1], []])
    #expect(found["Vehicle"].count == 3)
  }

  @Test func `an entity split by a filter over two passes keeps its links`() throws {
    let passes = try [("#keys < 5", "Low"), ("NOT #keys < 5", "High")].map { filter, name in
      try mapping(
        """
        {"type": "transform", "name": "Items", "source": "Item", "destination": "Item",
         "filter": "\(filter)",
         "attributes": {"keys": {}}, "relationships": {"next": {}, "all": {}}}
        """, named: name)
    }
    func model(_ name: String) -> Model {
      Model(
        name,
        [
          Entity(
            "Item", [.number("keys"), .text(name == "1" ? "old" : "new")],
            [
              .one("next", "Item", inverse: "previous"), .one("previous", "Item", inverse: "next"),
              .many("all", "Item", inverse: "of"), .many("of", "Item", inverse: "all"),
            ])
        ])
    }
    let trial = try Trial(model("1"), model("2"), passes) { store in
      let items = try (0..<10).map { try store.insert("Item", ["keys": .integer(Int64($0))]) }
      for index in 0..<9 { try store.relate(items[index], "next", to: [items[index + 1]]) }
      for index in 0..<10 {
        try store.relate(items[index], "all", to: [items[(index * 3) % 10], items[9 - index]])
      }
    }
    let before = try StoreContents(path: trial.sourcePath, model: trial.source)
    let after = try trial.migrate().contents
    #expect(after.objects.count == 10)
    // Keys of the second pass lie above those of the first; "keys" tells who is who.
    func described(_ contents: StoreContents) -> [String] {
      let names = Dictionary(
        uniqueKeysWithValues: contents.objects.map { ($0.key, "\($0["keys"].integer ?? -1)") })
      return contents.objects.map { object in
        let links = ["next", "previous", "all", "of"].map { name in
          object.keys(name).compactMap { names[$0] }.sorted().joined(separator: ",")
        }
        return "\(object["keys"].integer ?? -1): \(links)"
      }.sorted()
    }
    #expect(described(after) == described(before))
  }

  @Test func `a shared object in a to-many relationship without an inverse is told as such`() throws
  {
    let source = Model(
      "1",
      [
        Entity("Tag", [], [.many("people", "Person", inverse: "tags")]),
        Entity("Person", [], [.many("tags", "Tag", inverse: "people")]),
      ])
    let destination = Model(
      "2", [Entity("Tag", [], [.many("all", "Person")]), Entity("Person")])
    let trial = try Trial(
      source, destination,
      [
        mapping(
          """
          {"name": "People", "type": "transform", "source": "Person", "destination": "Person"},
          {"type": "transform", "source": "Tag", "destination": "Tag", "relationships": {"all":
            "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', \
          'People', $source.people)"}}
          """)
      ]
    ) { store in
      let person = try store.insert("Person")
      for _ in 1...3 { try store.relate(try store.insert("Tag"), "people", to: [person]) }
    }
    let error = try trial.failure().diagnostics.all[0]
    #expect(error.code == "RUN-023")
    #expect(
      error.message == "one object can be in “Tag.all” of “TagToTag” of one object only, but it is "
        + "in that of 3")
  }

  @Test func `an object made twice cannot be the one end of a relationship`() throws {
    let source = Model(
      "1",
      [
        Entity("Owner", [], [.many("pets", "Pet", inverse: "owner")]),
        Entity("Pet", [], [.one("owner", "Owner", inverse: "pets")]),
      ])
    let destination = Model(
      "2",
      [
        Entity("Owner", [.text("kind")], [.many("pets", "Pet", inverse: "owner")]),
        Entity("Pet", [], [.one("owner", "Owner", inverse: "pets")]),
      ])
    let both = """
      {"type": "transform", "name": "First", "source": "Owner", "destination": "Owner"},
      {"type": "transform", "name": "Second", "source": "Owner", "destination": "Owner"}
      """
    func pet(_ value: String) -> String {
      """
      {"type": "transform", "source": "Pet", "destination": "Pet",
       "relationships": {"owner": \(value)}}
      """
    }
    func trial(_ value: String) throws -> Trial {
      try Trial(source, destination, [mapping(both + ", " + pet(value))]) { store in
        let owners = try (1...3).map { _ in try store.insert("Owner") }
        for owner in owners { try store.insert("Pet", [:], ["owner": [owner]]) }
      }
    }
    let error = try trial("{}").failure()
    #expect(error.kind == .policyFailed)
    #expect(error.codes == ["RUN-023"])
    #expect(error.diagnostics.all[0].remedy?.contains("name the entity mapping") == true)
    let named = """
      "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'Second', \
      $source.owner)"
      """
    let found = try trial(named).migrate().contents
    #expect(found["Owner"].count == 6)
    #expect(found["Pet"].map { $0.keys("owner") } == [[4], [5], [6]])
  }

  @Test func `several objects of the mapping that is named need another remedy`() throws {
    let entities = [Entity("Row", [.text("tags")]), Entity("Holder", [], [.one("row", "Row")])]
    let trial = try Trial(
      Model("1", entities),
      Model("2", [Entity("Tag", [.text("name")]), Entity("Holder", [], [.one("tag", "Tag")])]),
      [
        mapping(
          """
          {"type": "transform", "source": "Row", "destination": "Tag",
           "forEach": "split($source.tags, ',')", "attributes": {"name": "$element"}},
          {"type": "transform", "source": "Holder", "destination": "Holder", "relationships": {
            "tag": "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', \
          'RowToTag', $source.row)"}}
          """)
      ]
    ) { store in
      let row = try store.insert("Row", ["tags": "a,b"])
      try store.insert("Holder", [:], ["row": [row]])
    }
    let error = try trial.failure()
    #expect(error.codes == ["RUN-023"])
    #expect(
      error.diagnostics.all[0].remedy == "let the entity mapping that it names make one object of "
        + "each source object, or make the relationship to-many")
  }

  /// Each mapping by itself gives a pet one owner.
  @Test func `a pet in the lists of two mappings' owners is an error, and one in either is not`()
    throws
  {
    func model(_ name: String) -> Model {
      Model(
        name,
        [
          Entity("Owner", [.text("in\(name)")], [.many("pets", "Pet", inverse: "owner")]),
          Entity("Pet", [.text("name")], [.one("owner", "Owner", inverse: "pets")]),
        ])
    }
    func trial(_ filters: [String]) throws -> Trial {
      let owners = filters.enumerated().map { number, filter in
        #"{"type": "transform", "name": "Owners\#(number)", "source": "Owner", "#
          + #""destination": "Owner", "filter": "\#(filter)", "relationships": {"pets": {}}}"#
      }
      let pets = #"{"type": "transform", "source": "Pet", "destination": "Pet"}"#
      return try Trial(
        model("1"), model("2"), [mapping((owners + [pets]).joined(separator: ", "))]
      ) { store in
        let owners = try ["a", "b"].map { try store.insert("Owner", ["in1": .text($0)]) }
        for owner in owners { try store.insert("Pet", [:], ["owner": [owner]]) }
      }
    }
    for options in Trial.ways {
      let error = try trial(["in1 != 'x'", "in1 == 'b'"]).failure(options: options)
      #expect(error.codes == ["RUN-023"])
      #expect(
        error.diagnostics.all[0].message == "one object can be in “Owner.pets” of “Owners1” of "
          + "one object only, but it is in that of 2")
    }
    let found = try trial(["in1 == 'a'", "in1 == 'b'"]).migrate().contents
    #expect(found["Owner"].map { $0.keys("pets") } == [[1], [2]])
  }
}
