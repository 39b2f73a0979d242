import Passage
import PassageEngine
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Every kind of index that a model can have, made by every lane: those of which pages are sorted, and
/// those that SQLite makes afterwards.
@Suite struct EveryIndexTests {
  private static let table = "ZASSET"
  private static let tree = "Z_RT_Asset_byPlace"

  private static func index(
    _ name: String, _ elements: [Entity.Index.Element], where predicate: String? = nil
  ) -> Entity.Index {
    Entity.Index(name: name, elements: elements, partialPredicate: predicate)
  }

  private static func up(_ name: String) -> Entity.Index.Element {
    Entity.Index.Element(propertyName: name)
  }

  private static func down(_ name: String) -> Entity.Index.Element {
    Entity.Index.Element(propertyName: name, isAscending: false)
  }

  private static let indexes = [
    index("byTitle", [up("title")]),
    index("byKind", [down("kind"), up("title"), down("scale")]),
    index("byAlbumAndTitle", [up("album"), down("title")]),
    index("byAlbum", [up("album")]),
    index("titled", [up("kind")], where: "title != nil"),
    index(
      "shown", [up("title"), down("kind")], where: "isHidden == NO AND (kind == 1 OR kind > 5)"),
    index("bySelf", [up("scale"), Entity.Index.Element(expression: "SELF")]),
    index("byEntity", [Entity.Index.Element(expression: "entity"), up("kind")]),
    index("byLowercase", [Entity.Index.Element(expression: "lowercase:(title)")]),
    index(
      "byPlace",
      ["latitude", "longitude"].map { Entity.Index.Element(propertyName: $0, kind: .rtree) }),
  ]

  private static func model(_ name: String, hasIndexes: Bool) -> Model {
    let attributes: [Attribute] = [
      .text("title"), .text("code"), .real("latitude"), .real("longitude"), .real("scale"),
      Attribute(name: "kind", type: .integer16), Attribute(name: "isHidden", type: .boolean),
      Attribute(name: "flagged", type: .date, isIndexed: hasIndexes),
    ]
    let derived = Attribute(name: "loud", type: .string, derivation: "uppercase:(title)")
    return Model(
      name,
      [
        Entity(
          "Asset", attributes + (hasIndexes ? [derived] : []),
          [.one("album", "Album", inverse: "assets")], unique: hasIndexes ? [["code"]] : [],
          indexes: hasIndexes ? indexes + [index("byLoud", [up("loud")])] : []),
        Entity(
          "Photo", parent: "Asset", [.real("depth")],
          indexes: hasIndexes ? [index("byDepth", [down("depth"), up("title")])] : []),
        Entity("Album", [.text("name")], [.many("assets", "Asset", inverse: "album")]),
      ])
  }

  private static func trial() throws -> Trial {
    let mappings = ["Asset", "Photo", "Album"].map {
      #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
    }
    return try Trial(
      model("1", hasIndexes: false), model("2", hasIndexes: true),
      [mapping(mappings.joined(separator: ", "))]
    ) { store in
      let albums = try (0..<9).map { try store.insert("Album", ["name": .text("album \($0)")]) }
      for number in 1...900 {
        let isPhoto = number % 3 == 0
        var values: [String: Value] = [
          "code": .text("c\(number)"), "kind": .integer(Int64(number % 9)),
          "isHidden": number % 4 == 0 ? .null : .integer(Int64(number % 2)),
          "scale": .real(Double(number % 50) / 4), "flagged": .real(Double(number % 100)),
        ]
        if number % 5 > 0 {
          values["title"] = .text("title \(number % 70) " + String(repeating: "t", count: 100))
        }
        if number % 8 > 0 {
          values["latitude"] = .real(Double(number % 90))
          values["longitude"] = .real(Double(number % 170) + 0.5)
        }
        if isPhoto { values["depth"] = .real(Double(number % 40)) }
        try store.insert(
          isPhoto ? "Photo" : "Asset", values,
          number % 6 == 0 ? [:] : ["album": [albums[number % 9]]]
        )
      }
    }
  }

