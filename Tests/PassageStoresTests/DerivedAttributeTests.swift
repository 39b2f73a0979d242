import PassageDiagnostics
import PassageModels
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

struct DerivedAttributeTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static func derived(
    _ name: String, _ type: AttributeType, _ derivation: String
  ) -> Attribute {
    Attribute(name: name, type: type, derivation: derivation)
  }

  /// Shelves with books, books with tags, and books of a kind with a derived attribute of their own.
  static let model = Model(
    name: "m",
    entities: [
      Entity(
        name: "Book",
        attributes: [
          Attribute(name: "pages", type: .integer32), Attribute(name: "title", type: .string),
          derived("code", .string, "shelf.code"), derived("name", .string, "title"),
          derived("tagCount", .integer64, "tags.@count"),
          derived("heaviest", .integer32, "max:(tags.weight)"),
        ],
        relationships: [
          Relationship(name: "shelf", destinationEntityName: "Shelf", inverseName: "books"),
          Relationship(
            name: "tags", destinationEntityName: "Tag", inverseName: "books", maximumCount: 0),
        ]),
      Entity(
        name: "Novel", parentName: "Book",
        attributes: [derived("place", .string, "shelf.code")]),
      Entity(
        name: "Shelf",
        attributes: [
          Attribute(name: "code", type: .string), derived("bookCount", .integer64, "books.@count"),
          derived("pageSum", .integer64, "books.pages.@sum"),
          derived("thinnest", .integer32, "min:(books.pages)"),
        ],
        relationships: [
          Relationship(
            name: "books", destinationEntityName: "Book", inverseName: "shelf", maximumCount: 0)
        ]),
      Entity(
        name: "Tag", attributes: [Attribute(name: "weight", type: .integer32)],
        relationships: [
          Relationship(
            name: "books", destinationEntityName: "Book", inverseName: "tags", maximumCount: 0)
        ]),
    ])

  @Test func `the trigger of now() on a change is the one Core Data writes`() throws {
    let layout = StoreLayout(
      model: Model(
        name: "m",
        entities: [
          Entity(name: "Item", attributes: [Self.derived("update", .date, "now()")])
        ]))
    #expect(
      layout.triggers.map(\.name) == [
        "Z_DA_ZITEM_Item_update_INSERT", "Z_DA_ZITEM_Item_update_UPDATE",
      ])
    #expect(
      layout.triggers.first?.createStatement.hasPrefix(
        "CREATE TRIGGER Z_DA_ZITEM_Item_update_INSERT AFTER INSERT ON ZITEM FOR EACH ROW "
          + "WHEN (NEW.Z_OPT NOT NULL) BEGIN UPDATE ZITEM SET ZUPDATE = NSCoreDataNow() ") == true)
    // Published at https://fatbobman.com/en/posts/derivedandtransient
    #expect(
      layout.triggers.last?.createIfMissingStatement
        == "CREATE TRIGGER IF NOT EXISTS Z_DA_ZITEM_Item_update_UPDATE AFTER UPDATE OF Z_OPT ON ZITEM "
        + "FOR EACH ROW BEGIN UPDATE ZITEM SET ZUPDATE = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK; "
        + "SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZITEM', Z_ENT, Z_PK, 'update', "
        + "ZUPDATE) FROM ZITEM WHERE Z_PK = NEW.Z_PK; END")
  }

  @Test func `triggers are named after the table they watch, the entity and the attribute`() {
    let names = Set(StoreLayout(model: Self.model).triggers.map(\.name))
    #expect(
      names.isSuperset(of: [
        "Z_DA_ZBOOK_Book_code_SOURCE_INSERT", "Z_DA_ZBOOK_Book_code_SOURCE_UPDATE",
        "Z_DA_ZSHELF_Book_code_PARAMETER_INSERT", "Z_DA_ZSHELF_Book_code_PARAMETER_UPDATE",
        "Z_DA_ZBOOK_Shelf_bookCount_PARAMETER_INSERT",
        "Z_DA_ZBOOK_Shelf_bookCount_PARAMETER_UPDATE",
        "Z_DA_ZBOOK_Shelf_bookCount_PARAMETER_DELETE",
        "Z_DA_Z_1TAGS_Book_tagCount_PARAMETER_INSERT",
        "Z_DA_Z_1TAGS_Book_tagCount_PARAMETER_DELETE",
        "Z_DA_ZTAG_Book_heaviest_PARAMETER_UPDATE",
      ]))
  }

  @Test func `a count of a new object reads as in stores that Core Data wrote`() throws {
    // Observed in a store of Apple's own: a collection and its places, related many to many.
    let layout = StoreLayout(
      model: Model(
        name: "m",
        entities: [
          Entity(
            name: "Collection",
            attributes: [Self.derived("placesCount", .integer16, "places.@count")],
            relationships: [
              Relationship(
                name: "places", destinationEntityName: "Item", inverseName: "collections",
                maximumCount: 0)
            ]),
          Entity(
            name: "Item",
            relationships: [
              Relationship(
                name: "collections", destinationEntityName: "Collection", inverseName: "places",
                maximumCount: 0)
            ]),
        ]))
    #expect(
      layout.triggers.first?.statements.first
        == "UPDATE ZCOLLECTION SET ZPLACESCOUNT = (SELECT IFNULL(COUNT(Z_1COLLECTIONS), 0) "
        + "FROM Z_1PLACES WHERE Z_1COLLECTIONS = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK")
  }

  @Test(arguments: [
    "uppercase:(title)", "lowercase:(title)", "canonical:(title)", "books.@avg.pages",
    "first.second.title", "first.books.@count", "title.missing", "",
  ])
  func `a derivation whose triggers are not known is reported`(expression: String) {
    let layout = StoreLayout(
      model: Model(
        name: "m",
        entities: [
          Entity(
            name: "A",
            attributes: [
              Attribute(name: "title", type: .string), Attribute(name: "pages", type: .double),
              Self.derived("d", .string, expression),
            ],
            relationships: [
              Relationship(name: "first", destinationEntityName: "A"),
              Relationship(name: "second", destinationEntityName: "A"),
              Relationship(name: "books", destinationEntityName: "A", maximumCount: 0),
            ])
        ]))
    #expect(layout.triggers.isEmpty)
    #expect(layout.unsupported.all.map(\.code) == ["STO-201"])
  }

  /// The longest key path that a model may have.
  @Test func `a key path of very many relationships is told and not followed`() {
    let path = String(repeating: "n.", count: 32_000) + "t"
    let layout = StoreLayout(
      model: Model(
        name: "m",
        entities: [
          Entity(
            name: "A",
            attributes: [Attribute(name: "t", type: .string), Self.derived("d", .string, path)],
            relationships: [Relationship(name: "n", destinationEntityName: "A")])
        ]))
    #expect(layout.derivedAttributes.isEmpty)
    #expect(
      layout.unsupported.all.map(\.reason) == [
        "its key path names 32001 properties, and at most 60 are followed"
      ])
  }

  @Test func `the schema has the rows that SQLite makes of the triggers' statements`() throws {
    let path = folder.path("store.sqlite")
    let layout = try StoreCreator.create(model: Self.model, at: path)
    let connection = try Connection(path: path, mode: .readWrite, limits: .app)
    func rows() throws -> [[Value]] {
      try connection.rows(
        "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master WHERE type = 'trigger' "
          + "ORDER BY name")
    }
    let found = try rows()
    #expect(found.count == layout.triggers.count && found.count > 3)
    for trigger in layout.triggers { try connection.execute("DROP TRIGGER \(trigger.name)") }
    for trigger in layout.triggers { try connection.execute(trigger.createStatement) }
    #expect(try rows() == found)
  }

  /// A statement for each would go through the whole schema each time.
  @Test func `many triggers are created without going through the schema for each`() throws {
    let count = 150
    let model = Model(
      name: "Ring",
      entities: (0..<count).map { number in
        Entity(
          name: "E\(number)", attributes: [Self.derived("d", .string, "next.d")],
          relationships: [
            Relationship(name: "next", destinationEntityName: "E\((number + 1) % count)")
          ])
      })
    let path = folder.path("store.sqlite")
    let steps = try StatementSteps.count { _ = try StoreCreator.create(model: model, at: path) }
    let connection = try Connection(path: path, mode: .readOnly)
    let triggers = try connection.integer(
      "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'")
    #expect(triggers == Int64(4 * count))
    #expect(steps < 100 * 4 * count, "\(steps)")
  }

  /// Random changes with the triggers in place, Core Data's functions taken out: afterwards every
  /// derived value is what computing it from nothing gives.
  @Test(arguments: 0..<10)
  func `the triggers keep what computing again would give`(seed: UInt64) throws {
    print("seed \(seed)")
    var random = RandomLibrary(seed: seed)
    let path = folder.path("store.sqlite")
    let layout = try StoreCreator.create(model: Self.model, at: path)
    let connection = try Connection(path: path, mode: .readWrite, limits: .app)
    for trigger in layout.triggers {
      try connection.execute("DROP TRIGGER \(trigger.name)")
      var silent = trigger
      silent.statements.removeAll { $0.hasPrefix("SELECT NSCoreData") }
      #expect(silent.statements.count * 2 == trigger.statements.count)
      try connection.execute(silent.createStatement)
    }
    for _ in 0..<300 { try connection.execute(random.change()) }
    var objects: Int64 = 0
    for attribute in layout.derivedAttributes {
      let table = attribute.tableName
      let before = try connection.rows("SELECT Z_PK, \(attribute.columnName) FROM \(table)")
      objects += Int64(before.count)
      try connection.execute(
        "UPDATE main.\(attribute.tableName.quotedIdentifier) AS o "
          + "SET \(attribute.columnName.quotedIdentifier) = \(attribute.value) "
          + "WHERE \(attribute.isOutdated)")
      #expect(
        try connection.rows("SELECT Z_PK, \(attribute.columnName) FROM \(table)") == before,
        "\(attribute.entityName).\(attribute.attributeName)")
    }
    #expect(objects > 0)
  }

  @Test func `an attribute of a subentity leaves the other rows of the table alone`() throws {
    let layout = StoreLayout(model: Self.model)
    let place = try #require(layout.derivedAttributes.first { $0.attributeName == "place" })
    #expect(place.familyNumbers == 2...2)
    #expect(place.isOutdated.contains("o.Z_ENT BETWEEN 2 AND 2"))
    let code = try #require(layout.derivedAttributes.first { $0.attributeName == "code" })
    #expect(code.familyNumbers == nil)
  }

  @Test func `what others are derived from is computed first`() {
    let layout = StoreLayout(
      model: Model(
        name: "m",
        entities: [
          Entity(
            name: "A",
            attributes: [
              Self.derived("a", .string, "c"), Self.derived("b", .string, "a"),
              Self.derived("c", .string, "text"), Attribute(name: "text", type: .string),
              Self.derived("x", .string, "y"), Self.derived("y", .string, "x"),
            ])
        ]))
    let names = layout.derivedAttributes.map(\.attributeName)
    #expect(names.filter { ["a", "b", "c"].contains($0) } == ["c", "a", "b"])
    #expect(Set(names) == ["a", "b", "c", "x", "y"])
  }

  @Test func `a long chain of derived attributes is put in order without hanging`() {
    let count = 3_000
    let chain = (0..<count).map { number in
      Self.derived("d\(number)", .string, number + 1 < count ? "d\(number + 1)" : "text")
    }
    let model = Model(
      name: "m",
      entities: [
        Entity(name: "A", attributes: chain + [Attribute(name: "text", type: .string)])
      ])
    var names: [String] = []
    let seconds = HangGuard.seconds {
      names = StoreLayout(model: model).derivedAttributes.map(\.attributeName)
    }
    #expect(names == (0..<count).reversed().map { "d\($0)" })
    #expect(seconds < HangGuard.bound)
  }
}

