import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// `migrate explain --entity --key`: one object's way.
struct ExplainObjectTests {
  /// Notes with pages. Two mappings divide the notes, and the keys of the second lie above the first's.
  private static let model = """
    { "name": "1", "entities": [
      { "name": "Note",
        "attributes": [ { "name": "text", "type": "string" }, { "name": "year", "type": "integer16" } ],
        "relationships": [
          { "name": "pages", "destination": "Page", "inverse": "note", "toMany": true } ] },
      { "name": "Page",
        "attributes": [ { "name": "number", "type": "integer16" } ],
        "relationships": [ { "name": "note", "destination": "Note", "inverse": "pages" } ] } ] }
    """

  private static let mapping = """
    { "source": "1", "destination": "2", "entityMappings": [
      { "type": "copy", "name": "Old", "source": "Note", "destination": "Note",
        "filter": "year < 2020 AND text != nil" },
      { "type": "copy", "name": "New", "source": "Note", "destination": "Note",
        "filter": "year >= 2020", "attributes": { "text": "uppercase($source.text)" } },
      { "type": "copy", "source": "Page", "destination": "Page", "filter": "number > 1" } ] }
    """

  private func folder() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    try folder.write(Self.model, to: "Migrations/1.json")
    // Another version by another modifier.
    try folder.write(
      Self.model.replacing(#""name": "1""#, with: #""name": "2""#)
        .replacing(
          #""name": "number", "#, with: #""name": "number", "versionHashModifier": "2", "#),
      to: "Migrations/2.json")
    try folder.write(Self.mapping, to: "Mappings/M.json")
    try folder.write(
      """
      { "store": "Notes.sqlite",
        "versions": [ { "name": "1", "model": "1.json" }, { "name": "2", "model": "2.json" } ],
        "steps": [ { "from": "1", "to": "2", "mappings": ["M"] } ] }
      """, to: "Migrations/history.json")
    let path = folder.path("Migrations/Notes.sqlite")
    try StoreCreator.create(
      model: ModelFile.read(path: folder.path("Migrations/1.json")), at: path)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZYEAR)
      VALUES (1, 1, 1, 'secret', 2010), (2, 1, 1, 'word', 2024), (3, 1, 1, NULL, 2001);
      INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZNOTE)
      VALUES (4, 2, 1, 1, 2), (5, 2, 1, 2, 2), (6, 2, 1, 3, 2);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 6
      """)
    return folder
  }

  private func explain(
    _ folder: TemporaryDirectory, _ arguments: String...
  ) throws -> MigrateProcess.Outcome {
    try MigrateProcess.run(["explain"] + arguments, in: folder.path)
  }

  @Test func `a link that leads to no object is told as that`() throws {
    let folder = try folder()
    try Connection(path: folder.path("Migrations/Notes.sqlite"), mode: .readWrite)
      .execute("UPDATE ZPAGE SET ZNOTE = 77 WHERE Z_PK = 5")
    let outcome = try explain(folder, "--entity", "Page", "--key", "5")
    #expect(outcome.output.contains("Note 77, which the store does not have"), "\(outcome.output)")
    #expect(!outcome.output.contains("becomes 77"))
    let json = try explain(
      folder, "--entity", "Page", "--key", "5", "--format", "json"
    ).json
    let end = json["ways"]?[0]?["mappings"]?[0]?["links"]?[0]?["objects"]?[0]
    #expect(end?["exists"]?.truth == false && end?["sourceKey"]?.number == 77)
  }

  @Test func `each part of each filter has its answer, and what takes the object its key`() throws {
    let folder = try folder()
    let names = folder.everything
    let outcome = try explain(folder, "--entity", "Note", "--key", "2")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    // The keys of “New” lie above the largest one that a note ever had, which is 6.
    #expect(
      outcome.output == """
        Note 2, “1” to “2”
          “M”, “Old” (copy): does not take it
            filter  no   year < 2020
            filter  yes  text != nil
          “M”, “New” (copy): takes it
            filter  yes  year >= 2020
            becomes Note 8
            value   text = uppercase($source.text)
            value   year = $source.year
            link    pages = $source.pages: 3 objects
                      Page 4, which no entity mapping takes: the link is left out
                      Page 5, becomes 5 by “PageToPage”
                      Page 6, becomes 6 by “PageToPage”

