import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// The danger that a filter looks at the same related objects again and again.
@Suite(.serialized) struct SelectionGrowthTests {
  static let model: Model = {
    func toMany(_ name: String, _ entity: String, _ inverse: String) -> Relationship {
      Relationship(
        name: name, destinationEntityName: entity, inverseName: inverse, maximumCount: 0)
    }
    var owner = Entity("Owner", [.text("name")])
    owner.relationships = [toMany("items", "Item", "owner")]
    var item = Entity("Item", [.text("title"), Attribute(name: "price", type: .integer64)])
    item.relationships = [
      Relationship(name: "owner", destinationEntityName: "Owner", inverseName: "items"),
      toMany("tags", "Tag", "items"),
    ]
    var tag = Entity("Tag", [.text("name")])
    tag.relationships = [toMany("items", "Item", "tags")]
    var node = Entity("Node", [Attribute(name: "level", type: .integer64)])
    node.relationships = [toMany("next", "Node", "previous"), toMany("previous", "Node", "next")]
    return Model("1", [owner, item, tag, node])
  }()

  /// What a store is asked.
  struct Question: Sendable {
    let entity: String
    let filter: String
    /// How many of n objects are found.
    let count: @Sendable (Int) -> Int

    init(_ entity: String, _ filter: String, _ count: @escaping @Sendable (Int) -> Int) {
      self.entity = entity
      self.filter = filter
      self.count = count
    }
  }

  /// Stores of each size, filled once, and what they are asked.
  final class Stores: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let itemsOfOwner: @Sendable (Int) -> Int
    let hasIndexes: Bool
    let questions: [Question]

    init(
      _ name: String, itemsOfOwner: @escaping @Sendable (Int) -> Int, hasIndexes: Bool = true,
      _ questions: [Question]
    ) {
      testDescription = name
      self.itemsOfOwner = itemsOfOwner
      self.hasIndexes = hasIndexes
      self.questions = questions
    }

    /// Fills a store with n items in a folder, unless it is there.
    func path(_ n: Int, in directory: TemporaryDirectory) throws -> String {
      let path = directory.path("\(n).sqlite")
      if directory.contents("\(n).sqlite") != nil { return path }
      let store = try TestStore(model: model, at: path, journalMode: .delete)
      let tags = try (0..<10).map { try store.insert("Tag", ["name": .text("tag \($0)")]) }
      let size = itemsOfOwner(n)
      for _ in 0..<max(1, n / size) {
        let owner = try store.insert("Owner")
        for number in 0..<size {
          try store.insert(
            "Item",
            ["title": .text("title of item \(number)"), "price": .integer(Int64(number))],
            ["owner": [owner], "tags": [tags[number % 10]]])
        }
      }
      try store.close()
      guard !hasIndexes else { return path }
      let connection = try Connection(path: path, mode: .readWrite)
      let list = try connection.prepare(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
      var names: [String] = []
      while try list.step() { names.append(list.value(at: 0).string ?? "") }
      list.reset()
      for name in names { try connection.execute("DROP INDEX \(name.quotedIdentifier)") }
      return path
    }
  }

  static let stores: [Stores] = [
    Stores(
      "some items of each owner", itemsOfOwner: { _ in 5 },
      [
        Question("Owner", "items.@count > 3") { $0 / 5 },
        Question("Item", "title LIKE[c] '*T*t*le*of*it?m*'") { $0 },
        Question("Owner", "ANY items.tags.name == 'x' OR items.@sum.price < 0") { _ in 0 },
      ]),
    Stores(
      "no indexes", itemsOfOwner: { _ in 5 }, hasIndexes: false,
      [
        Question("Owner", "items.@count > 3") { $0 / 5 },
        Question("Owner", "items.@sum.price == 10") { $0 / 5 },
        Question("Tag", "ANY items.price < 0") { _ in 0 },
        Question("Owner", "ANY items.tags.name == 'tag 4'") { $0 / 5 },
      ]),
    Stores(
      "all items of one owner", itemsOfOwner: { $0 },
      [
        Question("Item", "owner.items.@count > 3") { $0 },
        Question("Item", "3 >= owner.items.@count") { _ in 0 },
        Question(
          "Item", "SUBQUERY(owner.items, $i, $i.price >= 0).@count BETWEEN {1, 3}"
        ) { _ in 0 },
        Question("Owner", "ANY items.owner.items.owner.items.price < 0") { _ in 0 },
        Question(
          "Owner",
          "NONE items.tags.items.owner.items.tags.name == 'x' AND items.tags.items.@max.price > 0"
        ) { _ in 1 },
      ]),
  ]