  /// A condition for each index under which it is of use.
  private static let uses = [
    ("Z_Asset_byTitle", "ZTITLE > 'title 5'"),
    ("Z_Asset_byKind", "ZKIND = 3 AND ZTITLE > 'title 4'"),
    ("Z_Asset_byAlbumAndTitle", "ZALBUM = 4 AND ZTITLE < 'title 3'"),
    ("ZASSET_ZALBUM_INDEX", "ZALBUM = 2"),
    ("Z_Asset_titled", "ZKIND = 2 AND ZTITLE IS NOT NULL"),
    ("Z_Asset_shown", "ZISHIDDEN = 0 AND (ZKIND = 1 OR ZKIND > 5) AND ZTITLE > 'title 2'"),
    ("Z_Asset_bySelf", "ZSCALE = 2.5 AND Z_PK > 100"),
    ("Z_Asset_byEntity", "Z_ENT = 2 AND ZKIND > 3"),
    ("Z_Asset_flagged", "ZFLAGGED < 7"), ("Z_Asset_byLoud", "ZLOUD > 'TITLE 6'"),
    ("Z_Photo_byDepth", "ZDEPTH = 12"), ("Z_Asset_UNIQUE_code", "ZCODE > 'c7'"),
    ("ZASSET_Z_ENT_INDEX", "Z_ENT = 3"),
  ]

  /// Expects that every index leads to the rows of its table, and is what a new store has.
  private static func expectIndexes(_ path: String, like empty: Connection) throws {
    let store = try Connection(path: path, mode: .readOnly)
    let schema = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    #expect(try store.rows(schema) == empty.rows(schema))
    #expect(try store.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try store.rows("SELECT rtreecheck('\(tree)')") == [["ok"]])
    let indexes = try store.rows(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? ORDER BY name",
      [.text(table)]
    ).map { $0[0].string ?? "" }
    #expect(indexes == uses.map(\.0).sorted())
    for (index, condition) in uses {
      func query(_ way: String) -> String {
        "SELECT Z_PK FROM \(table) \(way) WHERE \(condition) ORDER BY Z_PK"
      }
      let way = "INDEXED BY \(index.quotedIdentifier)"
      let plan = try store.rows("EXPLAIN QUERY PLAN " + query(way)).compactMap { $0.last?.string }
      #expect(plan.contains { $0.contains("SEARCH") && $0.contains("INDEX \(index)") }, "\(plan)")
      let found = try store.rows(query(way))
      #expect(found == (try store.rows(query("NOT INDEXED"))), "\(index)")
      #expect((1..<900).contains(found.count), "\(index): \(found.count)")
    }
    let inBox = try store.rows(
      "SELECT Z_PK FROM \(tree) WHERE ZLATITUDE_MIN >= 10 AND ZLATITUDE_MAX <= 40 "
        + "AND ZLONGITUDE_MIN > 20 ORDER BY Z_PK")
    let inRows = try store.rows(
      "SELECT Z_PK FROM \(table) WHERE ZLATITUDE BETWEEN 10 AND 40 AND ZLONGITUDE > 20 "
        + "ORDER BY Z_PK")
    #expect(inBox == inRows && inBox.count > 100)
    #expect(try store.integer("SELECT count(*) FROM \(tree)") == 900)
  }

  /// The lanes, the threads, whether in memory, and how many indexes of the model SQLite makes. In memory it
  /// makes all.
  @Test(arguments: [
    (MigrationOptions.Lane.page, 1, false, 2), (.page, 3, false, 2), (.automatic, 2, false, 2),
    (.automatic, 1, true, 13), (.set, 2, false, 13), (.row, 1, false, 13),
  ])
  func `every lane makes them, and they are of use`(
    lane: MigrationOptions.Lane, jobs: Int, inMemory: Bool, madeBySQL: Int
  ) throws {
    var trial = try Self.trial()
    trial.worksInMemory = inMemory
    try StoreCreator.create(model: trial.destination, at: trial.directory.path("empty.sqlite"))
    let empty = try Connection(path: trial.directory.path("empty.sqlite"), mode: .readOnly)
    var options = MigrationOptions()
    options.lane = lane
    options.limits.jobs = jobs
    let count = StatementCount()
    let report = try StatementCount.$current.withValue(count) { try trial.run(options: options) }
    let asked: MigrationPlan.Lane = lane == .set ? .set : lane == .row ? .row : .page
    #expect(report.steps[0].mappings.map(\.lane) == [asked, asked, asked])
    #expect(report.warnings.all.map(\.code).contains("RUN-048") == false)
    let made = Set(
      count.counts.statements.filter { $0.contains("INDEX IF NOT EXISTS") && $0.contains("ZASSET") }
    )
    #expect(made.count == madeBySQL, "\(made.sorted())")
    try Self.expectIndexes(trial.directory.path("new.sqlite"), like: empty)
    if lane != .set { try trial.expectSameAsInSets() }
  }
}