        """)
    #expect(folder.everything == names)
  }

  @Test func `values are shown when they are asked for, and never otherwise`() throws {
    let folder = try folder()
    for format in ["text", "json"] {
      let call = ["explain", "--entity", "Note", "--key", "2", "--format", format]
      let plain = try MigrateProcess.run(call, in: folder.path)
      #expect(!plain.output.contains("WORD") && !plain.output.contains("word"))
      let shown = try MigrateProcess.run(call + ["--show-values"], in: folder.path)
      #expect(shown.output.contains("“WORD”"))
    }
  }

  @Test func `an object that nothing takes is said to be left out`() throws {
    let outcome = try explain(folder(), "--entity", "Note", "--key", "3")
    #expect(outcome.output.contains("filter  no   text != nil"))
    #expect(outcome.output.contains("no entity mapping takes it: it is left out"))
  }

  /// What it says before a run is what the run makes, and backward it is told of the same object.
  @Test(arguments: [1, 2])
  func `the key is the one that a run gives, and leads back`(_ key: Int) throws {
    let folder = try folder()
    let said = try explain(folder, "--entity", "Note", "--key", "\(key)", "--format", "json").json
    let new = try #require(
      said["ways"]?[0]?["mappings"]?.elements.first { $0["takes"]?.kind == .bool(true) }?["key"]?
        .number)
    #expect(try MigrateProcess.run([], in: folder.path).status == 0)
    let made = folder.path("Migrations/Notes.migrated.sqlite")
    let years = try Connection(path: made, mode: .readOnly).rows(
      "SELECT ZYEAR FROM ZNOTE WHERE Z_PK = \(new)")
    #expect(years.map(\.first?.integer) == [key == 1 ? 2010 : 2024])
    let back = try explain(
      folder, "--store", made, "--source", folder.path("Migrations/Notes.sqlite"), "--entity",
      "Note", "--key", "\(new)", "--format", "json"
    ).json
    #expect(back["origin"]?["candidates"]?.elements.map { $0["sourceKey"]?.number } == [key])
    #expect(back["ways"]?[0]?["key"]?.number == key)
  }

  @Test func `where only the policy knows the source object, this is said`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    let outcome = try project.migrate(
      "explain", "--store", ExampleProject.migrated, "--source", ExampleProject.sample, "--entity",
      "EventTimestamp", "--key", "7")
    #expect(outcome.output.contains("made of   Event 7, by “StepTwo”, “EventToEventTimestamp”"))
  }

  @Test(arguments: [
    (["MAP-014", "--entity", "Note", "--key", "1"], "CMD-075"), (["--entity", "Note"], "CMD-076"),
    (["--key", "1"], "CMD-076"), (["--show-values"], "CMD-076"),
    (["--entity", "Note", "--key", "9"], "CMD-073"),
    (["--entity", "Nite", "--key", "1"], "SEL-001"),
    (["--entity", "Note", "--key", "1", "--to", "2", "--mappings", "M"], "CMD-005"),
    (["--entity", "Note", "--key", "1", "--to", "1"], "CMD-077"),
    (["--entity", "Note", "--key", "1", "--store", "none.sqlite"], "STO-101"),
    (["--entity", "Note", "--key", "1", "--mappings", "Back"], "CMD-078"),
    (
      [
        "--entity", "Note", "--key", "1", "--mappings", "M,Back", "--store",
        "Migrations/Notes.sqlite",
      ]
        + ["--source", "Migrations/Notes.sqlite"], "CMD-074"
    ),
  ])
  func `a wrong call says what is wrong`(_ arguments: [String], _ code: String) throws {
    let folder = try folder()
    try folder.write(
      Self.mapping.replacing(
        #""source": "1", "destination": "2""#, with: #""source": "2", "destination": "1""#),
      to: "Mappings/Back.json")
    let outcome = try MigrateProcess.run(["explain"] + arguments, in: folder.path)
    #expect(outcome.status == 64 && outcome.errors.contains("error[\(code)]"), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: [
    ["--store", "Note.csv"], ["--store", "Note.csv", "--source", "Migrations/Notes.sqlite"],
    ["--store", "Migrations/Notes.sqlite", "--source", "Note.csv"],
  ])
  func `a store of another type is named as what it is`(_ stores: [String]) throws {
    let folder = try folder()
    try folder.write("id,text\n1,a\n", to: "Note.csv")
    let outcome = try MigrateProcess.run(
      ["explain", "--entity", "Note", "--key", "1"] + stores, in: folder.path)
    #expect(outcome.status == 64 && outcome.errors.contains("error[CMD-099]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("why   it is a file of delimited text"))
    #expect(outcome.errors.contains("migrate select --store Note.csv --entity Note"))
    #expect(outcome.output.isEmpty)
  }
}
