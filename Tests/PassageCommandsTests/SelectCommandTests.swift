import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// `migrate select`.
struct SelectCommandTests {
  private func select(_ project: ExampleProject, _ arguments: String...) throws
    -> MigrateProcess.Outcome
  {
    try MigrateProcess.run(
      ["select", "--store", ExampleProject.sample, "--entity", "Event"] + arguments,
      in: project.folder.path)
  }

  @Test
  func `the objects are counted and the filter and its negation part them`() throws {
    let project = try ExampleProject()
    let before = (project.names(), try project.sampleBytes())
    let all = try select(project)
    #expect(all.status == 0 && all.output == "2000\n")
    let some = try select(project, "--filter", "timeStamp != nil")
    let others = try select(project, "--filter", "NOT (timeStamp != nil)")
    let counts = try [some, others].map {
      try #require(Int($0.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
    #expect(counts.reduce(0, +) == 2_000 && counts[0] > 0)
    #expect(
      try select(project, "--filter", "timeStamp != nil", "--in-memory").output == some.output)
    #expect(project.names() == before.0)
    #expect(try project.sampleBytes() == before.1)
  }

  @Test
  func `keys are listed in both forms`() throws {
    let project = try ExampleProject()
    let lines = try select(project, "--keys").output.split(separator: "\n")
    #expect(lines.count == 2_000 && lines.first == "1" && lines.last == "2000")
    let json = try select(project, "--keys", "--format", "json").json
    #expect(json["count"]?.number == 2_000)
    #expect(json["keys"]?.elements.map(\.number) == (1...2_000).map { $0 })
    let count = try select(project, "--format", "json", "--filter", "FALSEPREDICATE")
    let empty = try count.json
    #expect(empty["count"]?.number == 0 && empty["keys"]?.elements.isEmpty == true)
  }

  @Test
  func `an explanation shows tree, SQL, memory and index`() throws {
    let project = try ExampleProject()
    let outcome = try select(
      project, "--explain", "--filter", "timeStamp != nil AND NOT (timeStamp < now())")
    #expect(outcome.status == 0)
    for text in [
      "filter\n  AND\n    timeStamp != nil\n    NOT\n      timeStamp < now()", "in SQL\n  SELECT",
      "in memory\n  nothing", "index\n  none", "count\n",
    ] {
      #expect(outcome.output.contains(text), "\(outcome.output)")
    }
    let json = try select(
      project, "--explain", "--in-memory", "--format", "json", "--filter", "timeStamp != nil"
    ).json
    #expect(json["inMemory"]?[0]?["part"]?.text == "timeStamp != nil")
    #expect(json["inMemory"]?[0]?["reason"]?.text == "it was requested")
  }

