import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Links of a damaged source that lead to no object: kept as they are where keys are copied, counted
/// where they cannot be.
@Suite struct DanglingLinkTests {
  /// A library of which one tag, one person and the shelf “high” were deleted behind Core Data's
  /// back, so that two tag links, three author links, two friend links and two shelf links dangle.
  private static func damaged(_ mappings: [MappingModel]) throws -> Trial {
    let trial = try Trial(
      RelationshipTests.library("1"), RelationshipTests.library2, mappings,
      fill: RelationshipTests.fill)
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    try store.execute("DELETE FROM ZTAG WHERE Z_PK = 1")
    try store.execute("DELETE FROM ZPERSON WHERE Z_PK = 3")
    try store.execute("DELETE FROM ZSHELF WHERE Z_PK = 2")
    return trial
  }

  @Test func `links that are copied stay what they were`() throws {
    let trial = try Self.damaged(try RelationshipTests.copies())
    let report = try trial.run()
    #expect(!report.warnings.all.map(\.code).contains("RUN-024"))
    let old = try Connection(path: trial.sourcePath, mode: .readOnly)
    let new = try Connection(path: trial.directory.path("new.sqlite"), mode: .readOnly)
    let shelves = "SELECT Z_PK, ZSHELF FROM ZWORK WHERE ZSHELF = 2 ORDER BY 1"
    #expect(try old.rows(shelves).count == 2)
    #expect(try new.rows(shelves) == old.rows(shelves))
  }

