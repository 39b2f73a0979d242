import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import Synchronization
import TestSupport
import Testing

/// Links that a sweep by pages finds in memory: the same as in the other lanes, without a statement
/// for each of them.
@Suite struct PageLinkTests {
  static let seed = RandomSeed.told(for: "PageLinkTests")

  /// What becomes of a person is told by its number: nothing, a place at its own key, a place of
  /// the city, or the place of an earlier person.
  struct AnyPlace: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      switch try source.integer("number") ?? 0 {
      case 0: break
      case 1: try context.insert(try context.defaultDestination(for: source), for: source)
      default:
        try context.findOrInsert("Place", key: [source["city"] ?? .null], for: source) {
          try $0.set("city", to: source["city"] ?? .null)
        }
      }
    }
  }

  /// The same, page by page.
  struct DeclaredPlace: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    static let needs: Set<MigrationContext.Need> = [.furtherObjects]
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      switch try source.integer("number") ?? 0 {
      case 0: break
      case 1: try context.insert(try context.defaultDestination(for: source), for: source)
      default:
        var place = try context.makeObject(ofEntity: "Place")
        try place.set("city", to: source["city"] ?? .null)
        try context.insert(place, for: source)
      }
    }
  }

  /// Makes a visit too, so that the table of visits is not empty when they are made.
  struct PlaceAndVisit: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      try context.findOrInsert("Place", key: [source["city"] ?? .null], for: source) {
        try $0.set("city", to: source["city"] ?? .null)
      }
      try context.insert(try context.makeObject(ofEntity: "Visit"))
    }
  }

  private static let source = Model(
    "1",
    [
      Entity(
        "Person", [.text("city"), .number("number")],
        [
          .many("visits", "Visit", inverse: "person"),
          .many("notes", "Note", inverse: "person", isOrdered: true),
        ]),
      Entity("Visit", [.number("day")], [.one("person", "Person", inverse: "visits")]),
      Entity("Note", [.text("text")], [.one("person", "Person", inverse: "notes")]),
    ])
  private static let destination = Model(
    "2",
    [
      Entity(
        "Place", [.text("city")],
        [
          .many("visits", "Visit", inverse: "place"),
          .many("notes", "Note", inverse: "place", isOrdered: true),
          .many("cards", "Card", inverse: "place"),
        ]),
      Entity("Visit", [.number("day")], [.one("place", "Place", inverse: "visits")]),
      Entity("Note", [.text("text")], [.one("place", "Place", inverse: "notes")]),
      Entity("Card", [.number("number")], [.one("place", "Place", inverse: "cards")]),
    ])

  /// - Parameter cards: whether each person becomes a card too, which leads to what else the same
  ///   person has become.
  private static func mappings(
    _ place: String, owners: String = "", cards: Bool = false
  ) throws -> [MappingModel] {
    func ask(_ objects: String) -> String {
      "FUNCTION($manager, \\\"destinationInstancesForEntityMappingNamed:sourceInstances:\\\", "
        + "\\\"Places\\\", \(objects))"
    }
    let card = """
      {"name": "Cards", "source": "Person", "destination": "Card", "type": "transform",
       "attributes": {"number": {}}, "relationships": {"place": "\(ask("$source"))"}},
      """
    return [
      try mapping(
        """
        {"name": "Places", "source": "Person", "destination": "Place", \(place),
         "attributes": {"city": {}}}, \(cards ? card : "")
        {"source": "Visit", "destination": "Visit", "type": "transform", \(owners)
         "attributes": {"day": {}}, "relationships": {"place": "\(ask("$source.person"))"}},
        {"source": "Note", "destination": "Note", "type": "transform",
         "attributes": {"text": {}}, "relationships": {"place": "\(ask("$source.person"))"}}
        """)
    ]
  }

  private static let filtered = #""type": "transform", "filter": "number != 0""#
  private static func made(by policy: String) -> String {
    #""type": "custom", "policy": "\#(policy)""#
  }

  private static func trial(
    _ mappings: [MappingModel], persons: Int, visits: Int, _ random: inout SeededRandom
  ) throws -> Trial {
    let trial = try Trial(
      source, destination, mappings,
      policies: [AnyPlace.self, DeclaredPlace.self, PlaceAndVisit.self]
    ) { store in
      let people = try (0..<persons).map { _ in
        try store.insert(
          "Person",
          [
            "city": .text("c\(Int.random(in: 0..<5, using: &random))"),
            "number": .integer(Int64.random(in: 0..<4, using: &random)),
          ])
      }
      for number in 0..<visits {
        let visit = try store.insert("Visit", ["day": .integer(Int64(number))])
        let note = try store.insert("Note", ["text": .text("n\(number)")])
        for (owner, name) in [(visit, "person"), (note, "person")] {
          guard let person = people.randomElement(using: &random),
            Int.random(in: 0..<8, using: &random) > 0
          else { continue }
          try store.relate(owner, name, to: [person])
        }
      }
    }
    return trial
  }

  private static let pages: MigrationOptions = {
    var options = MigrationOptions()
    options.lane = .page
    return options
  }()

  // MARK: The same links

  @Test(arguments: 0..<12)
  func `in a random world every lane gives the same links, accounts and warnings`(round: Int) throws
  {
    var random = SeededRandom(seed: Self.seed &+ UInt64(round))
    let places = round.isMultiple(of: 3) ? Self.filtered : Self.made(by: "AnyPlace")
    let owners = round.isMultiple(of: 2) ? #""filter": "day != 3","# : ""
    let trial = try Self.trial(
      Self.mappings(places, owners: owners, cards: round % 4 > 1),
      persons: Int.random(in: 0...200, using: &random),
      visits: Int.random(in: 0...300, using: &random), &random)
    if round.isMultiple(of: 4) {
      let store = try Connection(path: trial.sourcePath, mode: .readWrite)
      try store.execute("DELETE FROM ZPERSON WHERE Z_PK % 7 = 3")
      try store.execute("UPDATE ZVISIT SET ZPERSON = -5 WHERE Z_PK % 11 = 3")
      try store.execute("UPDATE ZVISIT SET ZPERSON = 9223372036854775807 WHERE Z_PK % 11 = 4")
    }
    _ = try trial.migrate()
    var told: [[String]] = []
    for (number, lane) in [MigrationOptions.Lane.page, .set, .row].enumerated() {
      var options = MigrationOptions()
      options.lane = lane
      let report = try trial.run(to: "told-\(number).sqlite", options: options)
      told.append(report.warnings.all.map { "\($0.code) \($0.message)" }.sorted())
    }
    #expect(told[1] == told[0])
    #expect(told[2] == told[0])
  }

  /// So little that no map fits, and sorting needs the file; or no set either.
  private static func withLittleMemory<Result>(
    tableBytes: Int = 48, _ body: () throws -> Result
  ) rethrows -> Result {
    let memory = StepMemory(tableBytes: tableBytes, runBytes: 32_768)
    return try StepMemory.$allowed.withValue(memory, operation: body)
  }

  @Test(arguments: 0..<10, [("AnyPlace", 0), ("AnyPlace", 48), ("DeclaredPlace", 48)])
  func `with little memory, every lane gives the same links, accounts and warnings`(
    round: Int, way: (policy: String, tableBytes: Int)
  ) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(round))
    let owners = round.isMultiple(of: 2) ? #""filter": "day != 3","# : ""
    let trial = try Self.trial(
      Self.mappings(Self.made(by: way.policy), owners: owners, cards: round.isMultiple(of: 2)),
      persons: Int.random(in: 0...300, using: &random),
      visits: Int.random(in: 0...1_500, using: &random), &random)
    if round.isMultiple(of: 3) {
      let store = try Connection(path: trial.sourcePath, mode: .readWrite)
      try store.execute("DELETE FROM ZPERSON WHERE Z_PK % 7 = 3")
      try store.execute("UPDATE ZVISIT SET ZPERSON = -5 WHERE Z_PK % 11 = 3")
      try store.execute("UPDATE ZVISIT SET ZPERSON = 9223372036854775807 WHERE Z_PK % 11 = 4")
      try store.execute("UPDATE ZPERSON SET Z_PK = 1 << 62 WHERE Z_PK = 5")
      try store.execute("UPDATE ZVISIT SET ZPERSON = 1 << 62 WHERE Z_PK % 11 = 5")
    }
    try Self.withLittleMemory(tableBytes: way.tableBytes) {
      _ = try trial.migrate()
      var told: [[String]] = []
      for (number, lane) in [MigrationOptions.Lane.page, .set].enumerated() {
        var options = MigrationOptions()
        options.lane = lane
        let report = try trial.run(to: "told-\(number).sqlite", options: options)
        told.append(report.warnings.all.map { "\($0.code) \($0.message)" }.sorted())
      }
      #expect(told[1] == told[0])
    }
  }

  @Test(arguments: ["AnyPlace", "DeclaredPlace"])
  func `with little memory, a run that is stopped and continued writes the same links`(
    policy: String
  ) throws {
    var random = SeededRandom(seed: Self.seed)
    let trial = try Self.trial(
      Self.mappings(Self.made(by: policy), cards: true), persons: 9, visits: 12, &random)
    try trial.run(to: "whole.sqlite", options: Self.pages)
    let whole = try StoreRows(path: trial.directory.path("whole.sqlite"))
    try Self.withLittleMemory(tableBytes: 8) {
      for name in try Interruptions.anyBatches(of: trial, lane: .page) {
        #expect(try StoreRows(path: trial.directory.path(name)).differences(from: whole) == [])
      }
    }
  }

  /// A bit for each key up to 2^62 is more memory than there is.
  @Test(arguments: [filtered, made(by: "AnyPlace")])
  func `links to objects whose keys are far apart are the same in every lane`(place: String) throws
  {
    var random = SeededRandom(seed: Self.seed)
    let trial = try Self.trial(
      Self.mappings(place, cards: true), persons: 50, visits: 100, &random)
    do {
      let store = try Connection(path: trial.sourcePath, mode: .readWrite)
      try store.execute("UPDATE ZPERSON SET Z_PK = 1 << 62 WHERE Z_PK = 3")
      for table in ["ZVISIT", "ZNOTE"] {
        try store.execute("UPDATE \(table) SET ZPERSON = 1 << 62 WHERE ZPERSON = 3")
      }
    }
    _ = try trial.migrate()
  }

  @Test(arguments: ["number != 0", ""])
  func `a run that is stopped and continued writes the same links`(filter: String) throws {
    var random = SeededRandom(seed: Self.seed)
    let places = filter.isEmpty ? Self.made(by: "AnyPlace") : Self.filtered
    let trial = try Self.trial(
      Self.mappings(places, cards: true), persons: 9, visits: 12, &random)
    try trial.run(to: "whole.sqlite", options: Self.pages)
    let whole = try StoreRows(path: trial.directory.path("whole.sqlite"))
    for name in try Interruptions.anyBatches(of: trial, lane: .page) {
      #expect(try StoreRows(path: trial.directory.path(name)).differences(from: whole) == [])
    }
  }

  @Test func `a run that was killed while late pages were put in place starts its pass again`()
    throws
  {
    var random = SeededRandom(seed: Self.seed)
    let trial = try Self.trial(
      Self.mappings(Self.made(by: "AnyPlace")), persons: 9, visits: 12, &random)
    try Interruptions.killInMoment(of: trial, begun: "pages:begun:%")
  }

  @Test func `a table that is left to SQL after all leaves no pages behind`() throws {
    var random = SeededRandom(seed: Self.seed)
    let trial = try Self.trial(
      Self.mappings(Self.made(by: "AnyPlace")), persons: 9, visits: 10, &random)
    do {
      // So many that pages are in the file before the value comes that SQLite would convert.
      let store = try Connection(path: trial.sourcePath, mode: .readWrite)
      try store.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 11 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
        INSERT INTO ZVISIT (Z_PK, Z_ENT, Z_OPT, ZPERSON, ZDAY)
        SELECT i, (SELECT max(Z_ENT) FROM ZVISIT), 1, 1 + i % 9, i FROM n
        """)
      try store.execute("UPDATE ZVISIT SET ZDAY = 'then' WHERE Z_PK = 60000")
    }
    // The sizes of the pass store as its file and its header tell, whenever visits are begun.
    let sizes = Mutex<[(file: Int, header: Int)]>([])
    let control = RunControl(report: { [directory = trial.directory] progress in
      guard progress.phase == .create, progress.mappingName == "VisitToVisit",
        progress.completed == 9,
        let bytes = directory.contents("new.sqlite.passage/step-1/pass-1.sqlite")
      else { return }
      let pages = bytes[28..<32].reduce(0) { $0 << 8 | Int($1) }
      sizes.withLock { $0.append((bytes.count, pages * 4_096)) }
    })
    let report = try trial.run(options: Self.pages, control: control)
    #expect(Self.lanes(report) == ["Places: row", "VisitToVisit: set", "NoteToNote: page"])
    sizes.withLock { sizes in
      #expect(sizes.count > 1)
      #expect(sizes.allSatisfy { $0.file == $0.header })
    }
    try trial.expectSameAsInSets()
  }

  // MARK: The way

  private static func lanes(_ report: MigrationReport) -> [String] {
    report.steps.flatMap(\.mappings).map { "\($0.name): \($0.lane.rawValue)" }
  }

  @Test func `objects with links to a policy's objects are made by pages after these`() throws {
    var random = SeededRandom(seed: Self.seed)
    let trial = try Self.trial(
      Self.mappings(Self.made(by: "AnyPlace")), persons: 50, visits: 50, &random)
    let report = try trial.run(options: Self.pages)
    #expect(Self.lanes(report) == ["Places: row", "VisitToVisit: page", "NoteToNote: page"])
  }

  @Test func `a table in which a policy has made objects is left to SQL`() throws {
    var random = SeededRandom(seed: Self.seed)
    let trial = try Self.trial(
      Self.mappings(Self.made(by: "PlaceAndVisit")), persons: 50, visits: 50, &random)
    let report = try trial.run(to: "page.sqlite", options: Self.pages)
    #expect(Self.lanes(report) == ["Places: row", "VisitToVisit: set", "NoteToNote: page"])
    _ = try trial.migrate()
  }

  /// SQLite's own check of the pages takes its steps for each row, whatever the links are.
  @Test(arguments: [
    (filtered, 1 << 20), (made(by: "AnyPlace"), 1 << 20), (made(by: "AnyPlace"), 0),
    (made(by: "DeclaredPlace"), 48),
  ])
  func `links that are not arithmetic need no more statements than those that are`(
    place: String, tableBytes: Int
  ) throws {
    func growth(_ place: String) throws -> Int {
      try Self.steps(place, persons: 300, visits: 3_000, tableBytes: tableBytes)
        - Self.steps(place, persons: 300, visits: 500, tableBytes: tableBytes)
    }
    // Each of the visits leads to a person, and so does a note.
    let arithmetic = try growth(#""type": "transform""#)
    #expect(try growth(place) - arithmetic < 2 * 2_500)
  }

  @Test func `links to what the same object has become need no more statements either`() throws {
    func growth(_ place: String) throws -> Int {
      try Self.steps(place, persons: 3_000, visits: 0, cards: true)
        - Self.steps(place, persons: 500, visits: 0, cards: true)
    }
    let arithmetic = try growth(#""type": "transform""#)
    #expect(try growth(Self.filtered) - arithmetic < 2_500)
  }

  private static func steps(
    _ place: String, persons: Int, visits: Int, cards: Bool = false, tableBytes: Int = 1 << 20
  ) throws -> Int {
    var random = SeededRandom(seed: seed)
    let trial = try trial(
      mappings(place, cards: cards), persons: persons, visits: visits, &random)
    return try withLittleMemory(tableBytes: tableBytes) {
      try StatementSteps.count { try trial.run(options: pages) }
    }
  }
}
