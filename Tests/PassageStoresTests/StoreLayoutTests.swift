import PassageDiagnostics
import PassageModels
import PassageStores
import Testing

struct StoreLayoutTests {
  let layout = StoreLayout(model: Fixtures.library)

  @Test func `entities are numbered parents first and siblings without regard to case`() {
    #expect(
      layout.entities.map(\.name) == ["Person", "Shelf", "Tag", "Work", "Atlas", "book"])
    #expect(layout.entities.map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(layout.entities.map(\.parentNumber) == [0, 0, 0, 0, 4, 4])
    #expect(layout.entity(named: "Work")?.familyNumbers == 4...6)
    #expect(layout.entity(numbered: 6)?.name == "book")
    #expect(layout.entity(numbered: 0) == nil)
    #expect(layout.entity(numbered: 7) == nil)
    #expect(layout.entity(numbered: .max) == nil)
  }

  @Test func `tables have their columns by kind, entity and name`() {
    #expect(
      layout.tableStatements == [
        "CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "Z2LENDERS INTEGER, Z_FOK_2LENDERS INTEGER, ZNAME VARCHAR )",
        "CREATE TABLE ZSHELF ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZBEST INTEGER, Z4_BEST INTEGER, ZNAME VARCHAR )",
        "CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
        "CREATE TABLE Z_3SIMILAR ( Z_3SIMILAR INTEGER, REFLEXIVE INTEGER, "
          + "PRIMARY KEY (Z_3SIMILAR, REFLEXIVE) )",
        "CREATE TABLE Z_3WORKS ( Z_3TAGS INTEGER, Z_4WORKS INTEGER, Z_FOK_4WORKS INTEGER, "
          + "PRIMARY KEY (Z_3TAGS, Z_4WORKS) )",
        "CREATE TABLE Z_3LIKES ( Z_3LIKEDBY INTEGER, Z_3LIKES INTEGER, "
          + "PRIMARY KEY (Z_3LIKEDBY, Z_3LIKES) )",
        "CREATE TABLE ZWORK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZYEAR INTEGER, ZSHELF INTEGER, ZPAGES INTEGER, Z_FOK_SHELF INTEGER, ZWEIGHT FLOAT, "
          + "ZSCALE DECIMAL, ZTITLE VARCHAR, ZNOTE VARCHAR, ZNOTE1 VARCHAR, ZLINK VARCHAR, "
          + "ZID BLOB, ZBOX BLOB, ZCOVER BLOB )",
      ])
  }

  @Test func `indexes have the names and the collations Core Data gives them`() {
    #expect(
      layout.indexes.map(\.createStatement) == [
        "CREATE INDEX ZPERSON_Z2LENDERS_INDEX ON ZPERSON (Z2LENDERS)",
        "CREATE INDEX ZSHELF_ZBEST_INDEX ON ZSHELF (ZBEST)",
        "CREATE INDEX Z_3SIMILAR_REFLEXIVE_INDEX ON Z_3SIMILAR (REFLEXIVE, Z_3SIMILAR)",
        "CREATE INDEX Z_3WORKS_Z_4WORKS_INDEX ON Z_3WORKS (Z_4WORKS, Z_3TAGS)",
        "CREATE INDEX Z_3LIKES_Z_3LIKES_INDEX ON Z_3LIKES (Z_3LIKES, Z_3LIKEDBY)",
        "CREATE INDEX ZWORK_ZSHELF_INDEX ON ZWORK (ZSHELF)",
        "CREATE INDEX ZWORK_Z_ENT_INDEX ON ZWORK (Z_ENT)",
        "CREATE INDEX Z_Work_title ON ZWORK (ZTITLE COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Work_UNIQUE_title_year ON ZWORK "
          + "(ZTITLE COLLATE BINARY ASC, ZYEAR COLLATE BINARY ASC)",
        "CREATE INDEX Z_Atlas_byScale ON ZWORK "
          + "(ZSCALE COLLATE BINARY DESC, ZSHELF COLLATE BINARY ASC)",
      ])
    #expect(layout.unsupported.all.isEmpty)
  }

  @Test func `attributes are found under the entity that inherits them`() throws {
    let atlas = try #require(layout.entity(named: "Atlas"))
    let book = try #require(layout.entity(named: "book"))
    #expect(atlas.tableName == "ZWORK")
    #expect(book.rootName == "Work")
    #expect(atlas.columnName(ofAttribute: "title") == "ZTITLE")
    #expect(atlas.columnName(ofAttribute: "note") == "ZNOTE")
    #expect(book.columnName(ofAttribute: "note") == "ZNOTE1")
    #expect(book.columnName(ofAttribute: "draft") == nil)
    #expect(book.columnName(ofAttribute: "scale") == nil)
  }

  @Test func `relationships are where Core Data keeps them`() throws {
    func storage(_ entity: String, _ name: String) -> RelationshipStorage? {
      layout.entity(named: entity)?.storage(ofRelationship: name)
    }
    #expect(
      storage("book", "shelf")
        == .foreignKey(column: "ZSHELF", entityColumn: nil, orderColumn: "Z_FOK_SHELF"))
    #expect(
      storage("Shelf", "works")
        == .inverseForeignKey(
          table: "ZWORK", column: "ZSHELF", entityColumn: nil, orderColumn: "Z_FOK_SHELF"))
    #expect(
      storage("Shelf", "best")
        == .foreignKey(column: "ZBEST", entityColumn: "Z4_BEST", orderColumn: nil))
    #expect(
      storage("Shelf", "lenders")
        == .inverseForeignKey(
          table: "ZPERSON", column: "Z2LENDERS", entityColumn: nil, orderColumn: "Z_FOK_2LENDERS"))
    guard
      case .joinTable(let table, "Z_3TAGS", "Z_4WORKS", "Z_FOK_4WORKS")? = storage("Tag", "works")
    else {
      Issue.record("Tag.works is in \(String(describing: storage("Tag", "works")))")
      return
    }
    #expect(
      storage("Atlas", "tags")
        == .joinTable(table, thisColumn: "Z_4WORKS", otherColumn: "Z_3TAGS", orderColumn: nil))
    guard case .joinTable(let likes, "Z_3LIKEDBY", "Z_3LIKES", nil)? = storage("Tag", "likes"),
      case .joinTable(let similar, "Z_3SIMILAR", "REFLEXIVE", nil)? = storage("Tag", "similar")
    else {
      Issue.record("the reflexive relationships are elsewhere")
      return
    }
    #expect(
      storage("Tag", "likedBy")
        == .joinTable(
          likes, thisColumn: "Z_3LIKES", otherColumn: "Z_3LIKEDBY", orderColumn: nil))
    #expect(similar.isSelfInverse)
    #expect(!likes.isSelfInverse)
  }

  @Test func `two join columns of one entity with the same name are distinguished`() {
    // As in a messenger's stores: users react to messages, and system messages name users.
    let layout = StoreLayout(
      model: Model(
        name: "m",
        entities: [
          many("A", [("users", "User", "systemMessages")]),
          many("B", [("users", "User", "reactions")]),
          many("User", [("systemMessages", "A", "users"), ("reactions", "B", "users")]),
        ]))
    #expect(
      layout.joinTables.map(\.columns) == [
        ["Z_1SYSTEMMESSAGES", "Z_3USERS1"], ["Z_2REACTIONS", "Z_3USERS"],
      ])
    #expect(layout.joinTables.map(\.name) == ["Z_1USERS", "Z_2USERS"])
  }

  @Test func `names that differ in case alone get numbers`() {
    let layout = StoreLayout(
      model: Model(
        name: "m",
        entities: [
          Entity(name: "Item", attributes: [Attribute(name: "a", type: .string)]),
          Entity(
            name: "ITEM",
            attributes: [
              Attribute(name: "a", type: .string), Attribute(name: "A", type: .string),
              Attribute(name: "a1", type: .string),
            ]),
        ]))
    #expect(layout.tables.map(\.name) == ["ZITEM", "ZITEM1"])
    #expect(layout.tables[0].columns.dropFirst(3).map(\.name) == ["ZA", "ZA1", "ZA11"])
  }

  @Test func `a name that is no bare identifier cannot leave its quotes`() {
    let layout = StoreLayout(
      model: Model(
        name: "m", entities: [Entity(name: "A\"; DROP TABLE x; --"), Entity(name: "Ünder")]))
    #expect(
      layout.tableStatements.map { String($0.prefix(42)) } == [
        "CREATE TABLE \"ZA\"\"; DROP TABLE X; --\" ( Z_",
        "CREATE TABLE ZÜNDER ( Z_PK INTEGER PRIMARY",
      ])
  }

  @Test func `what is left out is said`() {
    let layout = StoreLayout(
      model: Model(
        name: "m",
        entities: [
          Entity(
            name: "Place",
            attributes: [
              Attribute(name: "x", type: .double),
              Attribute(name: "count", type: .integer64, derivation: "pages.@count"),
              Attribute(name: "text", type: .string),
            ],
            relationships: [
              Relationship(name: "lost", destinationEntityName: "Nowhere", maximumCount: 0)
            ],
            uniquenessConstraints: [["gone"]],
            indexes: [
              Entity.Index(
                name: "r", elements: [Entity.Index.Element(propertyName: "text", kind: .rtree)]),
              Entity.Index(
                name: "p", elements: [Entity.Index.Element(propertyName: "x")],
                partialPredicate: "x != 1"),
            ])
        ]))
    #expect(
      layout.unsupported.all.map(\.code).sorted() == [
        "STO-201", "STO-202", "STO-203", "STO-204", "STO-204",
      ])
    #expect(layout.unsupported.errors.isEmpty)
    #expect(layout.tables[0].columns.map(\.name).contains("ZCOUNT"))
    #expect(layout.indexes.map(\.name) == ["Z_Place_p"])
  }

  @Test func `a circle of parents still gives every entity a place`() {
    let layout = StoreLayout(
      model: Model(
        name: "m",
        entities: [
          Entity(name: "A", parentName: "B"), Entity(name: "B", parentName: "A"),
          Entity(name: "C", parentName: "C"), Entity(name: "D", parentName: "Missing"),
        ]))
    #expect(Set(layout.entities.map(\.name)) == ["A", "B", "C", "D"])
    #expect(layout.entities.map(\.number) == [1, 2, 3, 4])
    #expect(layout.tables.map(\.name).sorted() == ["ZA", "ZC", "ZD"])
  }

  @Test func `a model of thousands of entities in one line is laid out`() {
    let entities = (0..<2_000).map { index in
      Entity(name: "E\(index)", parentName: index == 0 ? nil : "E\(index - 1)")
    }
    let layout = StoreLayout(model: Model(name: "m", entities: entities))
    #expect(layout.entity(named: "E0")?.familyNumbers == 1...2_000)
    #expect(layout.entity(named: "E1999")?.familyNumbers == 2_000...2_000)
    #expect(layout.tables.count == 1)
  }

  private func many(_ name: String, _ links: [(String, String, String)]) -> Entity {
    Entity(
      name: name,
      relationships: links.map {
        Relationship(name: $0, destinationEntityName: $1, inverseName: $2, maximumCount: 0)
      })
  }
}
