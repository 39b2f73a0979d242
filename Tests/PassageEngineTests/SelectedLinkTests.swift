import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Relationships whose values select the objects that they lead to, in every lane; what is expected
/// is written by hand.
@Suite struct SelectedLinkTests {
  private static let source = Model(
    "1",
    [
      Entity(
        "Owner", [.text("name"), .text("code"), .number("level")],
        [
          .many("pets", "Pet", inverse: "owner"),
          .many("queue", "Pet", inverse: "queues", isOrdered: true),
        ]),
      Entity(
        "Pet", [.text("name"), .number("age"), .text("kind")],
        [
          .one("owner", "Owner", inverse: "pets"), .many("queues", "Owner", inverse: "queue"),
          .one("vet", "Vet"),
        ]),
      Entity("Vet", [.text("name"), .text("code")]),
    ])
  private static let copies = """
    {"type": "copy", "source": "Pet", "destination": "Pet", "filter": "name != 'ghost'"},
    {"type": "copy", "source": "Vet", "destination": "Vet"}
    """

  private static func fill(_ store: TestStore) throws {
    let vets = try ["Vera", "Vic"].map {
      try store.insert("Vet", ["name": .text($0), "code": .text("c-\($0)")])
    }
    var owners: [ObjectReference] = []
    for (name, code, level) in [("Ann", "c-Vic", 1), ("Bob", nil, 2), ("Cy", "c-none", 3)]
      as [(String, String?, Int64)]
    {
      owners.append(
        try store.insert(
          "Owner",
          [
            "name": .text(name), "code": code.map { .text($0) } ?? .null, "level": .integer(level),
          ]))
    }
    var pets: [ObjectReference] = []
    for (name, age, owner) in [
      ("rex", 3, 0), ("tom", 9, 0), ("kit", nil, 0), ("ghost", 7, 0), ("max", 2, 1), ("ada", 5, 1),
    ] as [(String, Int64?, Int)] {
      let pet = try store.insert(
        "Pet", ["name": .text(name), "age": age.map { .integer($0) } ?? .null])
      try store.relate(pet, "owner", to: [owners[owner]])
      try store.relate(pet, "vet", to: [vets[name == "rex" || name == "max" ? 0 : 1]])
      pets.append(pet)
    }
    try store.relate(owners[0], "queue", to: [pets[1], pets[3], pets[0]])
    try store.relate(owners[1], "queue", to: [pets[5]])
  }

  /// Migrates with one more relationship of `Owner`.
  ///
  /// - Returns: the keys that each owner is related to.
  private static func keys(
    _ relationship: Relationship, _ value: String, others: String = ""
  ) throws -> [[Int64]] {
    let destination = Model(
      "2",
      [
        Entity("Owner", [.text("name")], [relationship]),
        Entity("Pet", [.text("name"), .number("age")]),
        Entity("Vet", [.text("name")], back(relationship, of: "Vet")),
        Entity("Shelf", [.text("name"), .number("level")], back(relationship, of: "Shelf")),
      ])
    let trial = try Trial(
      source, destination,
      [
        mapping(
          """
          \(copies)\(others), {"type": "transform", "source": "Owner", "destination": "Owner",
           "attributes": {"name": {}}, "relationships": {"\(relationship.name)": \(value)}}
          """)
      ], fill: fill)
    return try trial.migrate().contents["Owner"].map { $0.keys(relationship.name) }
  }

  /// The inverse of a relationship, if it leads to an entity and has one.
  private static func back(_ relationship: Relationship, of entity: String) -> [Relationship] {
    guard relationship.destinationEntityName == entity, let name = relationship.inverseName else {
      return []
    }
    return [.many(name, "Owner", inverse: relationship.name)]
  }

  private static func call(_ objects: String) -> String {
    "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'pets', \(objects))"
  }

