import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Columns of links that a file declares otherwise than as INTEGER, so that a key may be stored as a text.
/// SQLite finds objects by it, and so does every lane: `migrate()` runs all of them, and compares what they
/// make and what they count.
@Suite struct LinkTypeTests {
  private static func model(_ name: String) -> Model {
    Model(
      name,
      [
        Entity(
          "Owner", [.text("name"), .number("in\(name)")],
          [
            .one("pet", "Animal", inverse: "owners"), .one("home", "House", inverse: "guests"),
            .many("tags", "Tag", inverse: "owners", isOrdered: true),
          ]),
        Entity("Animal", [.text("name")], [.many("owners", "Owner", inverse: "pet")]),
        Entity("Cat", parent: "Animal"), Entity("Dog", parent: "Animal"),
        Entity(
          "House", [.text("name")],
          [.many("guests", "Owner", inverse: "home", isOrdered: true)]),
        Entity("Tag", [.text("name")], [.many("owners", "Owner", inverse: "tags")]),
        Entity("Ghost", [.text("name")]), Entity("Ruin", [.text("name")]),
        Entity("Label", [.text("name")]),
      ])
  }

  /// What comes first in a table keeps its keys, and moves those of the objects that follow.
  private static let firstComers = [("Ghost", "Cat"), ("Ruin", "House"), ("Label", "Tag")].map {
    #"{"type": "transform", "source": "\#($0)", "destination": "\#($1)", "attributes": {"name": {}}}"#
  }

  private static func copies(filter: String? = nil) -> [String] {
    ["Animal", "Cat", "Dog", "House", "Tag", "Owner"].map { entity in
      let condition = filter.map { #", "filter": "\#($0)""# } ?? ""
      return #"{"type": "copy", "source": "\#(entity)", "destination": "\#(entity)"\#(condition)}"#
    }
  }

  /// The ways in which links are migrated: with their keys, with moved keys, and looked up. The others read
  /// them in expressions, and in a policy.
  static let mappings: [String: [String]] = [
    "kept": copies(),
    "moved": firstComers + copies(),
    "looked up": firstComers + copies(filter: "name != 'gone'"),
    "read": Array(copies().dropLast()) + [
      """
      {"type": "transform", "source": "Owner", "destination": "Owner",
       "filter": "ANY tags.name == 't11' OR pet.name != nil",
       "attributes": {"name": "$source.home.name", "in2": "$source.home.guests.@count"},
       "relationships": {"pet": {}, "home": {}, "tags": {}}}
      """
    ],
    "told to a policy": Array(copies().dropLast()) + [
      """
      {"type": "transform", "source": "Owner", "destination": "Owner", "policy": {"name": "ReadKeys"},
       "relationships": {"pet": {}, "home": {}, "tags": {}}}
      """
    ],
  ]

  /// Writes down the keys that a policy is told.
  struct ReadKeys: MigrationPolicy {
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      let home = source["home"]?.integer ?? 0
      let house = try context.sourceObject(ofEntity: "House", key: home)
      let guests = try house.map { try context.sourceKeys(of: $0, relationship: "guests") } ?? []
      let tags = try context.sourceKeys(of: source, relationship: "tags")
      let again = try context.sourceObject(ofEntity: "Owner", key: source.key)
      var owner = try context.defaultDestination(for: source)
      try owner.set(
        "name",
        to: .text(
          "\(source["pet"]?.integer ?? 0) \(again?["home"]?.integer ?? 0) \(guests) \(tags)"))
      try context.insert(owner, for: source)
    }
  }

  /// Twelve objects of each kind: as texts, the keys 10 to 12 come before the key 2.
  private static func trial(_ mappings: [String]) throws -> Trial {
    try Trial(
      model("1"), model("2"), [mapping(mappings.joined(separator: ","))], policies: [ReadKeys.self]
    ) { store in
      for name in ["Ghost", "Ruin", "Label"] where mappings.starts(with: firstComers) {
        for _ in 0..<3 { try store.insert(name, ["name": .text(name)]) }
      }
      func objects(_ entity: String, _ name: String) throws -> [ObjectReference] {
        try (1...12).map { number in
          try store.insert(
            entity == "Animal" ? (number % 2 == 0 ? "Cat" : "Dog") : entity,
            ["name": .text("\(name)\(number)")])
        }
      }
      let pets = try objects("Animal", "p")
      let homes = try objects("House", "h")
      let tags = try objects("Tag", "t")
      for number in 0..<24 {
        try store.insert(
          "Owner", ["name": .text("o\(number)")],
          [
            "pet": [pets[number % 12]], "home": [homes[number % 2]],
            "tags": number == 0 ? tags : [tags[number % 12], tags[(number + 5) % 12]],
          ])
      }
    }
  }

