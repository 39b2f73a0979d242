import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Links from objects that were migrated to objects that were not are counted, whatever value the
/// relationship has and whichever side is mapped, alike in every lane.
@Suite struct EmptiedLinkTests {
  private static func people(_ version: String, isOrdered: Bool = false) -> Model {
    Model(
      version,
      [
        Entity("Person", [.text("name")], [.many("tags", "Tag", inverse: "people")]),
        Entity(
          "Tag", [.text("label")],
          [.many("people", "Person", inverse: "tags", isOrdered: isOrdered)]),
      ])
  }

  /// Two tags; the persons a, b, c and d have the first one, a and b the second one too.
  private static func fillPeople(_ store: TestStore) throws {
    let tags = try ["t", "u"].map { try store.insert("Tag", ["label": .text($0)]) }
    for name in ["d", "c", "b", "a"] {
      let person = try store.insert("Person", ["name": .text(name)])
      try store.relate(person, "tags", to: name < "c" ? tags : [tags[0]])
    }
  }

  private static func emptied(_ report: MigrationReport) -> [String] {
    report.losses.filter { $0.reason == .emptied }.map { "\($0.name) \($0.count ?? -1)" }
  }

  private static func made(_ mapping: String, _ objects: String) -> String {
    "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', "
      + "'\(mapping)', \(objects))"
  }

  private static let filtered = """
    {"name": "People", "type": "transform", "source": "Person", "destination": "Person",
     "filter": "name != 'a'", "attributes": {"name": {}}}
    """

  // MARK: Values that select

