import Foundation
import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// Plain tables into Core Data's layout and out again: the same rows.
@Suite struct TableRoundTripTests {
  private static func migrate(
    _ source: String, to destination: String, from model: Model, into target: Model,
    options: MigrationOptions
  ) throws -> MigrationReport {
    let entities = model.entities.map {
      """
      {"type": "copy", "source": "\($0.name)", "destination": "\($0.name)"}
      """
    }
    return try StoreMigration(
      storePath: source, destination: .file(destination), source: model, destinationModel: target,
      models: [model.name: model, target.name: target],
      mappings: [
        mapping(entities.joined(separator: ","), from: model.name, to: target.name)
      ], policies: PolicyRegistry([]), options: options
    ).run(control: RunControl())
  }

  @Test(arguments: 0..<12)
  func `generated tables come back as they were`(round: Int) throws {
    var random = RandomTables(seed: UInt64(round) &* 7_919 &+ 17)
    let folder = try TemporaryDirectory()
    let (plain, store, back) = (
      folder.path("plain.sqlite3"), folder.path("store.sqlite"), folder.path("back.sqlite3")
    )
    try Connection(path: plain, mode: .create).execute(random.script())
    let model = try ModelFile.read(path: plain)
    var target = model
    target.name = "stored"
    var options = MigrationOptions()
    options.lane = (round.isMultiple(of: 2)) ? .automatic : .row
    _ = try Self.migrate(plain, to: store, from: model, into: target, options: options)
    #expect(try StoreAudit(path: store, model: target).findings == [], "seed \(random.seed)")
    // A store is migrated only to another model.
    let last = Model(
      name: "tables",
      entities: target.entities.map { entity in
        var entity = entity
        entity.versionHashModifier = "tables"
        return entity
      })
    options.output.type = "tables"
    _ = try Self.migrate(store, to: back, from: target, into: last, options: options)
    let (before, after) = (
      try Connection(path: plain, mode: .readOnly), try Connection(path: back, mode: .readOnly)
    )
    #expect(try after.rows("PRAGMA foreign_key_check") == [])
    #expect(try after.rows("PRAGMA integrity_check") == [["ok"]])
    for table in random.tables {
      let columns = try before.rows("SELECT name FROM pragma_table_info(?)", [.text(table)])
        .compactMap { $0[0].string?.quotedIdentifier }.joined(separator: ", ")
      let sql = "SELECT \(columns) FROM \(table.quotedIdentifier) ORDER BY \(columns)"
      #expect(
        try before.rows(sql) == after.rows(sql), "seed \(random.seed), table \(table)")
    }
  }

  @Test(
    arguments: StoredObjects.WritingOptions.DateStyle.allCases,
    ["1e300", "-1e300", "9223372036854775807"])
  func `a date outside the calendar is kept, although its column needs one`(
    style: StoredObjects.WritingOptions.DateStyle, value: String
  ) throws {
    func model(_ name: String) -> Model {
      Model(
        name,
        [
          Entity(
            "Note", [Attribute(name: "at", type: .date, isOptional: name == "1")])
        ])
    }
    let trial = try Trial(
      model("1"), model("2"),
      [mapping(#"{"type": "copy", "source": "Note", "destination": "Note"}"#)]
    ) { store in
      for _ in 0..<3 { try store.insert("Note", ["at": .real(0.5)]) }
    }
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "UPDATE ZNOTE SET ZAT = \(value) WHERE Z_PK = 2")
    var options = MigrationOptions()
    options.output.type = "tables"
    options.output.writing.dateStyle = style
    try trial.run(to: "new.sqlite3", options: options)
    let table = try StoreQuery(path: trial.directory.path("new.sqlite3"))
    let found = try table.rows("SELECT at FROM notes ORDER BY rowid")
    #expect(found.count == 3)
    #expect(found[0] == found[2])
    let expected = try Connection(path: trial.sourcePath, mode: .readOnly).value(
      "SELECT ZAT + 978307200 FROM ZNOTE WHERE Z_PK = 2")
    #expect(found[1] == [try #require(expected)])
  }

  @Test func `inherited entities, orders, dates and identifiers are written as tables`() throws {
    let folder = try TemporaryDirectory()
    let source = Model(
      "1",
      [
        Entity(
          "Animal", [.text("name", isOptional: false)],
          [.one("home", "House", inverse: "animals")]),
        Entity("Dog", parent: "Animal", [.number("age", isOptional: false, 3)]),
        Entity(
          "House", [.date("built"), Attribute(name: "mark", type: .uuid)],
          [
            .many("animals", "Animal", inverse: "home", isOrdered: true),
            .many("neighbours", "House", inverse: "neighbours"),
          ], unique: [["mark"]]),
      ])
    let path = folder.path("store.sqlite")
    let store = try TestStore(model: source, at: path)
    let house = try store.insert(
      "House", ["built": 0.5, "mark": .blob(Array(repeating: 0xAB, count: 16))])
    let other = try store.insert("House", [:])
    let cat = try store.insert("Animal", ["name": "cat"])
    let dog = try store.insert("Dog", ["name": "dog", "age": 5])
    try store.relate(house, "animals", to: [dog, cat])
    try store.relate(house, "neighbours", to: [other])
    try store.close()
    let target = Model(
      name: "2",
      entities: source.entities.map { entity in
        var entity = entity
        entity.versionHashModifier = "2"
        return entity
      })
    var options = MigrationOptions()
    options.output.type = "tables"
    let out = folder.path("out.sqlite3")
    _ = try Self.migrate(path, to: out, from: source, into: target, options: options)
    let tables = try Connection(path: out, mode: .readOnly)
    #expect(
      try tables.rows(
        "SELECT id, entity, name, age, home_id, home_position FROM animals ORDER BY 1")
        == [[1, "Animal", "cat", .null, 1, 1], [2, "Dog", "dog", 5, 1, 0]])
    #expect(
      try tables.rows("SELECT built, mark FROM houses ORDER BY id")
        == [
          ["2001-01-01 00:00:00.5", "ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB"], [.null, .null],
        ])
    #expect(
      try tables.rows("SELECT house_id, neighbour_id FROM houses_neighbours ORDER BY 1").first
        == [1, 2])
    #expect(try tables.rows("PRAGMA foreign_key_check") == [])
    // And back, by the same model: the entities, the order and the links.
    let again = folder.path("again.sqlite")
    _ = try Self.migrate(out, to: again, from: source, into: target, options: MigrationOptions())
    let found = try StoreContents(path: again, model: target)
    let first = try StoreContents(path: path, model: source)
    for name in ["Dog", "House"] {
      #expect(found[name].map(\.key) == first[name].map(\.key))
      #expect(found[name].map { $0.keys("animals") } == first[name].map { $0.keys("animals") })
    }
    #expect(found["House"].map { $0["built"] } == [0.5, .null])
    #expect(found["House"].map { $0["mark"] } == first["House"].map { $0["mark"] })
  }

  @Test func `values that may be in files of their own are written without their mark`() throws {
    let folder = try TemporaryDirectory()
    let picture = Attribute(
      name: "picture", type: .binary, allowsExternalBinaryDataStorage: true)
    let source = Model("1", [Entity("Photo", [picture])])
    let path = folder.path("store.sqlite")
    let store = try TestStore(model: source, at: path)
    try store.execute(
      "INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZPICTURE) VALUES (1, 1, 1, x'01ABCD')")
    try store.close()
    let target = Model("2", [Entity("Photo", [picture, .text("title")])])
    var options = MigrationOptions()
    options.output.type = "tables"
    let out = folder.path("out.sqlite3")
    _ = try Self.migrate(path, to: out, from: source, into: target, options: options)
    #expect(
      try Connection(path: out, mode: .readOnly).rows("SELECT picture FROM photos")
        == [[.blob([0xAB, 0xCD])]])
    let again = folder.path("again.sqlite")
    _ = try Self.migrate(out, to: again, from: source, into: target, options: MigrationOptions())
    #expect(
      try Connection(path: again, mode: .readOnly).rows("SELECT ZPICTURE FROM ZPHOTO")
        == [[.blob([1, 0xAB, 0xCD])]])
  }

  @Test func `dates may be written as seconds since 1970`() throws {
    let folder = try TemporaryDirectory()
    let source = Model("1", [Entity("Event", [.date("day")])])
    let path = folder.path("store.sqlite")
    let store = try TestStore(model: source, at: path)
    _ = try store.insert("Event", ["day": 10])
    try store.close()
    let target = Model("2", [Entity("Event", [.date("day"), .text("more")])])
    var options = MigrationOptions()
    options.output.type = "tables"
    options.output.writing.dateStyle = .unix
    let out = folder.path("out.sqlite3")
    _ = try Self.migrate(path, to: out, from: source, into: target, options: options)
    #expect(
      try Connection(path: out, mode: .readOnly).rows("SELECT day FROM events")
        == [[978_307_210.0]])
  }
}

