import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Derived attributes after a migration: what Core Data's triggers would have made of the objects.
@Suite struct DerivedAttributeTests {
  private static func derived(
    _ name: String, _ type: AttributeType, _ derivation: String
  ) -> Attribute {
    Attribute(name: name, type: type, derivation: derivation)
  }

  private static let books = Relationship.many("books", "Book", inverse: "shelf")
  private static let shelf = Relationship.one("shelf", "Shelf", inverse: "books")

  static let source = Model(
    "1",
    [
      Entity("Shelf", [.text("code")], [books]),
      Entity("Book", [.text("title"), .number("pages")], [shelf]),
    ])

  static let destination = Model(
    "2",
    [
      Entity(
        "Shelf",
        [
          .text("code"), derived("count", .integer64, "books.@count"),
          derived("sum", .integer64, "books.pages.@sum"),
          derived("most", .integer64, "max:(books.pages)"),
          derived("least", .integer64, "books.@min.pages"),
          derived("mean", .double, "books.@avg.pages"),
          derived("low", .string, "lowercase:(code)"),
        ], [books]),
      Entity(
        "Book",
        [
          .text("title"), .number("pages"), derived("place", .string, "shelf.code"),
          derived("key", .string, "canonical:(title)"),
          derived("loud", .string, "uppercase:(title)"),
          derived("neighbours", .integer64, "shelf.books.@count"),
          derived("again", .string, "place"),
        ], [shelf]),
    ])

  private func fill(_ store: TestStore) throws {
    let shelves = try ["Ä1", "B2", "C3"].map { try store.insert("Shelf", ["code": .text($0)]) }
    for number in 1...7 {
      try store.insert(
        "Book", ["title": .text("Straße \(number)"), "pages": .integer(Int64(number * 10))],
        number == 7 ? [:] : ["shelf": [shelves[number % 2]]])
    }
  }

  private func check(_ contents: StoreContents) throws {
    let shelf = try #require(contents.object("Shelf", 1))
    // Books 2, 4 and 6.
    #expect(shelf["count"] == 3)
    #expect(shelf["sum"] == 120)
    #expect(shelf["most"] == 60)
    #expect(shelf["least"] == 20)
    #expect(shelf["mean"] == .real(40))
    #expect(shelf["low"] == .text("ä1"))
    let empty = try #require(contents.object("Shelf", 3))
    #expect([empty["count"], empty["sum"], empty["most"], empty["mean"]] == [0, 0, .null, .null])
    let book = try #require(contents.object("Book", 2))
    #expect(book["place"] == .text("Ä1"))
    #expect(book["again"] == .text("Ä1"))
    #expect(book["loud"] == .text("STRASSE 2"))
    #expect(book["neighbours"] == 3)
    let alone = try #require(contents.object("Book", 7))
    #expect([alone["place"], alone["again"], alone["neighbours"]] == [.null, .null, .null])
    #expect(alone["loud"] == .text("STRASSE 7"))
  }

  @Test func `values that the source does not have are computed, in both lanes the same`() throws {
    let mappings = try mapping(
      ["Shelf", "Book"].map { entity in
        #"{"type": "copy", "source": "\#(entity)", "destination": "\#(entity)"}"#
      }.joined(separator: ", "))
    let trial = try Trial(Self.source, Self.destination, [mappings], fill: fill)
    let (contents, report) = try trial.migrate()
    try check(contents)
    #expect(!report.warnings.all.map(\.code).contains("MAP-029"))
  }

