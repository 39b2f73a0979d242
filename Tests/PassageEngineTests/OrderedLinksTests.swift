import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// Where several objects would come to one place of an ordered relationship, each gets a place of its own, alike
/// in every lane.
@Suite struct OrderedLinksTests {
  private static func lists(_ version: String) -> Model {
    Model(
      version,
      [
        Entity(
          "List", [.text("title")],
          [
            .many("items", "Item", inverse: "list", isOrdered: true),
            .many("tags", "Tag", inverse: "lists", isOrdered: true),
          ]),
        Entity(
          "Item", [.number("rank"), .text("parts")],
          [.one("list", "List", inverse: "items")]),
        Entity("Tag", [.number("rank")], [.many("lists", "List", inverse: "tags")]),
      ])
  }

  /// Two lists with the items and tags 1 and 2, and 3 and 4.
  private static func fill(_ store: TestStore) throws {
    let ranks: [Int64] = [10, 30, 20, 5]
    let tags = try ranks.map { try store.insert("Tag", ["rank": .integer($0)]) }
    let lists = try (0..<2).map { number in
      let list = try store.insert("List", ["title": "same"])
      try store.relate(list, "tags", to: Array(tags[(2 * number)..<(2 * number + 2)]))
      return list
    }
    for (place, rank) in ranks.enumerated() {
      try store.insert(
        "Item", ["rank": .integer(rank), "parts": .text("a\(rank),b\(rank)")],
        ["list": [lists[place / 2]]])
    }
  }

