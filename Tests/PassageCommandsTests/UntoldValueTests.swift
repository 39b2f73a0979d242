import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// Values of attributes never are in a message, a report or a record of what was quarantined: wherever a
/// file holds them, and whatever is wrong with it.
struct UntoldValueTests {
  /// In every place where a value or an identifier can stand.
  private static let secret = "Gerda-Mustermann 42"

  private static let files: [(name: String, text: String)] = [
    ("row.csv", "entity,id,name,age,boss\nPerson,1,SECRET,SECRET,\n"),
    (
      "quote.csv", "entity,id,name,age,boss\nPerson,1,\"SECRET\"SECRET,1,\nPerson,2,SE\"SECRET,1,\n"
    ),
    ("open.csv", "entity,id,name,age,boss\nPerson,1,\"SECRET,1,\nPerson,2,SECRET,1,\n"),
    ("short.csv", "entity,id,name,age,boss\nPerson,1,SECRET\nPerson,2,SECRET,1,,SECRET\n"),
    ("slipped.csv", "entity,id,name,age,boss\nSECRET,Person,1,SECRET,1\n"),
    ("headless.csv", "Person,1,SECRET,SECRET,SECRET\nPerson,2,SECRET,1,\n"),
    ("twice.csv", "entity,id,name,age,boss\nPerson,SECRET,a,1,\nPerson,SECRET,b,1,\n"),
    ("nowhere.csv", "entity,id,name,age,boss\nPerson,1,a,1,SECRET\n"),
    (
      "two.csv",
      "entity,id,name,age,boss,staff\nPerson,SECRET,a,1,,x\nPerson,b,c,1,,x\nPerson,x,d,1,,\n"
    ),
    ("bytes.csv", "entity,id,name,age,boss\nPerson,1,SECRET\u{0},1,\n"),
    ("row.records", "Person::id:1:name:SECRET:age:SECRET\n"),
    ("key.records", "Person::id:1:SECRET:SECRET\nSECRET::id:2\n"),
    ("twice.records", "Person::id:SECRET:name:a\nPerson::id:SECRET:name:b\n"),
    ("repeated.records", "Person::id:1:SECRET:a:SECRET:b\n"),
    ("nowhere.records", "Person::id:1:boss:SECRET\n"),
    ("escape.records", "Person::id:1:name:SECRET\\q:SECRET\n"),
    (
      "row.xml",
      xml(
        "<object type=\"PERSON\" id=\"z1\"><attribute name=\"name\" type=\"string\">SECRET</attribute>"
          + "<attribute name=\"age\" type=\"int16\">SECRET</attribute></object>")
    ),
    ("text.xml", xml("<object type=\"PERSON\" id=\"z1\">SECRET</object>")),
    ("type.xml", xml("<object type=\"SECRET\" id=\"SECRET\"/>")),
    ("name.xml", xml("<object type=\"PERSON\" id=\"z1\"><attribute name=\"SECRET\"/></object>")),
    (
      "twice.xml",
      xml("<object type=\"PERSON\" id=\"SECRET\"/><object type=\"PERSON\" id=\"SECRET\"/>")
    ),
    (
      "nowhere.xml",
      xml(
        "<object type=\"PERSON\" id=\"z1\"><relationship name=\"boss\" type=\"1/1\" "
          + "destination=\"PERSON\" idrefs=\"Gerda-Mustermann\"/></object>")
    ),
    (
      "broken.xml",
      xml("<object type=\"PERSON\" id=\"z1\"><attribute name=\"name\">SECRET</object>")
    ),
  ]

  /// Where a value is in the place of a name it is a name to `inspect` and `status`, which describe the names of
  /// a file: nothing tells one from the other there.
  private static let misnamed: Set<String> = [
    "slipped.csv", "headless.csv", "key.records", "repeated.records", "type.xml", "name.xml",
  ]

  private static func xml(_ objects: String) -> String {
    "<?xml version=\"1.0\"?>\n<!DOCTYPE database SYSTEM \"x\">\n<database>\n\(objects)\n</database>\n"
  }

  private static let model = """
    { "name": "V", "entities": [
      { "name": "Person",
        "attributes": [ { "name": "name", "type": "string" }, { "name": "age", "type": "integer16" } ],
        "relationships": [
          { "name": "boss", "destination": "Person", "inverse": "staff" },
          { "name": "staff", "destination": "Person", "inverse": "boss", "toMany": true } ] } ] }
    """

