import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// What a text file, an XML store and a plain database keep, and what is said where they cannot.
struct TextStorePromisesTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for (name, modifier) in [("1", ""), ("2", #""versionHashModifier": "cents", "#)] {
      try folder.write(
        """
        { "name": "\(name)", "entities": [ { "name": "Price", \(modifier)"attributes": [
          { "name": "amount", "type": "integer64" } ] } ] }
        """, to: "Migrations/\(name).json")
    }
    // It lacks what the first version has.
    try folder.write(
      #"{ "name": "3", "entities": [ { "name": "Price" } ] }"#, to: "Migrations/3.json")
    try folder.write(
      """
      { "name": "E", "entities": [
        { "name": "Event", "attributes": [
            { "name": "at", "type": "date" }, { "name": "size", "type": "integer16" } ],
          "relationships": [
            { "name": "guests", "destination": "Event", "toMany": true, "ordered": true },
            { "name": "host", "destination": "Event" } ] } ] }
      """, to: "E.json")
    try folder.write(
      """
      { "source": "1", "destination": "2", "entityMappings": [ { "type": "transform",
        "source": "Price", "destination": "Price",
        "attributes": { "amount": "$source.amount * 100" } } ] }
      """, to: "Mappings/Cents.json")
    try folder.write(
      """
      { "source": "1", "destination": "3", "entityMappings": [
        { "type": "copy", "source": "Price", "destination": "Price" } ] }
      """, to: "Mappings/Drop.json")
    try folder.write(
      """
      { "source": "E", "destination": "E", "entityMappings": [
        { "type": "copy", "source": "Event", "destination": "Event" } ] }
      """, to: "Mappings/Copy.json")
    try history("1", "2")
  }

  private func history(_ source: String, _ destination: String) throws {
    try folder.write(
      """
      { "versions": [ { "name": "\(source)", "model": "\(source).json" },
          { "name": "\(destination)", "model": "\(destination).json" } ],
        "steps": [ { "from": "\(source)", "to": "\(destination)",
          "mappings": ["\(destination == "2" ? "Cents" : "Drop")"] } ] }
      """, to: "Migrations/history.json")
  }

  private func run(_ arguments: String...) throws -> MigrateProcess.Outcome {
    try MigrateProcess.run(arguments, in: folder.path)
  }

  private func copy(_ source: String, _ output: String, _ more: String...) throws
    -> MigrateProcess.Outcome
  {
    try MigrateProcess.run(
      ["--store", source, "--models", "E.json", "--mappings", "Copy", "--output", output] + more,
      in: folder.path)
  }

  // MARK: Versions

  @Test func `the version of a file that has the names of two is not guessed`() throws {
    try folder.write("id,amount\n1,5\n", to: "a.csv")
    for command in ["status", "plan", "run"] {
      let places = command == "status" ? [] : ["--to", "2", "--output", "b.csv"]
      let outcome = try MigrateProcess.run([command, "--store", "a.csv"] + places, in: folder.path)
      #expect(outcome.status == 20, "\(outcome.errors)")
      #expect(outcome.errors.contains("PLN-025") && outcome.errors.contains("“1”, “2”"))
    }
    #expect(!folder.names.contains("b.csv"))
    #expect(
      try run("--store", "a.csv", "--mappings", "Cents", "--output", "b.csv").status == 0)
    #expect(String(decoding: folder.contents("b.csv") ?? [], as: UTF8.self).contains("1,500"))
  }

  /// The header of delimited text has every name; records of JSON may leave out what has no value.
  @Test(arguments: [
    ("a.csv", "id\n1\n", 0, "3"), ("a.csv", "id,amount\n1,\n", 0, "1"),
    ("a.jsonl", "{\"id\": 1}\n", 20, ""), ("a.jsonl", "{\"id\": 1, \"amount\": null}\n", 0, "1"),
  ])
  func `a file that lacks what a later version lacks too is not taken for an older one`(
    name: String, text: String, status: Int32, version: String
  ) throws {
    try history("1", "3")
    try folder.write(text, to: name)
    let outcome = try run("--store", name, "--to", "3", "--output", "b.sqlite")
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains("PLN-025") == (status == 20))
    #expect(outcome.output.contains("from “\(version)”") == (status == 0), "\(outcome.output)")
  }

  @Test func `a damaged file has the same exit status however the way is named`() throws {
    try folder.write("<?xml version=\"1.0\"?><database>", to: "a.xml")
    for way in [["--to", "2"], ["--mappings", "Cents"]] {
      let outcome = try MigrateProcess.run(
        ["--store", "a.xml"] + way + ["--output", "b.sqlite"], in: folder.path)
      #expect(outcome.status == 65 && outcome.errors.contains("MOD-103"), "\(outcome.errors)")
    }
  }

  @Test(arguments: [("é", 65), ("e", 0)])
  func `an encoding in which characters would be others is refused`(
    letter: String, status: Int32
  ) throws {
    try folder.write(
      """
      <?xml version="1.0" encoding="ISO-8859-1"?>
      <database>
        <databaseInfo><metadata><plist version="1.0"><dict>
          <key>owner</key><string>\(letter)</string>
        </dict></plist></metadata></databaseInfo>
        <object type="EVENT" id="z1"></object>
      </database>
      """, to: "a.xml")
    let outcome = try copy("a.xml", "a.sqlite")
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains("it declares the encoding iso-8859-1") == (status != 0))
  }

  // MARK: Values

  @Test func `dates outside the calendar are read from tables as they were written`() throws {
    let seconds = ["252455616000", "-63113904001", "0.012345678901234567", "5"]
    try folder.write(#"{"type": "json-lines", "dates": "reference"}"#, to: "a.jsonl.store.json")
    try folder.write(
      seconds.enumerated().map { #"{"id": \#($0.offset + 1), "at": \#($0.element)}"# + "\n" }
        .joined(), to: "a.jsonl")
    #expect(try copy("a.jsonl", "a.db", "--output-type", "tables").status == 0)
    let back = try copy("a.db", "a.sqlite")
    #expect(back.status == 0, "\(back.errors)")
    let connection = try Connection(path: folder.path("a.sqlite"), mode: .readOnly)
    let found = try connection.prepare("SELECT ZAT FROM ZEVENT ORDER BY Z_PK")
    for text in seconds {
      #expect(try found.step())
      #expect(found.value(at: 0).double == Double(text))
    }
  }

  @Test(arguments: ["b.csv", "b.jsonl", "b.records"])
  func `a date outside the calendar is written with what its refusal names`(name: String) throws {
    try folder.write(#"{"type": "json-lines", "dates": "reference"}"#, to: "a.jsonl.store.json")
    try folder.write(#"{"id": 1, "at": 252455616000}"# + "\n", to: "a.jsonl")
    let refused = try copy("a.jsonl", name)
    #expect(refused.status == 41 && refused.errors.contains("ATM-015"), "\(refused.errors)")
    #expect(refused.errors.contains("--dates unix"))
    #expect(refused.errors.contains("without a correction the result is refused again"))
    let again = try copy("a.jsonl", name, "--dates", "unix")
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.output.contains("continued the work"), "\(again.output)")
    #expect(
      folder.contents(name).map { String(decoding: $0, as: UTF8.self) }?
        .contains("253433923200") == true)
  }

  @Test(arguments: ["a.jsonl", "a.xml"])
  func `an object that a list names again is told`(name: String) throws {
    try folder.write(
      name == "a.jsonl"
        ? #"{"id": 1, "guests": [2, 1, 2]}"# + "\n" + #"{"id": 2}"# + "\n"
        : """
        <?xml version="1.0"?>
        <database>
          <object type="EVENT" id="z1">
            <relationship name="guests" type="0/0" destination="EVENT" idrefs="z2 z1 z2"/></object>
          <object type="EVENT" id="z2"></object>
        </database>
        """, to: name)
    let outcome = try copy(name, "a.sqlite")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("ATM-104") && outcome.output.contains("1 object again"))
  }

  @Test(arguments: [("a.csv", true), ("a.jsonl", true), ("a.db", true), ("a.xml", false)])
  func `metadata of the app that a type has no place for is told`(
    name: String, isLost: Bool
  ) throws {
    let path = folder.path("a.sqlite")
    try StoreCreator.create(model: try ModelFile.load(path: folder.path("E.json")).model, at: path)
    let metadata = try StoreMetadata.read(path: path)
    let list = PropertyList.dictionary(
      metadata.members + [PropertyList.Member("theme", .string("dark"))])
    try Connection(path: path, mode: .readWrite).execute(
      "UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(list.binaryPropertyList)])
    let more = name == "a.db" ? ["--output-type", "tables"] : []
    for command in name == "a.db" ? ["run"] : ["plan", "run"] {
      let outcome = try MigrateProcess.run(
        [
          command, "--store", "a.sqlite", "--models", "E.json", "--mappings", "Copy", "--output",
          name,
        ]
          + more, in: folder.path)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let said = outcome.output + outcome.errors
      #expect(said.contains("STO-323") == isLost)
      #expect(said.contains("theme") == isLost && !said.contains("dark"))
    }
    // An XML store has it, and hands it on or loses it too.
    guard name == "a.xml" else { return }
    for (output, isLost) in [("b.csv", true), ("b.sqlite", false)] {
      let outcome = try copy(name, output)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect((outcome.output + outcome.errors).contains("STO-323") == isLost)
    }
  }

  // MARK: Bounds and places

  @Test func `a record of very many fields takes no memory for each`() throws {
    try folder.write(
      "id,at\n" + String(repeating: ",", count: 3_000_000) + "\n", to: "a.csv")
    let outcome = try copy("a.csv", "a.sqlite")
    #expect(outcome.status == 41)
    #expect(outcome.errors.contains("more than 1,000,000 fields"))
  }

  @Test func `a result is not written where the settings of its source are looked for`() throws {
    try folder.write("id,at\n1,\n", to: "a.csv")
    let outcome = try copy("a.csv", "a.csv.store.json", "--output-type", "json-lines")
    #expect(outcome.status == 64 && outcome.errors.contains("RUN-060"), "\(outcome.errors)")
    #expect(!folder.names.contains("a.csv.store.json"))
  }
}