/// Random changes to a small library, from a seed.
private struct RandomLibrary {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func change() -> String {
    let key = Int.random(in: 1...8, using: &random)
    let other = Int.random(in: 1...8, using: &random)
    let shelf = Bool.random(using: &random) ? "NULL" : "\(Int.random(in: 1...8, using: &random))"
    let entity = Int.random(in: 1...2, using: &random)
    return switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      "INSERT OR IGNORE INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZSHELF, ZPAGES, ZTITLE) "
        + "VALUES (\(key), \(entity), 1, \(shelf), \(other), 't\(other)')"
    case 2:
      "INSERT OR IGNORE INTO ZSHELF (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (\(key), 3, 1, 'c\(other)')"
    case 3:
      "INSERT OR IGNORE INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZWEIGHT) VALUES (\(key), 4, 1, \(other))"
    case 4: "UPDATE ZBOOK SET ZSHELF = \(shelf), ZPAGES = \(other) WHERE Z_PK = \(key)"
    case 5: "UPDATE ZSHELF SET ZCODE = 'd\(other)' WHERE Z_PK = \(key)"
    case 6: "UPDATE ZTAG SET ZWEIGHT = \(other) WHERE Z_PK = \(key)"
    case 7: "UPDATE ZBOOK SET ZTITLE = 'u\(other)' WHERE Z_PK = \(key)"
    case 8:
      "INSERT OR IGNORE INTO Z_1TAGS (Z_1BOOKS, Z_4TAGS) SELECT b.Z_PK, t.Z_PK FROM ZBOOK AS b, ZTAG AS t WHERE b.Z_PK = \(key) AND t.Z_PK = \(other)"
    default: "DELETE FROM Z_1TAGS WHERE Z_1BOOKS = \(key) AND Z_4TAGS = \(other)"
    }
  }
}
