import PassageDiagnostics
import PassageModels
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import Testing

struct IndexTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static func model(_ indexes: [Entity.Index]) -> Model {
    Model(
      name: "m",
      entities: [
        Entity(
          name: "Asset",
          attributes: [
            Attribute(name: "latitude", type: .double), Attribute(name: "longitude", type: .double),
            Attribute(name: "title", type: .string), Attribute(name: "kind", type: .integer16),
            Attribute(name: "isHidden", type: .boolean), Attribute(name: "scale", type: .float),
          ],
          relationships: [Relationship(name: "album", destinationEntityName: "Asset")],
          indexes: indexes),
        Entity(
          name: "Photo", parentName: "Asset",
          attributes: [Attribute(name: "depth", type: .double)]),
      ])
  }

  private static func tree(_ names: String...) -> Entity.Index {
    Entity.Index(
      name: "boundedByRect",
      elements: names.map { Entity.Index.Element(propertyName: $0, kind: .rtree) })
  }

  // MARK: R-trees

  @Test func `an R-tree index is the virtual table and the trigger that Core Data writes`() throws {
    let path = folder.path("new.sqlite")
    let model = Self.model([Self.tree("latitude", "longitude")])
    try StoreCreator.create(model: model, at: path)
    let store = try StoreFile.open(path: path)
    let found = try store.connection.rows(
      "SELECT sql FROM sqlite_master WHERE name IN (?, ?) ORDER BY rowid",
      [.text("Z_RT_Asset_boundedByRect"), .text("Z_RT_Asset_boundedByRect_INSERT")]
    ).map { $0[0].string }
    #expect(
      found == [
        "CREATE VIRTUAL TABLE Z_RT_Asset_boundedByRect USING RTREE (Z_PK INTEGER PRIMARY KEY, "
          + "ZLATITUDE_MIN FLOAT, ZLATITUDE_MAX FLOAT, ZLONGITUDE_MIN FLOAT, ZLONGITUDE_MAX FLOAT)",
        "CREATE TRIGGER Z_RT_Asset_boundedByRect_INSERT AFTER INSERT ON ZASSET FOR EACH ROW BEGIN "
          + "INSERT OR REPLACE INTO Z_RT_Asset_boundedByRect (Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX, "
          + "ZLONGITUDE_MIN, ZLONGITUDE_MAX) VALUES (NEW.Z_PK, NEW.ZLATITUDE ,NEW.ZLATITUDE, "
          + "NEW.ZLONGITUDE, NEW.ZLONGITUDE) ; END",
      ])
    #expect(try store.layout(of: model) == StoreLayout(model: model))
    #expect(try store.fullCheck() == [])
    #expect(try store.objectCounts(StoreLayout(model: model)).total == 0)
  }

  @Test func `an R-tree index follows its objects, and filling it gives the same`() throws {
    let path = folder.path("new.sqlite")
    let layout = try StoreCreator.create(
      model: Self.model([Self.tree("latitude", "longitude")]), at: path)
    let connection = try Connection(path: path, mode: .readWrite, limits: .app)
    try connection.execute("PRAGMA trusted_schema = ON")
    let query = "SELECT * FROM Z_RT_Asset_boundedByRect ORDER BY Z_PK"
    try connection.execute(
      """
      INSERT INTO ZASSET (Z_PK, Z_ENT, Z_OPT, ZLATITUDE, ZLONGITUDE)
      VALUES (1, 1, 1, 10, 20), (2, 2, 1, -5, 7.5), (3, 1, 1, NULL, NULL);
      UPDATE ZASSET SET ZLATITUDE = 11 WHERE Z_PK = 1;
      DELETE FROM ZASSET WHERE Z_PK = 2;
      """)
    let kept = try connection.rows(query)
    #expect(
      kept == [
        [.integer(1), .real(11), .real(11), .real(20), .real(20)],
        [.integer(3), .real(0), .real(0), .real(0), .real(0)],
      ])
    try connection.execute("DELETE FROM Z_RT_Asset_boundedByRect")
    try connection.execute(try #require(layout.spatialIndexes.first).fillStatement)
    #expect(try connection.rows(query) == kept)
  }

  @Test(arguments: [
    [tree("latitude", "title")], [tree("latitude", "album")], [tree("gone")],
    [
      tree("latitude", "longitude", "scale", "kind", "latitude", "longitude")
    ],
    [
      Entity.Index(
        name: "mixed",
        elements: [
          Entity.Index.Element(propertyName: "latitude", kind: .rtree),
          Entity.Index.Element(propertyName: "longitude"),
        ])
    ],
    [
      Entity.Index(
        name: "some", elements: [Entity.Index.Element(propertyName: "scale", kind: .rtree)],
        partialPredicate: "scale != nil")
    ],
  ])
  func `an R-tree that cannot be made is reported`(indexes: [Entity.Index]) {
    let layout = StoreLayout(model: Self.model(indexes))
    #expect(layout.spatialIndexes.isEmpty)
    #expect(layout.unsupported.all.map(\.code) == ["STO-202"])
  }

  // MARK: Partial indexes

  @Test(arguments: [
    ("title != nil", "ZTITLE IS NOT NULL"), ("title == NULL", "ZTITLE IS NULL"),
    ("SELF.title != nil", "ZTITLE IS NOT NULL"), ("album != nil", "ZALBUM IS NOT NULL"),
    ("isHidden == NO", "ZISHIDDEN = 0"), ("isHidden == 1", "ZISHIDDEN = 1"),
    ("kind >= 3", "ZKIND >= 3"), ("scale < 1.5", "ZSCALE < 1.5"),
    ("title == \"it's\"", "ZTITLE = 'it''s'"), ("kind IN {1, 2}", "ZKIND IN (1, 2)"),
    ("kind BETWEEN {1, 5}", "ZKIND BETWEEN 1 AND 5"),
    (
      "title != nil AND (kind == 1 OR kind == 2)",
      "ZTITLE IS NOT NULL AND (ZKIND = 1 OR ZKIND = 2)"
    ),
  ])
  func `the predicate of a partial index becomes its condition`(
    predicate: String, condition: String
  ) throws {
    let model = Self.model([
      Entity.Index(
        name: "byTitle", elements: [Entity.Index.Element(propertyName: "title")],
        partialPredicate: predicate)
    ])
    let layout = StoreLayout(model: model)
    #expect(layout.unsupported.all.isEmpty)
    #expect(
      layout.indexes.last?.createStatement
        == "CREATE INDEX Z_Asset_byTitle ON ZASSET (ZTITLE COLLATE BINARY ASC) WHERE \(condition)")
    try StoreCreator.create(model: model, at: folder.path("new.sqlite"))
  }

  @Test(arguments: [
    "kind != 3", "NOT kind == 3", "title CONTAINS \"a\"", "title ==[c] \"a\"", "title < \"a\"",
    "album.title != nil", "gone == nil", "kind == \"3\"", "ANY album == nil", "TRUEPREDICATE",
    "kind ==", "title == $name", "kind IN {}", "kind BETWEEN {1}", "title != nil OR kind != 3",
  ])
  func `a predicate without a certain form in SQL leaves the index whole`(predicate: String) {
    let layout = StoreLayout(
      model: Self.model([
        Entity.Index(
          name: "byTitle", elements: [Entity.Index.Element(propertyName: "title")],
          partialPredicate: predicate)
      ]))
    #expect(layout.unsupported.all.map(\.code) == ["STO-203"])
    #expect(layout.indexes.last?.condition == nil)
  }

  // MARK: Foreign keys

  @Test func `an index of a to-one relationship alone is that of its foreign key`() {
    let layout = StoreLayout(
      model: Self.model([
        Entity.Index(name: "byAlbum", elements: [Entity.Index.Element(propertyName: "album")]),
        Entity.Index(
          name: "byAlbumAndTitle",
          elements: [
            Entity.Index.Element(propertyName: "album"),
            Entity.Index.Element(propertyName: "title", isAscending: false),
          ]),
      ]))
    #expect(
      layout.indexes.map(\.name)
        == ["ZASSET_ZALBUM_INDEX", "ZASSET_Z_ENT_INDEX", "Z_Asset_byAlbumAndTitle"])
  }
}
