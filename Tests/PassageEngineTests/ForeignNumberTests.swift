import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import Testing

/// Rows with the number of another entity in a table of one entity, where Core Data ignores it.
@Suite struct ForeignNumberTests {
  /// `Note`, `Tag` and `Folder` have tables of their own; `Place` shares its table with `City`.
  private static func model(_ name: String) -> Model {
    Model(
      name,
      [
        Entity(
          "Note", [.text("title"), .number("weight")],
          [
            .one("folder", "Folder", inverse: "notes"), .one("place", "Place"),
            .many("tags", "Tag", inverse: "notes"),
          ]),
        Entity("Tag", [.text("name")], [.many("notes", "Note", inverse: "tags")]),
        Entity(
          "Folder", [.text("name")],
          [.many("notes", "Note", inverse: "folder", isOrdered: true), .one("parent", "Folder")]),
        Entity("Place", [.text("name")]), Entity("City", parent: "Place", [.number("weight")]),
      ] + (name == "2" ? [Entity("New")] : []))
  }

  private static let copies = ["Note", "Tag", "Folder", "Place", "City"].map {
    #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
  }.joined(separator: ",")

  /// The mapping models of the tests: all objects, some of them, and values of related objects.
  static let mappings = [
    copies,
    #"""
    {"type": "transform", "source": "Note", "destination": "Note", "filter": "weight > 3",
     "attributes": {"title": {}, "weight": "$source.weight + 1"},
     "relationships": {"folder": {}, "tags": {}, "place": {}}},
    {"type": "copy", "source": "Tag", "destination": "Tag"},
    {"type": "transform", "source": "Folder", "destination": "Folder", "filter": "name != 'b'",
     "attributes": {"name": {}},
     "relationships": {"notes": {}, "parent": {}}},
    {"type": "copy", "source": "Place", "destination": "Place"},
    {"type": "copy", "source": "City", "destination": "City"}
    """#,
    #"""
    {"type": "transform", "source": "Note", "destination": "Note",
     "filter": "ANY tags.name == 'x' OR folder.parent.name == 'a'",
     "attributes": {"title": "$source.folder.name", "weight": "$source.tags.@count"},
     "relationships": {"folder": {}, "tags": {}}},
    {"type": "copy", "source": "Tag", "destination": "Tag"},
    {"type": "copy", "source": "Folder", "destination": "Folder"},
    {"type": "copy", "source": "Place", "destination": "Place"},
    {"type": "copy", "source": "City", "destination": "City"}
    """#,
  ]

  private func trial(_ mappings: String, numbers: [String: String]) throws -> Trial {
    let trial = try Trial(Self.model("1"), Self.model("2"), [mapping(mappings)]) { store in
      let folders = try ["a", "b", "c"].map { try store.insert("Folder", ["name": .text($0)]) }
      try store.relate(folders[2], "parent", to: [folders[0]])
      let tags = try ["x", "y"].map { try store.insert("Tag", ["name": .text($0)]) }
      let places = [try store.insert("Place"), try store.insert("City", ["weight": 5])]
      for number in 0..<12 {
        try store.insert(
          "Note", ["title": .text("n\(number)"), "weight": .integer(Int64(number))],
          [
            "folder": [folders[number % 3]], "place": [places[number % 2]],
            "tags": number % 4 == 0 ? tags : [tags[number % 2]],
          ])
      }
    }
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    for (table, number) in numbers {
      try connection.execute("UPDATE \(table) SET Z_ENT = \(number) WHERE Z_PK % 3 <> 1")
    }
    return trial
  }

  @Test(arguments: mappings, ["99", "1", "NULL", "'text'", "2.5"])
  func `the objects are migrated as if the number were right, and counted`(
    _ mappings: String, _ number: String
  ) throws {
    let right = try trial(mappings, numbers: [:]).migrate()
    let foreign = try trial(
      mappings, numbers: ["ZNOTE": number, "ZFOLDER": number, "ZTAG": number]
    ).migrate()
    #expect(foreign.contents == right.contents)
    #expect(!right.report.warnings.all.contains { $0.code == "RUN-025" })
    let told = foreign.report.warnings.all.filter { $0.code == "RUN-025" }
    #expect(told.allSatisfy { $0.severity == .warning })
    let counts = Dictionary(
      uniqueKeysWithValues: foreign.report.steps[0].mappings.map {
        ($0.source ?? "", $0.foreignNumbers)
      })
    let own = StoreLayout(model: Self.model("1"))
    for (entity, rows) in [("Note", Int64(8)), ("Folder", 2), ("Tag", 1)] {
      let isRight = "\(own.entity(named: entity)?.number ?? 0)" == number
      #expect(counts[entity] == (isRight ? 0 : rows), "\(entity)")
    }
    #expect(told.count == counts.values.filter { $0 > 0 }.count)
  }

  @Test func `a number of no entity in a table of several is damage`() throws {
    let failure = try trial(Self.copies, numbers: ["ZPLACE": "99"]).failure()
    #expect(failure.codes == ["RUN-022"])
  }

  @Test(arguments: [MigrationOptions.Lane.automatic, .page, .set, .row])
  func `rows of another table are damage, in every lane`(_ lane: MigrationOptions.Lane) throws {
    let trial = try trial(Self.copies, numbers: [:])
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let size = Int(try connection.integer("PRAGMA page_size"))
    let pages = try ["ZTAG", "Z_PRIMARYKEY"].map { name in
      let root = try connection.integer(
        "SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(name)])
      return Int(root - 1) * size..<Int(root) * size
    }
    // The rows of the two tables have four columns each; their names become numbers and texts.
    let bytes = try #require(trial.directory.contents("old.sqlite"))
    var mixed = bytes
    mixed.replaceSubrange(pages[0], with: bytes[pages[1]])
    mixed.replaceSubrange(pages[1], with: bytes[pages[0]])
    try trial.directory.write(mixed, to: "old.sqlite")
    var options = MigrationOptions()
    options.lane = lane
    let error = try trial.failure(options: options)
    #expect(error.kind == .sourceDamaged)
    #expect(
      "\(error)".contains("ZTAG.ZNAME: the row 1 has a number in a column of texts"), "\(error)")
  }

  /// SQLite stores a text that is no number in a column of numbers, and any value in a column of bytes.
  @Test(arguments: [
    ("INTEGER", "'0x10'"), ("INTEGER", "'heavy'"), ("INTEGER", "''"), ("VARCHAR", "'16'"),
    ("", "'16'"),
  ])
  func `a value that SQLite stores in its column is no sign of damage`(
    type: String, value: String
  ) throws {
    let trial = try trial(Self.copies, numbers: ["ZNOTE": "99"])
    do {
      let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
      let sql = try #require(
        try connection.rows("SELECT sql FROM sqlite_master WHERE name = 'ZNOTE'").first?[0].string)
      try #require(sql.contains("ZWEIGHT INTEGER"))
      try connection.remake(
        "ZNOTE", by: sql.replacing("ZWEIGHT INTEGER", with: "ZWEIGHT \(type)"))
      try connection.execute("UPDATE ZNOTE SET ZWEIGHT = \(value) WHERE Z_PK = 1")
    }
    for (number, options) in Trial.ways.enumerated() {
      let report = try trial.run(to: "new-\(number).sqlite", options: options)
      #expect(report.warnings.all.contains { $0.code == "RUN-025" })
    }
  }

  @Test(arguments: [false, true]) func `a filter finds the same objects`(isInMemory: Bool) throws {
    let trial = try trial(Self.copies, numbers: ["ZNOTE": "99", "ZTAG": "NULL"])
    for (filter, count) in [("weight > 3", 8), ("ANY tags.name == 'y'", 9), ("TRUEPREDICATE", 12)] {
      var options = StoreSelection.Options()
      options.isInMemory = isInMemory
      let selection = try StoreSelection(
        of: StoreFile.open(path: trial.sourcePath), model: Self.model("1"), entity: "Note",
        filter: filter, now: 0, options: options)
      #expect(try selection.count() == Int64(count), "\(filter)")
    }
  }

  @Test func `the result of a migration of such a store is verified`() throws {
    let trial = try trial(Self.mappings[1], numbers: ["ZNOTE": "99", "ZFOLDER": "'text'"])
    try trial.run()
    let plain = try self.trial(Self.mappings[1], numbers: [:])
    try plain.run()
    try Connection(path: plain.directory.path("new.sqlite"), mode: .readWrite).execute(
      "UPDATE ZTAG SET Z_ENT = 1")
    let report = try StoreComparison(
      expected: StoreFile.open(path: plain.directory.path("new.sqlite")),
      found: StoreFile.open(path: trial.directory.path("new.sqlite")), model: trial.destination
    ).run()
    #expect(report.isEqual)
  }
}
