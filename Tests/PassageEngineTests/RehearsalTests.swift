import Foundation
import Passage
import PassageEngine
import PassageTesting
import Synchronization
import TestSupport
import Testing

@Suite struct RehearsalTests {
  // MARK: Projects

  private static let title = #"{"name": "title", "type": "string", "optional": true}"#
  private static let size = #"{"name": "size", "type": "integer32", "optional": true}"#

  /// A project of two or more versions of one entity, in a folder of its own.
  private func project(
    _ versions: [[String]], mappings: [String]
  ) throws -> (folder: TemporaryDirectory, rehearsal: URL) {
    let folder = try TemporaryDirectory()
    for (number, attributes) in versions.enumerated() {
      try folder.write(
        Array(
          """
          {"name": "\(number + 1)", "entities": [
            {"name": "Item", "attributes": [\(attributes.joined(separator: ", "))]}]}
          """.utf8), to: "Migrations/\(number + 1).json")
    }
    let names = versions.indices.map { #"{"name": "\#($0 + 1)", "model": "\#($0 + 1).json"}"# }
    let steps = mappings.indices.map {
      #"{"from": "\#($0 + 1)", "to": "\#($0 + 2)", "mappings": ["Step\#($0 + 1)"]}"#
    }
    try folder.write(
      Array(
        #"{"versions": [\#(names.joined(separator: ","))], "steps": [\#(steps.joined(separator: ","))]}"#
          .utf8), to: "Migrations/history.json")
    for (number, members) in mappings.enumerated() {
      try folder.write(
        Array(
          """
          {"source": "\(number + 1)", "destination": "\(number + 2)", "entityMappings": [
            {"type": "transform", "source": "Item", "destination": "Item", \(members)}]}
          """.utf8), to: "Mappings/Step\(number + 1).json")
    }
    return (folder, folder.url("Migrations"))
  }

  private static let note = #"{"name": "note", "type": "string", "optional": true}"#

  // MARK: What is found

  @Test func `every way of three versions gives the same store`() throws {
    let (folder, url) = try project(
      [[Self.title, Self.size], [Self.title, Self.size, Self.note], [Self.title, Self.note]],
      mappings: [
        #""attributes": {"title": {}, "size": {}, "note": "uppercase:($source.title)"}"#,
        #""attributes": {"title": {}, "note": {}}"#,
      ])
    var rehearsal = Rehearsal(migrations: url)
    rehearsal.seed = 3
    let model = try ModelFile.read(path: folder.path("Migrations/1.json"))
    let store = try TestStore(model: model, at: folder.path("real.sqlite"))
    try store.insert("Item", ["title": "one"])
    try store.close(isLogKept: true)
    let before = folder.contents("real.sqlite")
    let report = try rehearsal.run(stores: [folder.url("real.sqlite")])
    #expect(report.failures == [])
    #expect(report.hasPassed)
    #expect(report.subjects.map(\.version) == ["1", "2", "1"])
    #expect(report.subjects.map(\.objects) == [40, 40, 1])
    // From version 2 there is only one step.
    let skipped = report.subjects.map { subject in
      subject.trials.filter { if case .skipped = $0.outcome { true } else { false } }.map(\.way)
    }
    #expect(skipped == [[], [.stepByStep], []])
    #expect(folder.contents("real.sqlite") == before)
    #expect(folder.names == ["Mappings", "Migrations", "real.sqlite", "real.sqlite-wal"])
  }

  /// Remembers across objects what it may not.
  private final class Numbering: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    static let needs: Set<MigrationContext.Need> = [.order]
    private let count = Mutex(Int64(0))

    init(mapping: PolicyMapping) {}

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      var object = try context.defaultDestination(for: source)
      let number = count.withLock { count in
        count += 1
        return count
      }
      try object.set("size", to: .integer(number))
      try context.insert(object, for: source)
    }
  }

  @Test func `every way has the same time and chance`() throws {
    let made = #"{"name": "made", "type": "date"}"#
    let id = #"{"name": "id", "type": "uuid"}"#
    let share = #"{"name": "share", "type": "double"}"#
    let (folder, url) = try project(
      [[Self.title], [Self.title, made, share], [Self.title, made, share, id]],
      mappings: [
        #""attributes": {"title": {}, "made": "now()", "share": "random()"}"#,
        #""attributes": {"title": {}, "made": {}, "share": {}, "id": "randomUUID()"}"#,
      ])
    let report = try Rehearsal(migrations: url).run()
    withExtendedLifetime(folder) {}
    #expect(report.hasPassed, "\(report.failures)")
  }

  @Test func `a policy that does not survive an interruption is found`() throws {
    let (folder, url) = try project(
      [[Self.title, Self.size], [Self.title, Self.size, Self.note]],
      mappings: [#""policy": "Numbering", "attributes": {"title": {}}"#])
    let report = try Rehearsal(migrations: url, policies: [Numbering.self]).run()
    withExtendedLifetime(folder) {}
    let failures = report.subjects.flatMap(\.failures)
    #expect(failures.map(\.way) == [.interrupted], "\(report.failures)")
    #expect(report.failures.first?.contains("differences from the direct way: Item") == true)
    #expect(!report.hasPassed)
    let findings = failures.flatMap(\.findings)
    #expect(findings.map(\.code) == ["REH-010"])
    #expect(findings.first?.remedy?.contains("what a policy remembers") == true)
    #expect(report.subjects.flatMap(\.trials).count { !$0.findings.isEmpty } == 1)
  }

  @Test func `a migration that made-up values break is told with its error`() throws {
    let (folder, url) = try project(
      [[Self.title], [Self.title, Self.note]],
      mappings: [
        #""attributes": {"title": {}, "note": "formatDate(parseDate($source.title, \"y\", \"UTC\", \"en\"), \"y\", \"UTC\", \"en\")"}"#
      ])
    let report = try Rehearsal(migrations: url).run()
    withExtendedLifetime(folder) {}
    guard case .failed(let text, let kind)? = report.subjects[0].trials.first?.outcome else {
      Issue.record("it did not fail")
      return
    }
    #expect(kind == .policyFailed)
    #expect(text.contains("PRE-040"))
    #expect(report.subjects[0].trials.count == 7)
    let junit = report.junit
    #expect(junit.contains(#"tests="7" failures="1" skipped="6""#))
    #expect(junit.contains("PRE-040") && !junit.contains("“title”: \""))
  }

  @Test func `a version without a way is told, and an unknown version refused`() throws {
    let (folder, url) = try project(
      [[Self.title], [Self.title, Self.size], [Self.title, Self.size, Self.note]],
      mappings: [#""attributes": {"title": {}}"#])
    let report = try Rehearsal(migrations: url).run()
    #expect(report.subjects.map { $0.failures.count } == [1, 1])
    #expect(report.failures.allSatisfy { $0.contains("PLN-0") })
    var inferring = Rehearsal(migrations: url)
    inferring.allowsInference = true
    #expect(try inferring.run().failures == [])
    var other = Rehearsal(migrations: url)
    other.target = "9"
    #expect(try #require(throws: MigrationError.self) { try other.run() }.codes == ["PLN-018"])
    try folder.write([1, 2, 3], to: "broken.sqlite")
    let broken = try inferring.run(stores: [folder.url("broken.sqlite")])
    #expect(broken.subjects.last?.failures.count == 1)
  }

  @Test func `the school is rehearsed with its policies`() throws {
    var rehearsal = Rehearsal(
      migrations: URL(filePath: SchoolTests.folder + "/Migrations"),
      policies: [OneTeacherForEachAddress.self, EnrollmentWithGrade.self])
    rehearsal.seed = 1
    // Version 2 requires what version 1 does not.
    #expect(try rehearsal.run().failures.first?.contains("VAL-001") == true)
    rehearsal.makesNil = false
    let report = try rehearsal.run()
    #expect(report.failures == [])
    #expect(report.subjects.map(\.objects) == [200])
  }
}

@Suite struct MadeUpStoreTests {
  /// Every attribute type, with rules, a uniqueness constraint, and each kind of relationship.
  private static let model: Model = {
    var attributes = AttributeType.allCases
      .filter { ![.undefined, .objectID, .composite].contains($0) }
      .flatMap { type in
        [
          Attribute(name: "a\(type.rawValue)", type: type),
          Attribute(name: "r\(type.rawValue)", type: type, isOptional: false),
        ]
      }
    var short = Attribute(name: "short", type: .string, isOptional: false)
    (short.minimum, short.maximum) = ("2", "5")
    var narrow = Attribute(name: "narrow", type: .integer32, isOptional: false)
    (narrow.minimum, narrow.maximum) = ("10", "12")
    var matched = Attribute(name: "matched", type: .string, isOptional: false)
    matched.regularExpression = "[a-z ]+"
    var file = Attribute(name: "file", type: .binary)
    file.allowsExternalBinaryDataStorage = true
    attributes += [short, narrow, matched, file, Attribute(name: "code", type: .string)]
    var item = Entity(name: "Item", attributes: attributes)
    item.uniquenessConstraints = [["code"]]
    func link(
      _ name: String, _ to: String, _ inverse: String, _ least: Int, _ most: Int,
      isOrdered: Bool = false
    ) -> Relationship {
      Relationship(
        name: name, destinationEntityName: to, inverseName: inverse, isOptional: least == 0,
        minimumCount: least, maximumCount: most, isOrdered: isOrdered)
    }
    item.relationships = [
      link("owner", "Owner", "items", 1, 1), link("tags", "Tag", "items", 0, 3),
      link("twin", "Item", "twin", 0, 1), link("card", "Card", "item", 1, 1),
    ]
    var owner = Entity(name: "Owner", attributes: [.text("name")])
    owner.relationships = [link("items", "Item", "owner", 0, 0, isOrdered: true)]
    var tag = Entity(name: "Tag", attributes: [.text("name")])
    tag.relationships = [link("items", "Item", "tags", 0, 0)]
    var card = Entity(name: "Card", attributes: [.text("name")])
    card.relationships = [link("item", "Item", "card", 0, 1)]
    var special = Entity(name: "Special", attributes: [.text("more")])
    special.parentName = "Tag"
    return Model(name: "All", entities: [item, owner, tag, card, special])
  }()

  @Test(arguments: [1, 2, 3, 40])
  func `made-up objects follow the rules of their model`(count: Int) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("made.sqlite")
    let store = try TestStore(model: Self.model, at: path)
    #expect(try store.insertMadeUpObjects(count: count, seed: 5) == count * 5)
    try store.close()
    #expect(try StoreAudit(path: path, model: Self.model).findings == [])
    let contents = try StoreContents(path: path, model: Self.model)
    let items = contents["Item"]
    #expect(items.count == count)
    #expect(Set(items.compactMap { $0["code"].string }).count == count)
    for item in items {
      #expect((2...5).contains(item["short"].string?.count ?? 0))
      #expect((10...12).contains(item["narrow"].integer ?? 0))
      let text = item["matched"].string ?? ""
      #expect(!text.isEmpty && text.allSatisfy { $0 == " " || ("a"..."z").contains($0) })
      for type in AttributeType.allCases {
        if let value = item.attributes["r\(type.rawValue)"] { #expect(!value.isNull, "\(type)") }
      }
      #expect(item.keys("owner").count == 1)
      #expect(item.keys("card").count == 1)
      #expect(item.keys("tags").count <= 3)
    }
    // The same seed gives the same store.
    let again = folder.path("again.sqlite")
    let second = try TestStore(model: Self.model, at: again)
    try second.insertMadeUpObjects(count: count, seed: 5)
    try second.close()
    #expect(
      try StoreContents(path: again, model: Self.model).differences(from: contents) == [])
  }

  /// Limits that no value meets, or that are no limits.
  static let oddLimits: [(minimum: String?, maximum: String?)] = [
    ("nan", nil), (nil, "nan"), ("nan", "nan"), ("inf", nil), ("-inf", "inf"), (nil, "-inf"),
    (nil, "-1e300"), ("1e300", nil), ("1e300", "-1e300"), ("-5", "-1"), ("5", "2"), ("x", ""),
    ("9223372036854774784", nil), ("-9223372036854775808", "9223372036854775807"),
  ]

  @Test(arguments: oddLimits, [false, true])
  func `objects are made up whatever limits a model has`(
    limits: (minimum: String?, maximum: String?), isUnique: Bool
  ) throws {
    let types: [AttributeType] = [
      .integer16, .integer64, .decimal, .double, .float, .date, .string,
    ]
    var item = Entity(
      name: "Item",
      attributes: types.map { type in
        var attribute = Attribute(name: "a\(type.rawValue)", type: type)
        (attribute.minimum, attribute.maximum) = limits
        return attribute
      })
    if isUnique { item.uniquenessConstraints = item.attributes.map { [$0.name] } }
    let folder = try TemporaryDirectory()
    let model = Model(name: "Limits", entities: [item])
    let store = try TestStore(model: model, at: folder.path("made.sqlite"))
    #expect(try store.insertMadeUpObjects(count: 1_100, seed: 5) == 1_100)
    try store.close()
    #expect(try StoreAudit(path: folder.path("made.sqlite"), model: model).findings == [])
  }

  @Test func `a limit that is not a number is none`() throws {
    var size = Attribute(name: "size", type: .integer32, isOptional: false)
    size.minimum = "nan"
    let folder = try TemporaryDirectory()
    let model = Model(name: "Limits", entities: [Entity(name: "Item", attributes: [size])])
    let store = try TestStore(model: model, at: folder.path("made.sqlite"))
    try store.insertMadeUpObjects(count: 20, seed: 5)
    try store.close()
    let contents = try StoreContents(path: folder.path("made.sqlite"), model: model)
    #expect(Set(contents["Item"].map { $0["size"] }).count > 10)
  }

  /// What looks for a match in such a pattern takes twice as long for each further letter.
  @Test func `a pattern that fits in very many ways does not keep made-up objects waiting`() throws
  {
    var text = Attribute(name: "text", type: .string, isOptional: false)
    text.regularExpression = "([a-zA-Z]+|[a-z ]+|.)+X"
    let folder = try TemporaryDirectory()
    let model = Model(name: "Slow", entities: [Entity(name: "Item", attributes: [text])])
    let store = try TestStore(model: model, at: folder.path("made.sqlite"))
    let seconds = try HangGuard.seconds {
      _ = try store.insertMadeUpObjects(count: 10, seed: 5)
    }
    #expect(seconds < HangGuard.bound)
    try store.close()
    let contents = try StoreContents(path: folder.path("made.sqlite"), model: model)
    #expect(contents["Item"].allSatisfy { !$0["text"].isNull })
  }

  @Test func `long texts are made up in proportion to their length`() throws {
    var text = Attribute(name: "text", type: .string, isOptional: false)
    text.minimum = "9999"
    let folder = try TemporaryDirectory()
    let model = Model(name: "Long", entities: [Entity(name: "Item", attributes: [text])])
    let store = try TestStore(model: model, at: folder.path("made.sqlite"))
    let seconds = try HangGuard.seconds {
      _ = try store.insertMadeUpObjects(count: 500, seed: 5)
    }
    #expect(seconds < HangGuard.bound)
    try store.close()
    let contents = try StoreContents(path: folder.path("made.sqlite"), model: model)
    #expect(contents["Item"].allSatisfy { ($0["text"].string?.count ?? 0) >= 9_999 })
  }

  @Test func `a value that may be in a file is in one, in every store of a rehearsal`() throws {
    var photo = Attribute(name: "photo", type: .binary)
    photo.allowsExternalBinaryDataStorage = true
    let model = Model(name: "Photos", entities: [Entity(name: "Item", attributes: [photo])])
    let folder = try TemporaryDirectory()
    for name in ["one", "two"] {
      let store = try TestStore(model: model, at: folder.path("\(name).sqlite"))
      try store.insertMadeUpObjects(count: 6, seed: 2)
      try store.close()
    }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.path(".one_SUPPORT/_EXTERNAL_DATA"))
    #expect(names.count >= 1)
    let contents = try StoreContents(path: folder.path("one.sqlite"), model: model)
    let cells = contents["Item"].compactMap { $0["photo"].bytes }.filter { $0.first == 2 }
    #expect(Set(cells.map { String(decoding: $0[1..<37], as: UTF8.self) }) == Set(names))
    for name in names {
      let bytes = folder.contents(".one_SUPPORT/_EXTERNAL_DATA/\(name)")
      #expect(bytes == folder.contents(".two_SUPPORT/_EXTERNAL_DATA/\(name)"))
    }
  }

  @Test func `ordered relationships have an order of their own, and one reaches its count`() throws
  {
    var list = Entity(name: "List", attributes: [.text("name")])
    list.relationships = [
      Relationship(
        name: "parts", destinationEntityName: "Part", inverseName: "lists", maximumCount: 20,
        isOrdered: true),
      Relationship(
        name: "own", destinationEntityName: "Part", inverseName: "owner", maximumCount: 0,
        isOrdered: true),
    ]
    var part = Entity(name: "Part", attributes: [.text("name")])
    part.relationships = [
      Relationship(
        name: "lists", destinationEntityName: "List", inverseName: "parts", maximumCount: 0),
      Relationship(
        name: "owner", destinationEntityName: "List", inverseName: "own", maximumCount: 1),
    ]
    let model = Model(name: "Ordered", entities: [list, part])
    let folder = try TemporaryDirectory()
    let store = try TestStore(model: model, at: folder.path("made.sqlite"))
    try store.insertMadeUpObjects(count: 40, seed: 4)
    try store.close()
    #expect(try StoreAudit(path: store.path, model: model).findings == [])
    let lists = try StoreContents(path: store.path, model: model)["List"]
    #expect(lists.map { $0.keys("parts").count }.max() == 20)
    for name in ["parts", "own"] {
      #expect(lists.contains { $0.keys(name) != $0.keys(name).sorted() }, "\(name)")
    }
  }
}

@Suite struct ExpectEqualTests {
  private static let model: Model = {
    var person = Entity(name: "Person", attributes: [.text("name")])
    person.relationships = [
      Relationship(
        name: "friend", destinationEntityName: "Person", inverseName: nil, isOptional: true,
        minimumCount: 0, maximumCount: 1)
    ]
    return Model(name: "People", entities: [person])
  }()

  private func store(_ folder: TemporaryDirectory, _ name: String, _ names: [String]) throws
    -> TestStore
  {
    let store = try TestStore(model: Self.model, at: folder.path(name))
    for name in names { try store.insert("Person", ["name": .text(name)]) }
    return store
  }

  @Test func `a test fails with a sentence for each difference`() throws {
    let folder = try TemporaryDirectory()
    let expected = try store(folder, "expected.sqlite", ["Ann", "Bob", "Cid"])
    let found = try store(folder, "found.sqlite", ["Ann", "Rob"])
    try found.relate(
      ObjectReference(entityName: "Person", key: 1), "friend",
      to: [ObjectReference(entityName: "Person", key: 2)])
    try found.close()
    #expect(throws: StoreContents.Mistake.self) { try expected.expectEqual(storeAt: found.path) }
    try expected.close()
    let error = try #require(throws: StoreContents.Inequality.self) {
      try expected.expectEqual(storeAt: found.path)
    }
    #expect(error.differences.count == 3)
    #expect(error.differences[0] == "Person 1 has friend Person 2, not nothing")
    #expect(error.differences[1].contains("Rob") && error.differences[1].contains("not "))
    #expect(error.differences[2] == "Person 3 is missing")
    let short = try #require(throws: StoreContents.Inequality.self) {
      try found.expectEqual(storeAt: expected.path, limit: 1)
    }
    #expect(short.unlistedCount == 2 && short.description.hasSuffix("; and 2 more"))
    try found.expectEqual(storeAt: found.path)
  }
}