  /// The keys of the objects of each owner, in their order, after a check that no two have one place.
  private static func keys(
    _ trial: Trial, _ entity: String, _ relationship: String
  ) throws -> [[Int64]] {
    let (contents, _) = try trial.migrate()
    let name = "\(entity)-\(relationship).sqlite"
    try trial.run(to: name)
    let store = try Connection(path: trial.directory.path(name), mode: .readOnly)
    for row in try store.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
      let table = try #require(row[0].string)
      let columns = try store.rows("SELECT name FROM pragma_table_info(?)", [.text(table)])
        .compactMap { $0[0].string }
      guard let place = columns.first(where: { $0.hasPrefix("Z_FOK") }) else { continue }
      let owner =
        table == "ZITEM"
        ? "ZLIST"
        : try #require(
          columns.first { $0.hasSuffix("TAGS") || $0.hasSuffix("LIST") || $0.hasSuffix("LISTS") })
      let same = try store.integer(
        "SELECT count(*) FROM (SELECT 1 FROM \(table.quotedIdentifier) "
          + "WHERE \(owner.quotedIdentifier) IS NOT NULL "
          + "GROUP BY \(owner.quotedIdentifier), \(place.quotedIdentifier) HAVING count(*) > 1)")
      #expect(same == 0, "\(table).\(place)")
    }
    return contents[entity].map { $0.keys(relationship) }
  }

  private static let rest = """
    {"type": "copy", "source": "Item", "destination": "Item"},
    {"type": "copy", "source": "Tag", "destination": "Tag"}
    """

  @Test
  func `the lists of objects that become one are laid over each other`() throws {
    for inMemory in [false, true] {
      var trial = try Trial(
        Self.lists("1"), Self.lists("2"),
        [
          mapping(
            """
            {"type": "copy", "source": "List", "destination": "List", "mergeBy": "$source.title"},
            \(Self.rest)
            """)
        ], fill: Self.fill)
      trial.worksInMemory = inMemory
      #expect(try Self.keys(trial, "List", "items") == [[1, 3, 2, 4]])
      #expect(try Self.keys(trial, "List", "tags") == [[1, 3, 2, 4]])
    }
  }

  /// Tags 2, 3 and 5 become one. The kept one is in the first list, and with the first kept in both.
  @Test(
    arguments: [("first", [[2, 1, 4], [1, 2, 4]]), ("last", [[1, 5, 4], [1, 5, 4]])]
      as [(String, [[Int64]])])
  func `objects of one list that become one have the kept one's place or that of the first by key`(
    keep: String, keys: [[Int64]]
  ) throws {
    let trial = try Trial(
      Self.lists("1"), Self.lists("2"),
      [
        mapping(
          """
          {"type": "copy", "source": "List", "destination": "List"},
          {"type": "copy", "source": "Item", "destination": "Item"},
          {"type": "copy", "source": "Tag", "destination": "Tag",
           "mergeBy": {"value": "$source.rank", "keep": "\(keep)"}}
          """)
      ]
    ) { store in
      let tags = try ([1, 2, 2, 3, 2] as [Int64]).map {
        try store.insert("Tag", ["rank": .integer($0)])
      }
      for order in [[2, 1, 5, 4], [3, 1, 2, 4]] {
        try store.relate(try store.insert("List"), "tags", to: order.map { tags[$0 - 1] })
      }
    }
    #expect(try Self.keys(trial, "List", "tags") == keys)
  }

  /// Both lists have tags 1 and 2; the second one becomes the first, or the first the second.
  @Test(arguments: [("first", [1, 2, 3]), ("last", [2, 3, 1])] as [(String, [Int64])])
  func `an object of several lists that become one has its place in the kept one`(
    keep: String, keys: [Int64]
  ) throws {
    let trial = try Trial(
      Self.lists("1"), Self.lists("2"),
      [
        mapping(
          """
          {"type": "copy", "source": "List", "destination": "List",
           "mergeBy": {"value": "$source.title", "keep": "\(keep)"}},
          \(Self.rest)
          """)
      ]
    ) { store in
      let tags = try (1...3).map { _ in try store.insert("Tag") }
      for order in [[1, 2], [2, 3, 1]] {
        let list = try store.insert("List", ["title": "same"])
        try store.relate(list, "tags", to: order.map { tags[$0 - 1] })
      }
    }
    #expect(try Self.keys(trial, "List", "tags") == [keys])
  }

  @Test
  func `what is sorted is sorted over the objects that become one`() throws {
    let trial = try Trial(
      Self.lists("1"), Self.lists("2"),
      [
        mapping(
          """
          {"type": "copy", "source": "List", "destination": "List", "mergeBy": "$source.title",
           "relationships": {"items": {"sortedBy": "$element.rank"},
                             "tags": {"sortedBy": {"value": "$element.rank", "ascending": false}}}},
          \(Self.rest)
          """)
      ], fill: Self.fill)
    #expect(try Self.keys(trial, "List", "items") == [[4, 1, 3, 2]])
    #expect(try Self.keys(trial, "List", "tags") == [[2, 3, 1, 4]])
  }

  private static let parts = """
    {"type": "transform", "source": "Item", "destination": "Item",
     "forEach": "split($source.parts, ',')",
     "attributes": {"parts": "$element"}, "relationships": {"list": {}}}
    """
  private static let twice = """
    {"name": "A", "type": "copy", "source": "Item", "destination": "Item"},
    {"name": "B", "type": "copy", "source": "Item", "destination": "Item"}
    """

  @Test(
    arguments: [
      (parts, [[1, 2, 3, 4], [5, 6, 7, 8]]), (twice, [[1, 5, 2, 6], [3, 7, 4, 8]]),
    ] as [(String, [[Int64]])], [false, true])
  func `what an item becomes follows each other in its place`(
    items: (mappings: String, keys: [[Int64]]), inMemory: Bool
  ) throws {
    var trial = try Trial(
      Self.lists("1"), Self.lists("2"),
      [
        mapping(
          """
          {"type": "copy", "source": "List", "destination": "List"},
          {"type": "copy", "source": "Tag", "destination": "Tag"}, \(items.mappings)
          """)
      ], fill: Self.fill)
    trial.worksInMemory = inMemory
    #expect(try Self.keys(trial, "List", "items") == items.keys)
  }

  @Test(arguments: [false, true])
  func `elements that rows share come in the order of each row's list`(isShared: Bool) throws {
    let source = Model("1", [Entity("Row", [.text("tags")])])
    let inverse: Relationship =
      isShared ? .many("rows", "Row", inverse: "list") : .one("row", "Row", inverse: "list")
    let destination = Model(
      "2",
      [
        Entity("Row", [], [.many("list", "Tag", inverse: inverse.name, isOrdered: true)]),
        Entity("Tag", [.text("name")], [inverse]),
      ])
    let call =
      "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', "
      + "'Tags', $source)"
    let trial = try Trial(
      source, destination,
      [
        mapping(
          """
          {"type": "transform", "source": "Row", "destination": "Row",
           "relationships": {"list": "\(call)"}},
          {"name": "Tags", "type": "transform", "source": "Row", "destination": "Tag",
           "forEach": "split($source.tags, ',')", \(isShared ? #""mergeBy": "$element","# : "")
           "attributes": {"name": "$element"}}
          """)
      ]
    ) { store in
      for tags in ["x,y,x,z", "z,y,x", "y"] { try store.insert("Row", ["tags": .text(tags)]) }
    }
    let (contents, _) = try trial.migrate()
    let names = Dictionary(uniqueKeysWithValues: contents["Tag"].map { ($0.key, $0["name"]) })
    let lists = contents["Row"].map { row in
      row.keys("list").map { names[$0]?.string ?? "" }.joined(separator: ",")
    }
    #expect(lists == [isShared ? "x,y,z" : "x,y,x,z", "z,y,x", "y"])
  }

  /// A list of another entity becomes something that its items do not lead to.
  @Test func `an object whose link becomes empty keeps no place`() throws {
    func model(_ version: String, parent: String?) -> Model {
      Model(
        version,
        [
          Entity(
            "List", [.text("title")], [.many("items", "Item", inverse: "list", isOrdered: true)]),
          Entity("Special", parent: parent, [.text("in\(version)")]),
          Entity("Item", [.text("name")], [.one("list", "List", inverse: "items")]),
        ])
    }
    let copies = ["List", "Special", "Item"].map { entity in
      #"{"type": "copy", "source": "\#(entity)", "destination": "\#(entity)"}"#
    }
    let trial = try Trial(
      model("1", parent: "List"), model("2", parent: nil),
      [mapping(copies.joined(separator: ", "))]
    ) { store in
      for entity in ["Special", "List"] {
        try store.insert("Item", [:], ["list": [try store.insert(entity)]])
      }
    }
    let found = try trial.migrate().contents
    #expect(found["Item"].map { $0.keys("list") } == [[], [2]])
    for (number, options) in Trial.ways.enumerated() {
      try trial.run(to: "places-\(number).sqlite", options: options)
      let store = try Connection(
        path: trial.directory.path("places-\(number).sqlite"), mode: .readOnly)
      let places = try store.integer(
        "SELECT count(*) FROM ZITEM WHERE ZLIST IS NULL AND Z_FOK_LIST IS NOT NULL")
      #expect(places == 0)
    }
  }
}