  @Test(arguments: stores)
  func `steps to ask a store grow with its size`(stores: Stores) throws {
    let directory = try TemporaryDirectory()
    for question in stores.questions {
      for isInMemory in [false, true] {
        var options = StoreSelection.Options()
        options.isInMemory = isInMemory
        let steps = try [1_000, 4_000].map { n in
          let path = try stores.path(n, in: directory)
          return try StatementSteps.count {
            let selection = try StoreSelection(
              of: StoreFile.open(path: path), model: Self.model, entity: question.entity,
              filter: question.filter, now: 0, options: options)
            #expect(try selection.count() == Int64(question.count(n)), "\(question.filter)")
          }
        }
        let place = isInMemory ? "memory" : "SQL"
        // Four times the objects; steps by their square would be sixteen times as many.
        #expect(
          steps[0] > 0 && steps[1] < 5 * steps[0], "\(question.filter) in \(place): \(steps)")
      }
    }
  }

  /// Two nodes on each level, and every way down from one level to the next: 2^24 ways.
  @Test(arguments: [false, true])
  func `an object is looked at once, however many ways lead to it`(isInMemory: Bool) throws {
    let steps = try [6, 24].map { depth in
      let directory = try TemporaryDirectory()
      let path = directory.path("s.sqlite")
      let store = try TestStore(model: Self.model, at: path, journalMode: .delete)
      var last: [ObjectReference] = []
      for level in (0...depth).reversed() {
        last = try (0..<2).map { _ in
          try store.insert("Node", ["level": .integer(Int64(level))], ["next": last])
        }
      }
      try store.close()
      let way = Array(repeating: "next", count: depth).joined(separator: ".")
      return try StatementSteps.count {
        for (filter, count) in [
          ("ANY \(way).level > \(depth)", 0), ("ANY \(way).level == \(depth)", 2),
          ("ALL \(way).level == \(depth)", 2), ("\(way).@max.level == \(depth)", 2),
          ("\(way).@distinctUnionOfObjects.level.@count == 1", 2), ("\(depth) IN \(way).level", 2),
        ] {
          var options = StoreSelection.Options()
          options.isInMemory = isInMemory
          let selection = try StoreSelection(
            of: StoreFile.open(path: path), model: Self.model, entity: "Node",
            filter: "level == 0 AND \(filter)", now: 0, options: options)
          #expect(try selection.count() == Int64(count), "\(filter)")
        }
      }
    }
    #expect(steps[1] < 64 * max(steps[0], 1_000), "\(steps)")
  }

  @Test func `a count and a sum have every way`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("s.sqlite")
    let store = try TestStore(model: Self.model, at: path, journalMode: .delete)
    let last = try (1...2).map { try store.insert("Node", ["level": .integer($0)]) }
    let middle = try (0..<2).map { _ in try store.insert("Node", [:], ["next": last]) }
    try store.insert("Node", [:], ["next": middle])
    try store.close()
    for isInMemory in [false, true] {
      var options = StoreSelection.Options()
      options.isInMemory = isInMemory
      for filter in [
        "next.next.@count == 4", "next.next.@sum.level == 6",
        "next.next.@avg.level == 1.5 AND next.next.@count > 3 AND next.next.@count BETWEEN {4, 4}",
      ] {
        let selection = try StoreSelection(
          of: StoreFile.open(path: path), model: Self.model, entity: "Node", filter: filter,
          now: 0, options: options)
        #expect(try selection.count() == 1, "\(filter)")
      }
    }
  }

  @Test func `a key path through more relationships than SQLite joins is refused`() throws {
    let entity = try #require(Self.model.entity(named: "Node"))
    func bind(_ count: Int) throws {
      let way = Array(repeating: "next", count: count).joined(separator: ".")
      _ = try Binder.predicate(
        FormatParser.predicate("\(way).@count > 1"),
        in: .filter(model: Self.model, entity: entity))
    }
    try bind(30)
    let error = #expect(throws: Diagnostics.self) { try bind(31) }
    #expect(error?.all.map(\.code) == ["PRE-002"])
  }
}