/// Tables with columns, keys and links drawn from a seed.
struct RandomTables {
  let seed: UInt64
  private var state: UInt64
  private(set) var tables: [String] = []

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  private mutating func next(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(count))
  }

  private static let words = [
    "order", "first name", "URL", "größe", "select", "close_date", "it's", "x2", "Z_PK", "group",
    "description", "item",
  ]

  /// The statements that make and fill the tables.
  mutating func script() -> String {
    var sql = "PRAGMA foreign_keys = OFF;\n"
    let count = 2 + next(3)
    for number in 0..<count {
      let name = ["banks", "people", "order lines", "Categories", "group"][number]
      tables.append(name)
      var columns = ["id INTEGER PRIMARY KEY"]
      var types = [String]()
      for (index, word) in Self.words.shuffled(by: next(Self.words.count)).prefix(1 + next(5))
        .enumerated()
      {
        let type = ["INTEGER", "TEXT", "REAL", "BLOB", "BOOLEAN"][next(5)]
        types.append(type)
        columns.append("\"\(word)_\(index)\" \(type)\(next(4) == 0 ? " NOT NULL" : "")")
      }
      var links = [Int]()
      for parent in 0..<number where next(2) == 0 {
        links.append(parent)
        columns.append(
          "link_\(parent)_id INTEGER REFERENCES \"\(tables[parent])\" (id) ON DELETE "
            + ["CASCADE", "SET NULL", "RESTRICT", "NO ACTION"][next(4)])
      }
      sql += "CREATE TABLE \"\(name)\" (\(columns.joined(separator: ", ")));\n"
      let isRequired = columns.map { $0.hasSuffix("NOT NULL") }
      for row in 1...(3 + next(20)) {
        var cells = ["\(row * 3)"]
        for (index, type) in types.enumerated() {
          cells.append(cell(type, isRequired: isRequired[index + 1]))
        }
        for _ in links { cells.append(next(4) == 0 ? "NULL" : "\((1 + next(3)) * 3)") }
        sql += "INSERT INTO \"\(name)\" VALUES (\(cells.joined(separator: ", ")));\n"
      }
    }
    tables.append("pairs")
    sql += """
      CREATE TABLE pairs (left_id INTEGER REFERENCES "\(tables[0])" (id) ON DELETE CASCADE,
        right_id INTEGER REFERENCES "\(tables[1])" (id) ON DELETE CASCADE,
        PRIMARY KEY (left_id, right_id));
      INSERT OR IGNORE INTO pairs VALUES (3, 6), (6, 3), (9, 3), (3, 3);
      """
    return sql
  }

  private mutating func cell(_ type: String, isRequired: Bool) -> String {
    if !isRequired, next(4) == 0 { return "NULL" }
    switch type {
    case "INTEGER": return "\(next(2_000_000) - 1_000_000)"
    case "TEXT": return "'\(["", "a''b", "Ü\u{1F600}", "text \(next(100))"][next(4)])'"
    case "REAL": return "\(Double(next(1_000_000)) / 7)"
    case "BOOLEAN": return "\(next(2))"
    default: return "x'\(["", "00", "ff0102"][next(3)])'"
    }
  }
}

extension [String] {
  fileprivate func shuffled(by offset: Int) -> [String] {
    Array(dropFirst(offset)) + prefix(offset)
  }
}
