import Passage
import PassageTesting
import TestSupport
import Testing

/// Stores of other types whose names are not those of a version: every command says what a run says.
struct ForeignNamesTests {
  private static func model(_ name: String, _ attributes: String...) -> String {
    let list = attributes.map { #"{ "name": "\#($0)", "type": "string" }"# }
    return """
      { "name": "\(name)", "entities": [
        { "name": "Person", "attributes": [ \(list.joined(separator: ", ")) ] } ] }
      """
  }

  private func project(_ name: String, _ text: String) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    try folder.write(Self.model("1", "first"), to: "Migrations/1.json")
    try folder.write(Self.model("2", "first", "nick"), to: "Migrations/2.json")
    try folder.write(
      """
      { "store": "../\(name)",
        "versions": [ { "name": "1", "model": "1.json" }, { "name": "2", "model": "2.json" } ],
        "steps": [ { "from": "1", "to": "2", "mappings": ["M"] } ] }
      """, to: "Migrations/history.json")
    try folder.write(
      """
      { "source": "1", "destination": "2", "entityMappings": [
        { "type": "copy", "source": "Person", "destination": "Person" } ] }
      """, to: "Mappings/M.json")
    try folder.write(text, to: name)
    return folder
  }

  private static let output = ["--output", "new.sqlite"]

  @Test(arguments: [
    ("a.jsonl", #"{"entity":"Person","id":1,"name":"n"}"#),
    ("a.jsonl", #"{"entity":"Person","id":1,"first":"n"}"# + "\n" + #"{"id":2,"name":null}"#),
    ("a.records", "Person::id:1:name:n"), ("a.csv", "entity,id,name\nPerson,1,n"),
  ])
  func `a file with names of no version is refused by plan and status as by a run`(
    name: String, text: String
  ) throws {
    let folder = try project(name, text + "\n")
    #expect(try MigrateProcess.run(["status"], in: folder.path).status == 20)
    for way in [[], ["--to", "2"], ["--mappings", "M"]] {
      let outcomes = try ["plan", "run"].map {
        try MigrateProcess.run([$0] + way + Self.output, in: folder.path)
      }
      for outcome in outcomes {
        #expect(outcome.status == (way.first == "--mappings" ? 41 : 20), "\(outcome.errors)")
        #expect(outcome.errors.contains("ATM-006"))
      }
      #expect(outcomes[0].errors == outcomes[1].errors)
    }
    #expect(!folder.names.contains("new.sqlite"))
  }

  @Test(arguments: [
    ("a.jsonl", #"{"entity":"Person","id":1,"nick":"n"}"#), ("a.records", "Person::id:1:nick:n"),
    ("a.csv", "entity,id,nick\nPerson,1,n"),
  ])
  func `a file with the names of the newest version is at that version`(
    name: String, text: String
  ) throws {
    let folder = try project(name, text + "\n")
    let status = try MigrateProcess.run(["status"], in: folder.path)
    #expect(status.status == 0, "\(status.output)")
    let run = try MigrateProcess.run(["run"] + Self.output, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `status and run agree on the version of a file that fits several`() throws {
    let folder = try project("a.jsonl", #"{"entity":"Person","id":1,"first":"n"}"# + "\n")
    let status = try MigrateProcess.run(
      ["status", "--to", "1", "--format", "json"], in: folder.path)
    #expect(status.status == 20)
    #expect(status.output.contains("PLN-025"))
    let plan = try MigrateProcess.run(["plan", "--to", "1"] + Self.output, in: folder.path)
    #expect(plan.status == 20 && plan.errors.contains("PLN-025"), "\(plan.errors)")
  }
}