  /// Keys that are copied, in a table that gets further objects: they would have the keys of those that
  /// were deleted.
  @Test func `a link that led to no object leads to none of the new ones`() throws {
    func model(_ name: String) -> Model {
      Model(
        name,
        [
          Entity(
            "Note", [.text("name")],
            [
              .one("folder", "Folder", inverse: "notes"),
              .many("others", "Folder", inverse: "otherNotes"),
            ]),
          Entity(
            "Folder", [.text("name")],
            [
              .many("notes", "Note", inverse: "folder"),
              .many("otherNotes", "Note", inverse: "others"),
            ]),
        ])
    }
    let mappings = try mapping(
      """
      {"type": "copy", "source": "Note", "destination": "Note"},
      {"type": "copy", "source": "Folder", "destination": "Folder"},
      {"type": "add", "name": "New", "destination": "Folder",
       "objects": [{"name": "Trash"}, {"name": "Sent"}]}
      """)
    let trial = try Trial(model("1"), model("2"), [mappings]) { store in
      let folders = try (1...4).map { try store.insert("Folder", ["name": .text("f\($0)")]) }
      for (number, folder) in folders.enumerated() {
        try store.insert(
          "Note", ["name": .text("n\(number + 1)")], ["folder": [folder], "others": [folder]])
      }
    }
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "DELETE FROM ZFOLDER WHERE Z_PK > 2")
    let (found, report) = try trial.migrate()
    #expect(
      found["Folder"].map { $0["name"] } == ["f1", "f2", "Trash", "Sent"].map { Value.text($0) })
    #expect(
      Set(report.warnings.all.filter { $0.code == "RUN-024" }.map(\.message)) == [
        "2 links of “Note.folder” lead to no object of the store",
        "2 links of “Note.others” lead to no object of the store",
      ])
    let store = try Connection(path: trial.directory.path("new-0.sqlite"), mode: .readOnly)
    #expect(
      try store.rows("SELECT ZFOLDER FROM ZNOTE ORDER BY Z_PK").map { $0[0] } == [
        1, 2, .null, .null,
      ])
  }

  /// What a policy makes of a folder is told by associations only, and a folder that a filter leaves out has
  /// become nothing: in both cases links are looked up.
  struct EachFolder: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      try context.insert(try context.defaultDestination(for: source), for: source)
    }
  }

  /// A link is what the row says that holds it, also where the index of a damaged store says something else.
  @Test(arguments: [
    #""type": "custom", "policy": "EachFolder""#, #""type": "copy", "filter": "name != 'f3'""#,
  ])
  func `an index that does not agree with its table loses no link`(folder: String) throws {
    func model(_ name: String) -> Model {
      Model(
        name,
        [
          Entity("Note", [.number("nowhere")], [.one("archive", "Folder", inverse: "notes")]),
          Entity("Folder", [.text("name")], [.many("notes", "Note", inverse: "archive")]),
        ])
    }
    let mappings = try mapping(
      """
      {"type": "copy", "source": "Note", "destination": "Note"},
      {"source": "Folder", "destination": "Folder", \(folder)}
      """)
    let trial = try Trial(
      model("1"), model("2"), [mappings], policies: [EachFolder.self]
    ) { store in
      let folders = try (1...4).map { number in
        try store.insert("Folder", ["name": .text("f\(number)")])
      }
      for number in 0..<40 {
        try store.insert(
          "Note", ["nowhere": .integer(Int64(number))], ["archive": [folders[number % 4]]])
      }
      try store.execute("DROP INDEX ZNOTE_ZARCHIVE_INDEX")
    }
    try WrongIndex.add(
      toDatabaseAt: trial.sourcePath, table: "ZNOTE", column: "ZARCHIVE", values: "ZNOWHERE")
    let (_, report) = try trial.migrate()
    #expect(!report.warnings.all.map(\.code).contains("RUN-024"))
    let store = try Connection(path: trial.directory.path("new-0.sqlite"), mode: .readOnly)
    let links = try store.integer(
      "SELECT count(*) FROM ZNOTE NOT INDEXED WHERE ZARCHIVE IS NOT NULL")
    #expect(links == (folder.contains("filter") ? 30 : 40))
  }

  @Test func `links that are looked up and found nowhere are counted`() throws {
    let filtered = RelationshipTests.entities.map {
      #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)", "filter": "SELF != nil"}"#
    }
    let trial = try Self.damaged([try mapping(filtered.joined(separator: ", "))])
    let (_, report) = try trial.migrate()
    let warnings = report.warnings.all.filter { $0.code == "RUN-024" }.map(\.message)
    #expect(
      warnings == [
        "2 links of “Book.authors” lead to no object of the store",
        "1 link of “Book.shelf” leads to no object of the store",
        "1 link of “Book.tags” leads to no object of the store",
        "1 link of “Map.shelf” leads to no object of the store",
        "1 link of “Map.tags” leads to no object of the store",
        "2 links of “Person.friendOf” lead to no object of the store",
      ])
  }

  /// Owners of cats, whose keys get an offset in the destination, because dogs come first.
  ///
  /// - Parameter hasDogs: without them, keys stay as they are.
  private static func owners(
    filter: String? = nil, hasDogs: Bool = true, _ fill: (TestStore) throws -> Void
  ) throws -> Trial {
    let first = Model(
      "1",
      [
        Entity("Owner", [.text("name")], [.one("pet", "Cat")]), Entity("Cat", [.text("name")]),
        Entity("Dog", [.text("name")]),
      ])
    let second = Model(
      "2",
      [
        Entity("Owner", [.text("name")], [.one("pet", "Animal")]),
        Entity("Animal", [.text("name")]),
      ]
    )
    let condition = filter.map { ", \"filter\": \"\($0)\"" } ?? ""
    let dogs =
      #"{"type": "transform", "source": "Dog", "destination": "Animal", "attributes": {"name": {}}},"#
    let mappings = try mapping(
      """
      \(hasDogs ? dogs : "")
      {"type": "transform", "source": "Cat", "destination": "Animal",
       "attributes": {"name": {"value": "$source.name"}}},
      {"type": "copy", "source": "Owner", "destination": "Owner"\(condition)}
      """)
    return try Trial(first, second, [mappings], fill: fill)
  }

  @Test func `links whose keys get an offset are counted when they could lead to a wrong object`()
    throws
  {
    let trial = try Self.owners { store in
      let cats = try ["Tom", "Kit"].map { try store.insert("Cat", ["name": .text($0)]) }
      for name in ["Rex", "Ace", "Bo"] { try store.insert("Dog", ["name": .text(name)]) }
      for cat in cats { try store.insert("Owner", [:], ["pet": [cat]]) }
    }
    try Connection(path: trial.sourcePath, mode: .readWrite)
      .execute("UPDATE ZOWNER SET ZPET = 3 WHERE Z_PK = 2")
    let (contents, report) = try trial.migrate()
    #expect(
      report.warnings.all.filter { $0.code == "RUN-024" }.map(\.message)
        == ["1 link of “Owner.pet” leads to no object of the store"])
    #expect(contents.object("Owner", 2)?.keys("pet") == [])
    let kept = try #require(contents.object("Owner", 1)?.keys("pet").first)
    #expect(contents.object("Animal", kept)?["name"] == .text("Tom"))
  }

  /// With the offset these are keys of dogs, also where there are no cats.
  @Test(arguments: [0, 2])
  func `a key that is not larger than 0 leads to no object of another mapping`(cats: Int) throws {
    let trial = try Self.owners { store in
      for name in ["Tom", "Kit"].prefix(cats) { try store.insert("Cat", ["name": .text(name)]) }
      for name in ["Rex", "Ace", "Bo"] { try store.insert("Dog", ["name": .text(name)]) }
      for _ in 0..<4 { try store.insert("Owner", [:]) }
    }
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    for (number, key) in [0, -1, -2, Int64.min].enumerated() {
      try store.execute(
        "UPDATE ZOWNER SET ZPET = ? WHERE Z_PK = ?",
        [.integer(key), .integer(Int64(number + 1))])
    }
    let (contents, report) = try trial.migrate()
    #expect(contents["Owner"].map { $0.keys("pet") } == [[], [], [], []])
    #expect(
      report.warnings.all.filter { $0.code == "RUN-024" }.map(\.message)
        == ["4 links of “Owner.pet” lead to no object of the store"])
  }

  /// 300 owners, of whom some have keys that no cat has; a sweep by pages counts them.
  @Test(arguments: [false, true], [nil, "name != 'o1'"])
  func `a sweep counts the links whose keys get an offset`(
    isDamaged: Bool, filter: String?
  ) throws {
    let trial = try Self.owners(filter: filter) { store in
      let cats = try (1...50).map { try store.insert("Cat", ["name": .text("c\($0)")]) }
      for name in ["Rex", "Ace", "Bo"] { try store.insert("Dog", ["name": .text(name)]) }
      for number in 0..<300 {
        try store.insert(
          "Owner", ["name": .text("o\(number)")],
          number % 3 == 0 ? [:] : ["pet": [cats[number % 50]]])
      }
    }
    if isDamaged {
      try Connection(path: trial.sourcePath, mode: .readWrite).execute(
        "UPDATE ZOWNER SET ZPET = 51 + Z_PK WHERE Z_PK % 41 = 1")
    }
    func expectCounted(_ report: MigrationReport) {
      #expect(
        report.warnings.all.filter { $0.code == "RUN-024" }.map(\.message)
          == (isDamaged ? ["8 links of “Owner.pet” lead to no object of the store"] : []))
    }
    for jobs in [1, 2] {
      for batch in [1, 50_000] {
        let name = "pages-\(jobs)-\(batch).sqlite"
        var options = MigrationOptions.pages(jobs: jobs, batch: batch)
        options.limits.workMemoryBytes = 0
        expectCounted(try trial.run(to: name, options: options))
        try trial.expectSameAsInSets(name)
      }
    }
    // What was counted before the run was stopped is not lost.
    var options = MigrationOptions.pages(jobs: 1, batch: 20)
    options.limits.workMemoryBytes = 0
    var continued = 0
    for stop in stride(from: 2, to: 60, by: 3) {
      let name = "stopped-\(stop).sqlite"
      let stopped = StoppingControl(after: stop)
      guard (try? trial.run(to: name, options: options, control: stopped.control)) == nil else {
        break
      }
      let report = try trial.run(to: name, options: options)
      if report.wasContinued { continued += 1 }
      expectCounted(report)
    }
    #expect(continued > 5)
  }

  @Test func `links whose keys get an offset need no more statements than those that are copied`()
    throws
  {
    func steps(hasDogs: Bool, owners: Int) throws -> Int {
      let trial = try Self.owners(hasDogs: hasDogs) { store in
        let cat = try store.insert("Cat", ["name": .text("Tom")])
        if hasDogs { try store.insert("Dog", ["name": .text("Rex")]) }
        for _ in 0..<owners { try store.insert("Owner", [:], ["pet": [cat]]) }
      }
      var options = MigrationOptions.pages(jobs: 1)
      options.limits.workMemoryBytes = 0
      return try StatementSteps.count { try trial.run(options: options) }
    }
    func growth(hasDogs: Bool) throws -> Int {
      try steps(hasDogs: hasDogs, owners: 3_000) - steps(hasDogs: hasDogs, owners: 500)
    }
    #expect(try growth(hasDogs: true) - growth(hasDogs: false) < 2_500)
  }

  /// Owners and cats with pairs, whose keys get an offset on both sides.
  private static func pairs() throws -> Trial {
    let first = Model(
      "1",
      [
        Entity("Owner", [.text("name")], [.many("pets", "Cat", inverse: "owners")]),
        Entity("Cat", [.text("name")], [.many("owners", "Owner", inverse: "pets")]),
        Entity("Dog", [.text("name")]), Entity("Shop", [.text("name")]),
      ])
    let second = Model(
      "2",
      [
        Entity("Owner", [.text("name")], [.many("pets", "Animal", inverse: "owners")]),
        Entity("Animal", [.text("name")], [.many("owners", "Owner", inverse: "pets")]),
      ])
    let mappings = try mapping(
      """
      {"type": "transform", "source": "Dog", "destination": "Animal",
       "attributes": {"name": {}}},
      {"type": "transform", "source": "Cat", "destination": "Animal",
       "attributes": {"name": {}}, "relationships": {"owners": {}}},
      {"type": "transform", "source": "Shop", "destination": "Owner",
       "attributes": {"name": {}}},
      {"type": "copy", "source": "Owner", "destination": "Owner"}
      """)
    return try Trial(first, second, [mappings]) { store in
      let cats = try ["Tom", "Kit"].map { try store.insert("Cat", ["name": .text($0)]) }
      for name in ["Rex", "Ace", "Bo"] {
        try store.insert("Dog", ["name": .text(name)])
        try store.insert("Shop", ["name": .text(name)])
      }
      for (cat, name) in zip(cats, ["Ann", "Ben"]) {
        try store.insert("Owner", ["name": .text(name)], ["pets": [cat]])
      }
    }
  }

  @Test(arguments: [true, false])
  func `a pair with a key that is not larger than 0 is none of other objects`(
    isOwner: Bool
  ) throws {
    let trial = try Self.pairs()
    let table = try #require(StoreLayout(model: trial.source).joinTables.first)
    let end = table.owner.entityName == (isOwner ? "Owner" : "Cat") ? table.owner : table.other
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    for (key, number) in [(0, 1), (-2, 2)] {
      try store.execute(
        "UPDATE \(table.name) SET \(end.column) = \(key) WHERE \(end.column) = \(number)")
    }
    let (contents, report) = try trial.migrate()
    #expect(contents["Owner"].allSatisfy { $0.keys("pets").isEmpty })
    #expect(
      report.warnings.all.filter { $0.code == "RUN-024" }.map { $0.message.prefix(10) }
        == ["2 links of"])
  }

  @Test func `pairs whose keys get an offset are counted once for both sides`() throws {
    let trial = try Self.pairs()
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    try store.execute("DELETE FROM ZCAT WHERE Z_PK = 2")
    let (contents, report) = try trial.migrate()
    #expect(report.warnings.all.filter { $0.code == "RUN-024" }.count == 1)
    #expect(
      report.warnings.all.first { $0.code == "RUN-024" }?.message.hasPrefix("1 link of") == true)
    let owners = contents["Owner"]
    #expect(owners.first { $0["name"] == .text("Ben") }?.keys("pets") == [])
    let ann = try #require(owners.first { $0["name"] == .text("Ann") })
    let kept = try #require(ann.keys("pets").first)
    #expect(contents.object("Animal", kept)?["name"] == .text("Tom"))
  }
}