  @Test(arguments: [
    (#"{}"#, 2), (#"{"sortedBy": "$element.name"}"#, 2),
    (
      #"{"value": "\#(made("People", "$source.people"))", "sortedBy": {"value": "$element.name", "ascending": false}}"#,
      2
    ),
    (#""\#(made("People", "SUBQUERY($source.people, $p, $p.name != 'b')"))""#, 2),
    (#""\#(made("People", "SUBQUERY($source.people, $p, $p.name != 'a')"))""#, 0),
    (#""TERNARY($source.label == 't', \#(made("People", "$source.people")), nil)""#, 1),
    (#""TERNARY($source.label == 'x', nil, \#(made("People", "$source.people")))""#, 2),
    (
      #""TERNARY($source.label == 'u', \#(made("People", "SUBQUERY($source.people, $p, $p.name == 'a')")), nil)""#,
      1
    ),
  ])
  func `links of values that sort or select are counted`(value: String, count: Int) throws {
    let trial = try Trial(
      Self.people("1"), Self.people("2", isOrdered: true),
      [
        mapping(
          """
          \(Self.filtered),
          {"type": "transform", "source": "Tag", "destination": "Tag", "attributes": {"label": {}},
           "relationships": {"people": \(value)}}
          """)
      ], fill: Self.fillPeople)
    let (_, report) = try trial.migrate()
    #expect(Self.emptied(report) == (count == 0 ? [] : ["Tag.people \(count)"]))
    guard count > 0 else { return }
    var options = MigrationOptions()
    options.allowed.losses = .none
    #expect(try trial.failure(to: "refused.sqlite", options: options).kind == .valuesLost)
  }

  @Test func `a link is kept if one of several relationships that select it keeps it`() throws {
    let destination = Model(
      "2",
      [
        Entity(
          "Person", [.text("name")],
          [.many("inSome", "Tag", inverse: "some"), .many("inAll", "Tag", inverse: "all")]),
        Entity(
          "Tag", [.text("label")],
          [.many("some", "Person", inverse: "inSome"), .many("all", "Person", inverse: "inAll")]),
      ])
    func trial(_ rest: String, _ all: String) throws -> Trial {
      try Trial(
        Self.people("1"), destination,
        [
          mapping(
            """
            \(Self.filtered),
            {"name": "Rest", "type": "transform", "source": "Person", "destination": "Person",
             "filter": "\(rest)", "attributes": {"name": {}}},
            {"type": "transform", "source": "Tag", "destination": "Tag", "attributes": {"label": {}},
             "relationships": {
              "all": "\(all)",
              "some": "\(Self.made("Rest", "SUBQUERY($source.people, $p, $source.label == 't')"))"}}
            """)
        ], fill: Self.fillPeople)
    }
    let people = Self.made("People", "$source.people")
    // The second tag does not select the one that only the second mapping makes.
    #expect(try Self.emptied(trial("name == 'a'", people).migrate().report) == ["Tag.people 1"])
    #expect(try Self.emptied(trial("name == 'z'", people).migrate().report) == ["Tag.people 2"])
    let some = Self.made("People", "SUBQUERY($source.people, $p, $p.name < 'c')")
    // Of the first tag, c and d are selected for “some” alone, and the second mapping does not make them.
    #expect(try Self.emptied(trial("name == 'a'", some).migrate().report) == ["Tag.people 3"])
  }

  // MARK: The other side

  private static func family(_ version: String) -> Model {
    Model(
      version,
      [
        Entity("Parent", [.text("name")], [.many("children", "Child", inverse: "parent")]),
        Entity("Child", [.text("name")], [.one("parent", "Parent", inverse: "children")]),
      ])
  }

  /// Three parents with two children each; of the last parent, one is missing.
  private static func fillFamily(_ store: TestStore) throws {
    for number in 1...3 {
      let parent = try store.insert("Parent", ["name": .text("p\(number)")])
      for child in 1...(number < 3 ? 2 : 1) {
        try store.insert("Child", ["name": .text("c\(number)\(child)")], ["parent": [parent]])
      }
    }
  }

  @Test(
    arguments: ["", #""filter": "name != 'c21'","#],
    [
      "{}", #""\#(made("Children", "SUBQUERY($source.children, $c, $c.name != 'c11')"))""#,
    ])
  func `a link of which only the other side is mapped is counted`(
    filter: String, value: String
  ) throws {
    let trial = try Trial(
      Self.family("1"), Self.family("2"),
      [
        mapping(
          """
          {"type": "transform", "source": "Parent", "destination": "Parent", "filter": "name != 'p2'",
           "attributes": {"name": {}}, "relationships": {"children": \(value)}},
          {"name": "Children", "type": "transform", "source": "Child", "destination": "Child",
           \(filter) "attributes": {"name": {}}}
          """)
      ], fill: Self.fillFamily)
    let (_, report) = try trial.migrate()
    #expect(Self.emptied(report) == ["Child.parent \(filter.isEmpty ? 2 : 1)"])
    #expect(report.losses.count == 1)
  }

  @Test func `a pair of which only the other side is mapped is counted`() throws {
    let trial = try Trial(
      Self.people("1"), Self.people("2"),
      [
        mapping(
          """
          {"type": "copy", "source": "Person", "destination": "Person", "filter": "name != 'a'"},
          {"type": "transform", "source": "Tag", "destination": "Tag", "attributes": {"label": {}}}
          """)
      ], fill: Self.fillPeople)
    #expect(try Self.emptied(trial.migrate().report) == ["Tag.people 2"])
  }

  // MARK: Elements

  /// Links of elements that are objects have names that can be allowed, though the entity has none of these.
  @Test func `lost links of listed objects can be allowed by the names they are told by`() throws {
    let destination = Model(
      "2",
      [
        Entity("Person", [.text("name")]), Entity("Tag", [.text("label")]),
        Entity("Use", [], [.one("tag", "Tag"), .one("pets", "Person")]),
      ])
    let source = Model(
      "1",
      [
        Entity("Person", [.text("name")], [.many("tags", "Tag", inverse: "people")]),
        Entity(
          "Tag", [.text("label")],
          [.many("people", "Person", inverse: "tags"), .one("maker", "Person")]),
      ])
    let trial = try Trial(
      source, destination,
      [
        mapping(
          """
          \(Self.filtered),
          {"name": "Tags", "type": "copy", "source": "Tag", "destination": "Tag", "filter": "label != 't'"},
          {"type": "transform", "source": "Person", "destination": "Use", "forEach": "$source.tags",
           "relationships": {"tag": "\(Self.made("Tags", "$element"))",
             "pets": "\(Self.made("People", "$element.maker"))"}}
          """)
      ]
    ) { store in
      let person = try store.insert("Person", ["name": .text("a")])
      for label in ["t", "u"] {
        let tag = try store.insert("Tag", ["label": .text(label)], ["maker": [person]])
        try store.relate(person, "tags", to: [tag])
      }
    }
    let names = ["Person.$element", "Person.maker"]
    #expect(
      try Self.emptied(trial.migrate().report).sorted() == ["Person.$element 1", "Person.maker 2"])
    var options = MigrationOptions()
    options.allowed.losses = .none
    let remedy = try #require(try trial.failure(options: options).diagnostics.all[0].remedy)
    #expect(names.allSatisfy(remedy.contains))
    options.allowed.losses = .only(["Person.label"])
    #expect(try trial.failure(options: options).codes == ["RUN-084"])
    options.allowed.losses = .only(names)
    #expect(try Self.emptied(trial.run(options: options)).count == 2)
  }

  // MARK: What became of the objects

  /// Keys of elements' objects are those of other source objects.
  @Test func `a link to objects of elements is kept only where there are elements`() throws {
    let source = Model(
      "1",
      [
        Entity(
          "Item", [.text("parts")],
          [.one("next", "Item", inverse: "previous"), .many("previous", "Item", inverse: "next")])
      ])
    let destination = Model(
      "2", [Entity("Item", [], [.one("part", "Part")]), Entity("Part", [.text("name")])])
    let trial = try Trial(
      source, destination,
      [
        mapping(
          """
          {"name": "Parts", "type": "transform", "source": "Item", "destination": "Part",
           "forEach": "split($source.parts, ',')", "attributes": {"name": "$element"}},
          {"type": "transform", "source": "Item", "destination": "Item",
           "relationships": {"part": "\(Self.made("Parts", "$source.next"))"}}
          """)
      ]
    ) { store in
      let items = try (0..<6).map {
        try store.insert("Item", ["parts": .text($0 < 3 ? "" : "x")])
      }
      for (number, item) in items.enumerated() {
        try store.relate(item, "next", to: [items[(number + 1) % 6]])
      }
    }
    let (contents, report) = try trial.migrate()
    #expect(contents["Item"].filter { $0.keys("part").isEmpty }.count == 3)
    #expect(Self.emptied(report) == ["Item.next 3"])
  }

  @Test(arguments: [("label == 't1'", 2), ("people.@count > 5", 3)], ["copy", "transform"])
  func `the links of all objects that become one are counted`(
    filter: (text: String, count: Int), kind: String
  ) throws {
    let own = kind == "copy" ? "" : #", "attributes": {"name": {}}, "relationships": {"tags": {}}"#
    let trial = try Trial(
      Self.people("1"), Self.people("2"),
      [
        mapping(
          """
          {"type": "\(kind)", "source": "Person", "destination": "Person",
           "mergeBy": "$source.name"\(own)},
          {"type": "transform", "source": "Tag", "destination": "Tag", "filter": "\(filter.text)",
           "attributes": {"label": {}}}
          """)
      ]
    ) { store in
      for number in 1...3 {
        let tag = try store.insert("Tag", ["label": .text("t\(number)")])
        let person = try store.insert("Person", ["name": .text("same")])
        try store.relate(person, "tags", to: [tag])
      }
    }
    #expect(try Self.emptied(trial.migrate().report) == ["Person.tags \(filter.count)"])
  }

  /// Children of all parents become one for each name; the one that is kept has a parent or none.
  @Test(arguments: [("copy", false), ("copy", true), ("transform", false)], [false, true])
  func `links to objects that became one, which leads elsewhere, are counted`(
    way: (kind: String, areParentsMerged: Bool), isOrphanKept: Bool
  ) throws {
    let (kind, areParentsMerged) = way
    func own(_ relationship: String) -> String {
      kind == "copy"
        ? "" : #", "attributes": {"name": {}}, "relationships": {"\#(relationship)": {}}"#
    }
    let merged = areParentsMerged ? #", "mergeBy": "$source.name""# : ""
    let trial = try Trial(
      Self.family("1"), Self.family("2"),
      [
        mapping(
          """
          {"type": "\(kind)", "source": "Child", "destination": "Child",
           "mergeBy": "$source.name"\(own("parent"))},
          {"type": "\(kind)", "source": "Parent", "destination": "Parent"\(merged)\(own("children"))}
          """)
      ]
    ) { store in
      if isOrphanKept { try store.insert("Child", ["name": .text("c1")]) }
      // The first two parents are one by their name.
      for number in 1...4 {
        let parent = try store.insert("Parent", ["name": .text("p\(max(number, 2))")])
        for child in 1...2 {
          try store.insert("Child", ["name": .text("c\(child)")], ["parent": [parent]])
        }
      }
    }
    let (contents, report) = try trial.migrate()
    #expect(contents["Child"].count == 2)
    let kept = contents["Child"].map { $0.keys("parent").count }
    #expect(kept.sorted() == (isOrphanKept ? [0, 1] : [1, 1]))
    // Of eight links, one for each child and what became of its parent is kept.
    let keptLinks = (areParentsMerged ? 2 : 1) * (isOrphanKept ? 1 : 2)
    #expect(Self.emptied(report) == ["Parent.children \(8 - keptLinks)"])
  }

  /// The mapping decides against what it does not select.
  @Test func `links that are not selected are not counted where their objects become one`() throws {
    let value = Self.made("Children", "SUBQUERY($source.children, $c, $c.name == 'X')")
    let trial = try Trial(
      Self.family("1"), Self.family("2"),
      [
        mapping(
          """
          {"name": "Children", "type": "transform", "source": "Child", "destination": "Child",
           "mergeBy": "lowercase($source.name)", "attributes": {"name": {}}},
          {"type": "transform", "source": "Parent", "destination": "Parent", "attributes": {"name": {}},
           "relationships": {"children": "\(value)"}}
          """)
      ]
    ) { store in
      for name in ["X", "x"] {
        let parent = try store.insert("Parent", ["name": .text(name)])
        try store.insert("Child", ["name": .text(name)], ["parent": [parent]])
      }
    }
    #expect(try Self.emptied(trial.migrate().report) == [])
  }

  /// Both have the keys of one table, and objects of one entity.
  @Test(arguments: [#", "relationships": {"tags": null}"#, ""])
  func `links to entities that became one are counted`(tags: String) throws {
    func pets(_ version: String) -> Model {
      Model(
        version,
        [
          Entity(
            "Pet", isAbstract: true, [.text("name")],
            [.many("tags", "Tag", inverse: "pets"), .many("bowls", "Bowl", inverse: "pet")]),
          Entity("Cat", parent: "Pet"), Entity("Dog", parent: "Pet"),
          Entity("Tag", [.text("label")], [.many("pets", "Pet", inverse: "tags")]),
          Entity("Bowl", [.text("label")], [.one("pet", "Pet", inverse: "bowls")]),
        ])
    }
    let trial = try Trial(
      pets("1"), pets("2"),
      [
        mapping(
          """
          {"type": "copy", "source": "Cat", "destination": "Dog", "filter": "name != 'a'"\(tags)},
          {"type": "transform", "source": "Dog", "destination": "Dog", "attributes": {"name": {}}},
          {"type": "copy", "source": "Tag", "destination": "Tag"},
          {"type": "copy", "source": "Bowl", "destination": "Bowl"}
          """)
      ]
    ) { store in
      let tag = try store.insert("Tag", ["label": .text("t")])
      for number in 0..<20 {
        let pet = try store.insert(
          number.isMultiple(of: 2) ? "Dog" : "Cat", ["name": .text(number % 4 == 3 ? "a" : "b")])
        try store.relate(pet, "tags", to: [tag])
        try store.insert("Bowl", ["label": .text("b")], ["pet": [pet]])
      }
    }
    #expect(try Self.emptied(trial.migrate().report) == ["Tag.pets 5", "Bowl.pet 5"])
  }
}
