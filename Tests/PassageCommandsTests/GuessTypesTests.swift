import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// `migrate inspect FILE --guess-types`.
struct GuessTypesTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write(
      Array(
        """
        id,name,age,price,zip,active,born,key,huge,none
        1,Ann,4,1.5,01234,true,1980-02-29,123E4567-E89B-12D3-A456-426614174000,12345678901234567890,
        2,Bo,-3,2,99999,FALSE,1999-12-31T23:59:59Z,123E4567-E89B-12D3-A456-426614174001,1,
        3,7,,,5,,,,2,

        """.utf8), to: "things.csv")
  }

  private func guess(_ arguments: String...) throws -> MigrateProcess.Outcome {
    try MigrateProcess.run(
      ["inspect", "things.csv", "--guess-types"] + arguments, in: folder.path)
  }

  @Test func `each type is one that every value of the column supports`() throws {
    let json = try guess("--format", "json").json
    guard case .array(let columns)? = json["columns"]?.kind else {
      Issue.record("no columns")
      return
    }
    #expect(
      columns.map { "\($0["column"]?.text ?? "") \($0["type"]?.text ?? "")" } == [
        "name string", "age integer64", "price double", "zip string", "active boolean",
        "born date", "key uuid", "huge string", "none string",
      ])
    #expect(columns[1]["nil"]?.number == 1)
    #expect(columns[1]["support"]?["integer64"]?.number == 2)
    #expect(columns[0]["support"]?["integer64"]?.number == 1)
    #expect(columns[3]["support"]?["integer64"]?.number == 2)
  }

  @Test func `the written settings give the file a model with these types`() throws {
    let settings = "things.csv.store.json"
    #expect(try guess("--output", settings).status == 0)
    let model = try ModelFile.read(path: folder.path("things.csv"))
    let types = model.entities[0].attributes.map { "\($0.name) \($0.type.name)" }
    #expect(types.contains("age integer64") && types.contains("born date"))
    let selected = try MigrateProcess.run(
      ["select", "--store", "things.csv", "--entity", "Thing", "--filter", "age < 0"],
      in: folder.path)
    #expect(selected.output == "1\n", "\(selected.errors)")
  }

  @Test func `edited settings are replaced only by force, and keep their other members`() throws {
    let settings = "things.csv.store.json"
    let edited = #"{"type": "delimited", "nullText": "", "types": {"Thing": {"age": "decimal"}}}"#
    try folder.write(Array(edited.utf8), to: settings)
    let refused = try guess("--output", settings)
    #expect(refused.status == 64 && refused.errors.contains("CMD-030"))
    #expect(try String(contentsOfFile: folder.path(settings), encoding: .utf8) == edited)
    #expect(try guess("--output", settings, "--force").status == 0)
    let written = try String(contentsOfFile: folder.path(settings), encoding: .utf8)
    #expect(written.contains(#""nullText": """#) && written.contains(#""age": "integer64""#))
  }

  @Test(arguments: [
    (["things.csv", "--output", "x.json"], "CMD-085"),
    (["things.txt", "--guess-types"], "CMD-086"), (["nothing.csv", "--guess-types"], "STO-101"),
    (["things.csv", "--guess-types", "--output", "things.csv", "--force"], "RUN-060"),
  ])
  func `a wrong call is refused, and nothing is written`(call: [String], code: String) throws {
    try folder.write(Array("a".utf8), to: "things.txt")
    let before = FileManager.default.contents(atPath: folder.path("things.csv"))
    let outcome = try MigrateProcess.run(["inspect"] + call, in: folder.path)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(code), "\(outcome.errors)")
    #expect(FileManager.default.contents(atPath: folder.path("things.csv")) == before)
    #expect(FileManager.default.contents(atPath: folder.path("x.json")) == nil)
  }

  @Test func `a type that text cannot hold is a mistake in the settings`() throws {
    let edited = #"{"type": "delimited", "types": {"Thing": {"age": "objectID"}}}"#
    try folder.write(Array(edited.utf8), to: "things.csv.store.json")
    let outcome = try MigrateProcess.run(["inspect", "things.csv"], in: folder.path)
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("ATM-017"))
    #expect(outcome.errors.contains("things.csv.store.json:1:"))
  }

  @Test(arguments: [
    (
      "id,name,age\n1,Ann,3\n",
      #""types": {"P": {"aeg": "integer64", "zip": "date", "id": "integer64"}}"#,
      ["the column “aeg” of “P”", "did you mean “age”?", "the column “zip” of “P”"]
    ),
    (
      "id,name,age\n", #""types": {"P": {"aeg": "integer64"}, "p": {"age": "integer64"}}"#,
      ["the column “aeg” of “P”", "the entity “p”, which", "did you mean “P”?"]
    ),
    (
      "1,3\n", #""header": false, "columns": ["id", "age"], "types": {"P": {"agee": "integer64"}}"#,
      ["the column “agee” of “P”", "did you mean “age”?"]
    ),
    (
      "id,entity,age\n1,A,3\n2,B,4\n",
      #""types": {"A": {"aeg": "integer64"}, "B": {"age": "integer64"}, "C": {"age": "date"}}"#,
      ["the column “aeg” of “A”", "did you mean “age”?"]
    ),
    (
      "A,1,3\nB,2,x\n",
      #"""
      "header": false, "entityColumn": "e", "entities": {"A": {"columns": ["e", "id", "age"]},
      "B": {"columns": ["e", "id", "name"]}}, "types": {"B": {"age": "integer64"}}
      """#,
      ["the column “age” of “B”"]
    ),
  ])
  func `a type of a column that the file does not have is a mistake in the settings`(
    text: String, members: String, parts: [String]
  ) throws {
    try folder.write(Array(text.utf8), to: "p.csv")
    try folder.write(
      Array(#"{"type": "delimited", \#(members)}"#.utf8), to: "p.csv.store.json")
    let outcome = try MigrateProcess.run(["inspect", "p.csv"], in: folder.path)
    #expect(outcome.status == 65)
    for part in parts { #expect(outcome.errors.contains(part), "\(outcome.errors)") }
    let expected = parts.count { !$0.hasPrefix("did") }
    #expect(outcome.errors.components(separatedBy: "error[ATM-017]").count - 1 == expected)
    #expect(outcome.errors.contains("--> p.csv.store.json"))
  }

  @Test func `a type of a member that no line has is not a mistake`() throws {
    try folder.write(Array(#"{"id":1,"name":"x"}"#.utf8), to: "p.jsonl")
    try folder.write(
      Array(#"{"type": "json-lines", "types": {"P": {"age": "integer64"}}}"#.utf8),
      to: "p.jsonl.store.json")
    #expect(try MigrateProcess.run(["inspect", "p.jsonl"], in: folder.path).status == 0)
  }

  @Test func `the types of JSON lines are those of the values, and dates are found`() throws {
    try folder.write(
      """
      {"id":1,"name":"7","age":4,"born":"1980-02-29","active":true}
      {"id":2,"name":"Bo","age":null,"born":null,"active":false}

      """, to: "events.jsonl")
    let settings = "events.jsonl.store.json"
    let outcome = try MigrateProcess.run(
      ["inspect", "events.jsonl", "--guess-types", "--output", settings], in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let written = try String(contentsOfFile: folder.path(settings), encoding: .utf8)
    #expect(written.contains(#""type": "json-lines""#) && !written.contains("separator"))
    let model = try ModelFile.read(path: folder.path("events.jsonl"))
    #expect(
      model.entities[0].attributes.map { "\($0.name) \($0.type.name)" } == [
        "name string", "age integer64", "born date", "active boolean",
      ])
  }

  @Test func `a column that is always empty is an attribute of the only entity`() throws {
    let made = try MigrateProcess.run(
      ["--store", "things.csv", "--models", "things.csv", "--output", "things.sqlite"],
      in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let model = try ModelFile.read(path: folder.path("things.csv"))
    #expect(model.entities[0].attributes.map(\.name).contains("none"))
    // With several entities it may be anybody's.
    try folder.write("entity,id,a,none\nA,1,x,\nB,2,,\n", to: "several.csv")
    let call = ["--store", "several.csv", "--models", "several.csv", "--output", "several.sqlite"]
    let refused = try MigrateProcess.run(call, in: folder.path)
    #expect(refused.errors.contains("ATM-006") && refused.errors.contains("“types”"))
    try folder.write(
      #"{"type":"delimited","types":{"B":{"none":"integer64"}}}"#, to: "several.csv.store.json")
    let typed = try MigrateProcess.run(call, in: folder.path)
    #expect(typed.status == 0, "\(typed.errors)")
  }
}