  /// More than SQLite's parser has room for as queries in each other.
  @Test func `a value is derived over many relationships`() throws {
    func model(_ name: String, _ attributes: [Attribute]) -> Model {
      Model(
        name,
        [
          Entity(
            "Node", [.text("name")] + attributes,
            [.one("next", "Node", inverse: "previous"), .many("previous", "Node", inverse: "next")])
        ])
    }
    let path = String(repeating: "next.", count: 59)
    let trial = try Trial(
      model("1", []),
      model(
        "2",
        [
          Self.derived("far", .string, path + "name"),
          Self.derived("others", .integer64, path.dropLast(5) + "previous.@count"),
        ]), [mapping(#"{"type": "copy", "source": "Node", "destination": "Node"}"#)]
    ) { store in
      let nodes = try (0...60).map { try store.insert("Node", ["name": .text("n\($0)")]) }
      for (node, next) in zip(nodes, nodes.dropFirst()) {
        try store.relate(node, "next", to: [next])
      }
    }
    let nodes = try trial.migrate().contents["Node"]
    #expect(nodes.map { $0["far"].string } == ["n59", "n60"] + Array(repeating: nil, count: 59))
    #expect(nodes.prefix(3).map { $0["others"] } == [1, 1, 1])
  }

  /// Some rows are made by the pages' own program, some object by object, some have texts that only SQL
  /// derives from; a value that is missing has a default.
  @Test(arguments: ["", #", "filter": "pages != 3 AND title LIKE '*'""#])
  func `texts are derived alike in rows that pages make and in others`(filter: String) throws {
    let source = Model("1", [Entity("Book", [.text("title"), .text("number"), .number("pages")])])
    let destination = Model(
      "2",
      [
        Entity(
          "Book",
          [
            .text("title"), .text("name"), .number("count"),
            Attribute(name: "fixed", type: .string, defaultValue: .text("Fix")),
            Self.derived("key", .string, "canonical:(title)"),
            Self.derived("loud", .string, "uppercase:(name)"),
            Self.derived("low", .string, "lowercase:(name)"),
            Self.derived("again", .string, "lowercase:(loud)"),
            Self.derived("of", .string, "uppercase:(fixed)"),
          ])
      ])
    let mappings = try mapping(
      """
      {"type": "transform", "source": "Book", "destination": "Book"\(filter),
       "attributes": {
         "title": "$source.title", "name": "concatenate($source.title, ' No ', $source.pages.stringValue)",
         "count": {"value": "$source.pages", "default": "0"}}}
      """)
    let titles: [String?] = [
      "Plain", "Straße", nil, "ÀÉ", "", "İ", "UPPER lower", "ﬁn", "x\u{0}Y", "e\u{301}É",
    ]
    let trial = try Trial(source, destination, [mappings]) { store in
      for index in 0..<400 {
        let title = titles[index % titles.count]
        try store.insert(
          "Book",
          [
            "title": title.map { .text($0) } ?? .null,
            "number": .text(index % 7 == 0 ? "none" : "\(index)"),
            "pages": index % 11 == 0 ? .null : .integer(Int64(index)),
          ])
      }
    }
    let books = try trial.migrate().contents["Book"]
    #expect(books.count >= 320)
    for book in books {
      let (title, name) = (book["title"].string, book["name"].string)
      #expect(book["loud"].string == name?.uppercased())
      #expect(book["low"].string == name?.lowercased())
      #expect(book["again"].string == name?.uppercased().lowercased())
      #expect(book["of"] == .text("FIX"))
      if title?.utf8.allSatisfy({ $0 < 0x80 }) ?? true {
        #expect(book["key"].string == title?.lowercased())
      } else {
        #expect(book["key"].string != nil)
      }
    }
  }

  @Test func `objects that a policy makes have derived values too`() throws {
    let mappings = try mapping(
      [("Shelf", "books"), ("Book", "shelf")].map { entity, relationship in
        """
        {"type": "custom", "source": "\(entity)", "destination": "\(entity)",
         "policy": "CopyByHand", "relationships": {"\(relationship)": {}}}
        """
      }.joined(separator: ", "))
    let trial = try Trial(
      Self.source, Self.destination, [mappings], policies: [CopyByHand.self], fill: fill)
    let (contents, report) = try trial.migrate()
    try check(contents)
    #expect(!report.warnings.all.map(\.code).contains("MAP-029"))
  }

  @Test func `a count counts what was migrated, not what the source had`() throws {
    let mappings = try mapping(
      """
      {"type": "copy", "source": "Shelf", "destination": "Shelf"},
      {"type": "copy", "source": "Book", "destination": "Book", "filter": "pages > 20"}
      """)
    let twin = Model("1", Self.destination.entities + [Entity("Extra")])
    let trial = try Trial(twin, Self.destination, [mappings]) { store in
      let shelf = try store.insert("Shelf", ["code": .text("a"), "count": 2, "sum": 40])
      for pages in [10, 30] as [Int64] {
        try store.insert(
          "Book", ["pages": .integer(pages), "place": .text("stale")], ["shelf": [shelf]])
      }
    }
    let contents = try trial.migrate().contents
    #expect(contents.object("Shelf", 1)?["count"] == 1)
    #expect(contents.object("Shelf", 1)?["sum"] == 30)
    #expect(contents.object("Book", 2)?["place"] == .text("a"))
  }

  @Test func `the time of the last save comes along, and is the migration's where there was none`()
    throws
  {
    let saved = Self.derived("saved", .date, "now()")
    func model(_ name: String) -> Model {
      Model(name, [Entity("Note", [.text("text"), .text("new\(name)"), saved])])
    }
    let copy = try mapping(#"{"type": "copy", "source": "Note", "destination": "Note"}"#)
    let trial = try Trial(model("1"), model("2"), [copy]) { store in
      try store.insert("Note", ["saved": .real(5.5)])
      try store.insert("Note")
    }
    try trial.run()
    let contents = try StoreContents(path: trial.directory.path("new.sqlite"), model: model("2"))
    #expect(contents.object("Note", 1)?["saved"] == .real(5.5))
    let time = contents.object("Note", 2)?["saved"].double ?? 0
    // Seconds since 2001: later than 2024.
    #expect(time > 725_000_000)
  }

  @Test func `a sum that no whole number holds is refused with its attribute and object`() throws {
    let mappings = try mapping(
      ["Shelf", "Book"].map { entity in
        #"{"type": "copy", "source": "\#(entity)", "destination": "\#(entity)"}"#
      }.joined(separator: ", "))
    let trial = try Trial(Self.source, Self.destination, [mappings]) { store in
      let shelves = try ["a", "b"].map { try store.insert("Shelf", ["code": .text($0)]) }
      for shelf in [shelves[0], shelves[1], shelves[1]] {
        try store.insert("Book", ["pages": .integer(1 << 62)], ["shelf": [shelf]])
      }
    }
    for (number, way) in trial.drawnWays.enumerated() {
      let error = try trial.failure(to: "new-\(number).sqlite", options: way)
      #expect(error.codes == ["RUN-042"] && error.kind == .policyFailed)
      let message = "\(error)"
      #expect(message.contains("“Shelf.sum” cannot be computed for the object with key 2"))
      #expect(message.contains("“books.pages” does not fit into 64 bits"))
      #expect(message.contains("make the attribute and “books.pages” a double"))
    }
  }

  @Test func `a sum of floating-point numbers holds what whole ones do not`() throws {
    let pages = Attribute.real("pages")
    let shelf = Entity("Shelf", [.text("code"), Self.derived("sum", .double, "sum:(books.pages)")])
    let destination = Model(
      "2",
      [
        Entity("Shelf", shelf.attributes, [Self.books]),
        Entity("Book", [.text("title"), pages], [Self.shelf]),
      ])
    let mappings = try mapping(
      ["Shelf", "Book"].map { entity in
        #"{"type": "copy", "source": "\#(entity)", "destination": "\#(entity)"}"#
      }.joined(separator: ", "))
    let trial = try Trial(Self.source, destination, [mappings]) { store in
      let shelf = try store.insert("Shelf", ["code": .text("a")])
      for _ in 1...2 {
        try store.insert("Book", ["pages": .integer(1 << 62)], ["shelf": [shelf]])
      }
    }
    let contents = try trial.migrate().contents
    #expect(contents.object("Shelf", 1)?["sum"] == .real(0x1p63))
  }

  @Test func `a derivation that cannot be computed is reported and keeps what the source had`()
    throws
  {
    func model(_ name: String, _ derivation: String) -> Model {
      Model(
        name,
        [
          Entity(
            "Note", [.text("text"), .text("new\(name)"), Self.derived("d", .string, derivation)])
        ])
    }
    let copy = try mapping(#"{"type": "copy", "source": "Note", "destination": "Note"}"#)
    let same = try Trial(model("1", "reverse:(text)"), model("2", "reverse:(text)"), [copy]) {
      try $0.insert("Note", ["text": .text("ab"), "d": .text("ba")])
    }
    let kept = try same.migrate()
    #expect(kept.contents.object("Note", 1)?["d"] == .text("ba"))
    #expect(kept.report.warnings.all.map(\.code) == ["MOD-130", "STO-201"])
    let other = try Trial(model("1", "text"), model("2", "reverse:(text)"), [copy]) {
      try $0.insert("Note", ["text": .text("ab"), "d": .text("ab")])
    }
    let empty = try other.migrate()
    #expect(empty.contents.object("Note", 1)?["d"] == .null)
    #expect(Set(empty.report.warnings.all.map(\.code)) == ["MAP-029", "MOD-130", "STO-201"])
  }
}

/// Makes each object by hand, as a policy does that leaves derived attributes alone.
struct CopyByHand: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]

  private let entityName: String

  init(mapping: PolicyMapping) throws {
    entityName = mapping.destinationEntityName ?? ""
  }

  func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
    var object = try context.makeObject(ofEntity: entityName)
    for name in object.shape.attributes.map(\.name) {
      try object.set(name, to: source[name] ?? .null)
    }
    try context.insert(object, for: source)
  }
}