  @Test(
    arguments: [
      ("SUBQUERY($source.pets, $p, $p.age > 2)", [[1, 2], [6], []]),
      ("$source.pets", [[1, 2, 3], [5, 6], []]),
      ("SUBQUERY($source.pets, $p, $p.vet.name == 'Vera')", [[1], [5], []]),
    ] as [(String, [[Int64]])])
  func `a collection is filtered`(objects: String, expected: [[Int64]]) throws {
    let keys = try Self.keys(.many("best", "Pet"), "\"\(Self.call(objects))\"")
    #expect(keys == expected)
  }

  @Test(
    arguments: [
      ("$source.queue[FIRST]", [[2], [6], []]), ("$source.queue[LAST]", [[1], [6], []]),
      ("$source.queue[1]", [[], [], []]), ("$source.queue[2]", [[1], [], []]),
    ] as [(String, [[Int64]])])
  func `one element of an ordered relationship is taken`(
    objects: String, expected: [[Int64]]
  ) throws {
    let keys = try Self.keys(.one("best", "Pet"), "\"\(Self.call(objects))\"")
    #expect(keys == expected)
  }

  @Test func `the different objects at the end of a path are taken`() throws {
    let value = Self.call("$source.pets.@distinctUnionOfObjects.vet")
    #expect(
      try Self.keys(.many("vets", "Vet", inverse: "owners"), "\"\(value)\"") == [
        [1, 2], [1, 2], [],
      ])
  }

  @Test func `an object is found by the value of an attribute`() throws {
    let value = Self.call("lookupObject('Vet', 'code', $source.code)")
    #expect(try Self.keys(.one("vet", "Vet"), "\"\(value)\"") == [[2], [], []])
  }

  @Test func `a condition stands around the call`() throws {
    let pets = Self.call("$source.pets")
    #expect(
      try Self.keys(
        .many("best", "Pet"), "\"TERNARY($source.level == 2, \(pets), nil)\"")
        == [[], [5, 6], []])
    #expect(
      try Self.keys(
        .many("best", "Pet"), "\"TERNARY($source.level == 2, nil, \(pets))\"")
        == [[1, 2, 3], [], []])
  }

  @Test(
    arguments: [
      (#"["$element.age"]"#, [[3, 1, 2], [5, 6], []]),
      (#"{"value": "$element.age", "ascending": false}"#, [[2, 1, 3], [6, 5], []]),
      (
        #"["$element.vet.name", {"value": "$element.name", "ascending": false}]"#,
        [[1, 2, 3], [5, 6], []]
      ),
    ] as [(String, [[Int64]])])
  func `an ordered relationship is sorted`(order: String, expected: [[Int64]]) throws {
    let keys = try Self.keys(
      .many("best", "Pet", isOrdered: true),
      #"{"value": "\#(Self.call("$source.pets"))", "sortedBy": \#(order)}"#)
    #expect(keys == expected)
  }

  /// The pairs of a many-to-many relationship are written from either side, in the order of the side that
  /// sorts them.
  @Test(
    arguments: [
      #"{"type": "copy", "source": "Person", "destination": "Person"}"#,
      #"{"type": "copy", "source": "Person", "destination": "Person", "filter": "name != 'x'"}"#,
      """
      {"type": "transform", "source": "Person", "destination": "Person", "attributes": {"name": {}},
       "relationships": {"tags": {}}}
      """,
      """
      {"type": "transform", "source": "Person", "destination": "Person", "attributes": {"name": {}},
       "relationships": {"tags": {"sortedBy": {"value": "$element.label", "ascending": false}}}}
      """,
      """
      {"type": "transform", "source": "Person", "destination": "Person", "attributes": {"name": {}},
       "relationships": {"tags": null}}
      """,
    ], [true, false])
  func `a many-to-many relationship is sorted though its inverse is mapped`(
    _ person: String, isFirst: Bool
  ) throws {
    func model(_ name: String, isOrdered: Bool) -> Model {
      Model(
        name,
        [
          Entity(
            "Person", [.text("name")],
            [.many("tags", "Tag", inverse: "people", isOrdered: isOrdered)]),
          Entity(
            "Tag", [.text("label")],
            [.many("people", "Person", inverse: "tags", isOrdered: isOrdered)]),
        ])
    }
    let tag = """
      {"type": "copy", "source": "Tag", "destination": "Tag",
       "relationships": {"people": {"sortedBy": "$element.name"}}}
      """
    let trial = try Trial(
      model("1", isOrdered: false), model("2", isOrdered: true),
      [mapping((isFirst ? [person, tag] : [tag, person]).joined(separator: ","))]
    ) { store in
      let people = try ["d", "c", "b", "a"].map { try store.insert("Person", ["name": .text($0)]) }
      try store.insert("Tag", ["label": .text("s")], ["people": people])
      try store.insert("Tag", ["label": .text("t")], ["people": people.dropLast()])
    }
    let contents = try trial.migrate().contents
    #expect(contents["Tag"].map { $0.keys("people") } == [[4, 3, 2, 1], [3, 2, 1]])
    if person.contains("label") {
      #expect(contents.object("Person", 1)?.keys("tags") == [2, 1])
      #expect(contents.object("Person", 4)?.keys("tags") == [1])
    }
  }

  private static let shelves = """
    , {"type": "add", "destination": "Shelf", "name": "Shelves", "objects": [
      {"name": "low", "level": 1}, {"name": "high", "level": 3}, {"level": 3}]}
    """

  @Test func `objects of a list are added, and all lead to them`() throws {
    let keys = try Self.keys(
      .many("shelves", "Shelf", inverse: "owners"), #""added('Shelves')""#, others: Self.shelves)
    #expect(keys == [[1, 2, 3], [1, 2, 3], [1, 2, 3]])
  }

  @Test func `an object leads to the added objects with a value`() throws {
    #expect(
      try Self.keys(
        .many("shelves", "Shelf", inverse: "owners"),
        #""added('Shelves', 'level', $source.level)""#,
        others: Self.shelves) == [[1], [], [2, 3]])
    #expect(
      try Self.keys(
        .one("shelf", "Shelf"),
        #""added('Shelves', 'name', TERNARY($source.level < 3, 'low', 'high'))""#,
        others: Self.shelves) == [[1], [1], [2]])
  }

  @Test func `a condition stands around added objects`() throws {
    #expect(
      try Self.keys(
        .many("shelves", "Shelf", inverse: "owners"),
        #""TERNARY($source.level > 1, added('Shelves'), nil)""#, others: Self.shelves)
        == [[], [1, 2, 3], [1, 2, 3]])
    #expect(
      try Self.keys(
        .one("shelf", "Shelf"),
        #""TERNARY($source.level > 1, nil, added('Shelves', 'name', 'low'))""#,
        others: Self.shelves) == [[1], [], []])
  }

  @Test func `an interrupted run continues with what was selected and added`() throws {
    let destination = Model(
      "2",
      [
        Entity(
          "Owner", [.text("name")], [.many("best", "Pet", isOrdered: true), .one("shelf", "Shelf")]),
        Entity("Pet", [.text("name"), .number("age")]), Entity("Vet", [.text("name")]),
        Entity("Shelf", [.text("name"), .number("level")]),
      ])
    let trial = try Trial(
      Self.source, destination,
      [
        mapping(
          """
          \(Self.copies)\(Self.shelves), {"type": "transform", "source": "Owner",
           "destination": "Owner", "attributes": {"name": {}}, "relationships": {
            "best": {"value": "\(Self.call("$source.pets"))", "sortedBy": "$element.age"},
            "shelf": "added('Shelves', 'name', 'low')"}}
          """)
      ], fill: Self.fill)
    try trial.run(to: "whole.sqlite")
    let whole = try StoreRows(path: trial.directory.path("whole.sqlite"))
    for lane in [MigrationOptions.Lane.automatic, .row] {
      for name in try Interruptions.anyBatches(of: trial, lane: lane) {
        #expect(try StoreRows(path: trial.directory.path(name)).differences(from: whole) == [])
      }
    }
  }
}