  /// Declares the columns of links anew, with the same values, as texts where the type allows it.
  private static func declareLinks(as type: String, in trial: Trial) throws {
    let layout = StoreLayout(model: model("1"))
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    func declare(_ table: String, _ statement: String, _ columns: [String]) throws {
      var statement = statement
      for column in columns {
        statement.replace("\(column) INTEGER", with: "\(column) \(type)")
      }
      try store.remake(table, by: statement)
      for column in columns {
        try store.execute("UPDATE \(table) SET \(column) = CAST(\(column) AS TEXT)")
      }
    }
    let owners = try #require(layout.tables.first { $0.name == "ZOWNER" })
    let links = owners.columns.filter { column in
      switch column.role {
      case .foreignKey, .foreignEntity, .order: true
      case .key, .entityNumber, .saveCount, .attribute: false
      }
    }
    #expect(links.count == 4)
    try declare(owners.name, owners.createStatement, links.map(\.name))
    let pairs = try #require(layout.joinTables.first)
    #expect(pairs.columns.count == 3)
    try declare(pairs.name, pairs.createStatement, pairs.columns)
  }

  @Test(arguments: mappings.keys.sorted(), ["TEXT", "REAL", "BLOB", "", "VARCHAR(10)", "bigint"])
  func `a key that is stored as a text is that key`(way: String, type: String) throws {
    let mappings = try #require(Self.mappings[way])
    let plain = try Self.trial(mappings).migrate()
    let trial = try Self.trial(mappings)
    try Self.declareLinks(as: type, in: trial)
    let (found, report) = try trial.migrate()
    #expect(found == plain.contents)
    #expect(!found["Owner"].isEmpty)
    if way == "told to a policy" {
      #expect(
        found["Owner"].first { $0.key == 1 }?["name"]
          == .text("1 1 \(Array(stride(from: 1, to: 25, by: 2))) \(Array(1...12))"))
    }
    #expect(!report.warnings.all.contains { $0.code == "RUN-024" })
  }

  /// One cell of each kind of link is no key; the others stay.
  ///
  /// The keys of the objects that come first are those below the smallest key, plus the offset.
  @Test(
    arguments: ["TEXT", "BLOB", "", "INTEGER"],
    ["'none'", "'0x2'", "'2x'", "''", "x'32'", "0", "-2", "-1000", "0.5"])
  func `what is no key leads to no object, and is counted`(type: String, value: String) throws {
    let trial = try Self.trial(try #require(Self.mappings["moved"]))
    try Self.declareLinks(as: type, in: trial)
    let layout = StoreLayout(model: Self.model("1"))
    let store = try Connection(path: trial.sourcePath, mode: .readWrite)
    try store.execute("UPDATE ZOWNER SET ZPET = \(value) WHERE Z_PK = 3")
    try store.execute("UPDATE ZOWNER SET ZHOME = \(value) WHERE Z_PK = 4")
    let pairs = try #require(layout.joinTables.first)
    let tags = pairs.owner.entityName == "Tag" ? pairs.owner.column : pairs.other.column
    let owners = pairs.owner.entityName == "Tag" ? pairs.other.column : pairs.owner.column
    try store.execute(
      "UPDATE \(pairs.name) SET \(tags) = \(value) WHERE rowid = (SELECT min(rowid) FROM "
        + "\(pairs.name) WHERE \(owners) = '5')")
    let (found, report) = try trial.migrate()
    let told = report.warnings.all.filter { $0.code == "RUN-024" }.map(\.message)
    #expect(told.count == 3)
    #expect(told.allSatisfy { $0.hasPrefix("1 link of “") }, "\(told)")
    #expect(found["Owner"].filter { $0.keys("pet").isEmpty }.map(\.key) == [3])
    #expect(found["Owner"].filter { $0.keys("home").isEmpty }.map(\.key) == [4])
    // Twelve of the first owner and two of each other, without the one.
    let pairCount = found["Owner"].reduce(0) { $0 + $1.keys("tags").count }
    #expect(pairCount == 57)
  }
}