  /// A project of two versions that differ in one attribute.
  private static func project() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    for name in ["Migrations", "Mappings"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try folder.write(model.replacing("\"V\"", with: "\"1\""), to: "Migrations/1.json")
    try folder.write(
      model.replacing("\"V\"", with: "\"2\"").replacing(
        "{ \"name\": \"age\"",
        with: "{ \"name\": \"nick\", \"type\": \"string\" }, { \"name\": \"age\""),
      to: "Migrations/2.json")
    try folder.write(
      """
      { "versions": [ { "name": "1", "model": "1.json" }, { "name": "2", "model": "2.json" } ],
        "steps": [ { "from": "1", "to": "2", "mappings": ["Move"] } ] }
      """, to: "Migrations/history.json")
    return folder
  }

  private static func mapping(_ attributes: String) -> String {
    """
    { "source": "1", "destination": "2", "entityMappings": [
      { "type": "transform", "source": "Person", "destination": "Person",
        "attributes": { \(attributes) }, "relationships": { "boss": {}, "staff": {} } } ] }
    """
  }

  private static func isTold(_ text: String) -> Bool {
    text.contains("Gerda") || text.contains("Mustermann")
  }

  private static func check(_ calls: [[String]], in folder: TemporaryDirectory) throws {
    for call in calls {
      for format in ["text", "json"] {
        let outcome = try MigrateProcess.run(call + ["--format", format], in: folder.path)
        let said = "\(call) \(outcome.status): \(outcome.output)\(outcome.errors)"
        #expect(!isTold(outcome.output + outcome.errors), "\(said)")
      }
    }
    for name in folder.everything where name.hasSuffix(".quarantine.jsonl") {
      #expect(!isTold(String(decoding: try bytes(of: folder.path(name)), as: UTF8.self)))
    }
  }

  @Test(arguments: files.indices)
  func `what is wrong with a file of text is reported without its values`(index: Int) throws {
    let (name, text) = Self.files[index]
    let folder = try Self.project()
    try folder.write(text.replacing("SECRET", with: Self.secret), to: name)
    try folder.write(Self.mapping("\"name\": {}, \"age\": {}"), to: "Mappings/Move.json")
    #expect(
      try MigrateProcess.run(["inspect", "Migrations/2.json"], in: folder.path).status == 0)
    try Self.check(
      [
        ["plan", "--store", name, "--to", "2"],
        ["run", "--store", name, "--to", "2", "--output", "a.sqlite"],
        ["run", "--store", name, "--to", "2", "--output", "b.sqlite", "--max-quarantined", "9"],
        ["verify", "--store", name, "--to", "2", "--output", "b.sqlite"],
      ] + (Self.misnamed.contains(name) ? [] : [["inspect", name], ["status", "--store", name]]),
      in: folder)
  }

  /// Values that a filter or a mapping cannot do anything with, in a store of Core Data's.
  @Test(arguments: [
    "\"age\": \"CAST($source.name, 'NSNumber')\"", "\"name\": \"parseDate($source.name)\"",
    "\"age\": \"parseNumber($source.name)\"", "\"age\": \"length:($source.name) / 0\"",
    "\"name\": \"JSONValue($source.name, 'a')\"",
    "\"age\": \"FUNCTION($source.name, 'integerValue') * 100000\"",
  ])
  func `what is wrong with a value is reported without the value`(attributes: String) throws {
    let folder = try Self.project()
    try folder.write(Self.mapping(attributes), to: "Mappings/Move.json")
    #expect(
      try MigrateProcess.run(
        ["create", "--model", "Migrations/1.json", "--output", "s.sqlite"], in: folder.path
      ).status == 0)
    try Connection(path: folder.path("s.sqlite"), mode: .readWrite).execute(
      "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZAGE) VALUES "
        + "(1, 1, 1, '\(Self.secret)', '\(Self.secret)'), (2, 1, 1, x'\(Self.hex)', 1)")
    try Self.check(
      [
        ["plan", "--store", "s.sqlite", "--to", "2"], ["inspect", "s.sqlite"],
        ["run", "--store", "s.sqlite", "--to", "2", "--output", "a.sqlite"],
        ["run", "--store", "s.sqlite", "--to", "2", "--output", "b.sqlite", "--max-quarantined"]
          + ["9"],
        ["verify", "--store", "s.sqlite", "--to", "2", "--output", "b.sqlite"],
        ["select", "--store", "s.sqlite", "--entity", "Person", "--filter", "age > 3"],
        ["select", "--store", "s.sqlite", "--entity", "Person", "--filter"]
          + ["parseDate(name) > now()"],
        ["run", "--store", "s.sqlite", "--to", "2", "--output", "c.csv"],
        ["run", "--store", "s.sqlite", "--to", "2", "--output", "c.xml"],
      ], in: folder)
  }

  private static let hex = secret.utf8.map { String(format: "%02x", $0) }.joined()
}