  @Test
  func `a mistake points at the character with the nearest name`() throws {
    let project = try ExampleProject()
    let wrong = try select(project, "--filter", "1 == 1 AND timeStmp != nil")
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("--filter:1:12"), "\(wrong.errors)")
    #expect(wrong.errors.contains("1 | 1 == 1 AND timeStmp != nil\n      |            ^"))
    #expect(wrong.errors.contains("timeStamp"))
    let entity = try project.migrate(
      "select", "--store", ExampleProject.sample, "--entity", "Evnt")
    #expect(entity.status == 64 && entity.errors.contains("did you mean “Event”?"))
    #expect(
      try project.migrate("select", "--store", "none.sqlite", "--entity", "Event").status == 64)
    let model = try select(project, "--model", "none.json")
    #expect(model.status == 64)
  }

  @Test(arguments: [["select", "--entity", "EventTimestamp"], ["pack", "--output", "p.sqlite"]])
  func `a model that is not the store's is a wrong call, and no damage`(_ call: [String]) throws {
    let project = try ExampleProject()
    let outcome = try project.migrate(
      call + ["--store", ExampleProject.sample, "--model", "Migrations/Events 2.json"])
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.errors.contains("error[CMD-110]"))
    #expect(outcome.errors.contains("it has no table ZEVENTPRINTEDDATE"))
  }

  @Test
  func `an object that a function cannot read ends with the policy's status`() throws {
    let project = try ExampleProject()
    let outcome = try select(
      project, "--in-memory", "--filter",
      "numberInJSON(formatDate(timeStamp), '') == 1")
    #expect(outcome.status == 41)
    #expect(outcome.errors.contains("SEL-002") && outcome.errors.contains("key 1"))
  }

  @Test func `a file with a header and no record is a table without objects`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("id,title\n", to: "Notes.csv")
    let call = ["select", "--store", "Notes.csv", "--entity"]
    let outcome = try MigrateProcess.run(
      call + ["Note", "--filter", "title != nil"], in: folder.path)
    #expect(outcome.status == 0 && outcome.output == "0\n", "\(outcome.errors)")
    // Which entities such a file has, its records would say.
    try folder.write("entity,id,title\n", to: "Notes.csv")
    let none = try MigrateProcess.run(call + ["Note"], in: folder.path)
    #expect(none.status == 64 && none.errors.contains("it has no entities at all"))
    #expect(!none.errors.contains("ATM-006") && !none.errors.contains("  try"))
  }

  @Test func `objects of subentities are among the selected on request only`() throws {
    let folder = try TemporaryDirectory()
    let model = Model(
      name: "M",
      entities: [
        Entity(name: "Animal", attributes: [Attribute(name: "name", type: .string)]),
        Entity(name: "Bird", parentName: "Animal"), Entity(name: "Owl", parentName: "Bird"),
      ])
    let store = try TestStore(model: model, at: folder.path("zoo.sqlite"))
    for entity in ["Animal", "Bird", "Owl"] {
      try store.insert(entity, ["name": "a"])
      try store.insert(entity, ["name": "b"])
    }
    try store.close()
    func select(_ entity: String, _ more: String...) throws -> String {
      let outcome = try MigrateProcess.run(
        ["select", "--store", "zoo.sqlite", "--entity", entity, "--filter", "name == 'a'"] + more,
        in: folder.path)
      return outcome.status == 0 ? outcome.output : outcome.errors
    }
    #expect(try select("Animal") == "1\n" && select("Bird") == "1\n")
    #expect(try select("Animal", "--subentities") == "3\n")
    #expect(try select("Bird", "--subentities") == "2\n")
    #expect(try select("Owl", "--subentities") == "1\n")
    #expect(try select("Animal", "--subentities", "--in-memory") == "3\n")
    #expect(try select("Bird", "--subentities", "--keys") == "3\n5\n")
  }

  @Test func `plain tables are selected from, and stay as they are`() throws {
    let folder = try TemporaryDirectory()
    let made = try MigrateProcess.run(
      [], in: folder.path,
      after: """
        sqlite3 shop.db "CREATE TABLE shops (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE items (id INTEGER PRIMARY KEY, price REAL, shop_id INTEGER REFERENCES shops);
          INSERT INTO shops VALUES (3, 'A'), (5, 'B');
          INSERT INTO items VALUES (1, 1.5, 3), (2, 20, 5), (3, NULL, 5)"
        """)
    try #require(made.status == 0, "\(made.errors)")
    let before = folder.contents("shop.db")
    func select(_ entity: String, _ more: String...) throws -> String {
      let outcome = try MigrateProcess.run(
        ["select", "--store", "shop.db", "--entity", entity] + more, in: folder.path)
      return outcome.status == 0 ? outcome.output : outcome.errors
    }
    #expect(try select("Shop", "--keys") == "3\n5\n")
    #expect(try select("Item", "--filter", "price > 1") == "2\n")
    #expect(try select("Item", "--filter", "shop.name == 'B'", "--keys") == "2\n3\n")
    #expect(try select("Item", "--filter", "price == nil", "--in-memory") == "1\n")
    #expect(try select("Item", "--subentities") == "3\n")
    #expect(try select("Thing").contains("error["))
    #expect(folder.contents("shop.db") == before && folder.everything == ["shop.db"])
  }
}
