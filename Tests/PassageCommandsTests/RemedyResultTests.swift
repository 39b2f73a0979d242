import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// A remedy that is a command or an expression works when it is pasted.
struct RemedyResultTests {
  /// The text of a result from a mark to the end of its line.
  private static func pasted(after mark: String, _ text: String) throws -> String {
    let start = try #require(text.range(of: mark), "\(text)").upperBound
    return String(text[start...].prefix { $0 != "\n" })
  }

  /// The words of a command, as a shell takes them, without the program's name.
  private static func words(_ command: String) throws -> [String] {
    try ChildProgram.shell("printf '%s\\n' \(command)").output.split(separator: "\n").map(
      String.init
    ).dropFirst().map { $0 }
  }

  /// The project's files under other names, so that nothing is found by default.
  private static func movedProject() throws -> ExampleProject {
    let project = try ExampleProject()
    for (old, new) in [("Migrations", "our history"), ("Mappings", "our mappings")] {
      try FileManager.default.moveItem(atPath: project.path(old), toPath: project.path(new))
    }
    try project.folder.copy(
      project.path("our history/Sample/Events.sqlite"), to: "It's mine.sqlite")
    return project
  }

  @Test func `the command of status migrates the store that was asked about`() throws {
    let project = try Self.movedProject()
    let status = try project.migrate(
      "status", "--store", "./It's mine.sqlite", "--migrations", "our history", "--mappings-dir",
      "our mappings")
    #expect(status.status == 10)
    let command = try Self.pasted(after: "needs migrating: ", status.output)
    #expect(try project.migrate("--store", "It's mine.sqlite", "--mappings", "StepOne").status != 0)
    let outcome = try MigrateProcess.run(Self.words(command), in: project.folder.path)
    #expect(outcome.status == 0, "\(command): \(outcome.errors)")
    #expect(project.names().contains("It's mine.migrated.sqlite"))
  }

  @Test func `without a way status names a plan that answers`() throws {
    let project = try Self.movedProject()
    let history = try String(
      decoding: bytes(of: project.path("our history/history.json")), as: UTF8.self)
    try project.folder.write(
      history.replacing("\"from\": \"1\", \"to\": \"2\"", with: "\"from\": \"2\", \"to\": \"1\""),
      to: "our history/history.json")
    let status = try project.migrate(
      "status", "--store", "It's mine.sqlite", "--migrations", "our history")
    let command = try Self.pasted(after: "try       ", status.output)
    #expect(command.hasPrefix("migrate plan --to 2 --infer"))
    let outcome = try MigrateProcess.run(Self.words(command), in: project.folder.path)
    #expect([0, 22].contains(outcome.status), "\(command): \(outcome.errors)")
  }

  /// A space at the end of a name is part of it, and one after a comma is not.
  @Test func `a mapping model with a space at its end is found by the command of status`() throws {
    let project = try ExampleProject()
    try FileManager.default.moveItem(
      atPath: project.path("Mappings/StepTwo.json"), toPath: project.path("Mappings/ends .json"))
    let history = try String(
      decoding: bytes(of: project.path("Migrations/history.json")), as: UTF8.self)
    try project.folder.write(
      history.replacing("\"StepTwo\"", with: "\"ends \""), to: "Migrations/history.json")
    let command = try Self.pasted(after: "needs migrating: ", project.migrate("status").output)
    #expect(command.contains("'StepOne,ends '"))
    let outcome = try MigrateProcess.run(Self.words(command), in: project.folder.path)
    #expect(outcome.status == 0, "\(command): \(outcome.errors)")
    #expect(try project.migrate("plan", "--mappings", " StepOne, ends ").status == 0)
  }

  @Test func `install names no command for a store from which no way leads`() throws {
    let project = try ExampleProject()
    let made = try project.migrate("--mappings", "StepOne,StepTwo", "--output", "It's new.sqlite")
    #expect(made.status == 0)
    let there = try project.migrate(
      "install", "--store", ExampleProject.sample, "--output", "It's new.sqlite", "--to", "1")
    #expect(there.status == 0)
    #expect(!there.output.contains("--in-place"), "\(there.output)")
    let command = try Self.pasted(
      after: "the history has no path to it; try ", there.output)
    let outcome = try MigrateProcess.run(Self.words(command), in: project.folder.path)
    #expect([0, 22].contains(outcome.status), "\(command): \(outcome.errors)")
  }

  @Test func `install names no command for a store of an unknown version`() throws {
    let project = try FailureProject().project
    let there = try project.migrate(
      "install", "--store", ExampleProject.sample, "--output", "Stranger.sqlite", "--to", "1")
    #expect(there.status == 0)
    let command = try Self.pasted(
      after: "no known model has its version hashes; try ", there.output)
    let outcome = try MigrateProcess.run(Self.words(command), in: project.folder.path)
    #expect(outcome.status == 20, "\(command): \(outcome.errors)")
  }

  @Test(arguments: [("statsu", "status", 10), ("inspct", "inspect", 64), ("plann", "plan", 0)])
  func `a subcommand that is misspelt is suggested`(
    word: String, meant: String, status: Int32
  ) throws {
    let project = try ExampleProject()
    let outcome = try project.migrate(word)
    #expect(outcome.status == 64)
    let command = try Self.pasted(after: "did you mean: ", outcome.errors)
    #expect(command == "migrate \(meant)")
    #expect(try MigrateProcess.run(Self.words(command), in: project.folder.path).status == status)
  }

  // MARK: Expressions

  /// A project of two models with a to-one relationship, and one mapping model.
  private static func library(attribute: String, relationship: String) throws -> ExampleProject {
    let project = try ExampleProject()
    for version in [1, 2] {
      try project.folder.write(
        """
        { "name": "\(version)", "entities": [
          { "name": "Author", "attributes": [ { "name": "name", "type": "string" } ],
            "relationships": [ { "name": "books", "destination": "Book", "inverse": "author",
                                 "toMany": true } ] },
          { "name": "Book",
            "attributes": [ { "name": "title", "type": "string" },
                            { "name": "printed", "type": "\(version == 1 ? "string" : "date")" } ],
            "relationships": [ { "name": "author", "destination": "Author", "inverse": "books" } ] }
        ] }
        """, to: "Migrations/Library \(version).json")
    }
    try project.folder.write(
      """
      { "versions": [ { "name": "1", "model": "Library 1.json" },
                      { "name": "2", "model": "Library 2.json" } ],
        "steps": [ { "from": "1", "to": "2", "mappings": ["Move"] } ] }
      """, to: "Migrations/history.json")
    func quoted(_ text: String) -> String { text.replacing("\"", with: "\\\"") }
    try project.folder.write(
      """
      { "source": "1", "destination": "2", "entityMappings": [
        { "type": "transform", "source": "Author", "destination": "Author", "name": "Authors",
          "attributes": { "name": "$source.name" } },
        { "type": "transform", "source": "Book", "destination": "Book", "name": "Books",
          "attributes": { "title": "$source.title", "printed": "\(quoted(attribute))" },
          "relationships": { "author": "\(quoted(relationship))" } } ] }
      """, to: "Mappings/Move.json")
    #expect(
      try project.migrate("create", "--model", "Migrations/Library 1.json", "--output", "L.sqlite")
        .status == 0)
    try project.change(
      "L.sqlite",
      "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZPRINTED) VALUES (1, 2, 1, 'no date at all')")
    return project
  }

  private static let link =
    "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"Authors\", "

  @Test(arguments: ["author)", "\"x\")"])
  func `the remedy of a relationship whose source is the fault is its source`(
    end: String
  ) throws {
    let project = try Self.library(
      attribute: "parseDateOrNull($source.printed)", relationship: Self.link + end)
    let wrong = try project.migrate("plan", "--store", "L.sqlite")
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("MAP-021"))
    let expression = try Self.pasted(after: "write FUNCTION", wrong.errors)
    let mended = try Self.library(
      attribute: "parseDateOrNull($source.printed)", relationship: "FUNCTION" + expression)
    let outcome = try mended.migrate("plan", "--store", "L.sqlite")
    #expect(outcome.status == 0, "\(expression): \(outcome.errors)")
  }

  @Test func `a conversion that is recommended for a value can be pasted`() throws {
    let link = Self.link + "$source.author)"
    let project = try Self.library(attribute: "$source.printed", relationship: link)
    let wrong = try project.migrate("plan", "--store", "L.sqlite")
    #expect(wrong.status == 65)
    let remedy = try Self.pasted(after: "try   write ", wrong.errors)
    #expect(remedy.contains("$source.printed"))
    let expression = String(remedy.prefix { $0 != ")" } + ")")
    let mended = try Self.library(attribute: expression, relationship: link)
    let outcome = try mended.migrate("plan", "--store", "L.sqlite")
    #expect(outcome.status == 0, "\(expression): \(outcome.errors)")
  }

  @Test func `a value that cannot be read is helped by the function that is named`() throws {
    let link = Self.link + "$source.author)"
    let project = try Self.library(attribute: "parseDate($source.printed)", relationship: link)
    let wrong = try project.migrate("--store", "L.sqlite", "--to", "2")
    #expect(wrong.status == 41)
    #expect(wrong.errors.contains("PRE-040"))
    #expect(!wrong.errors.contains("no date at all"))
    let name = try Self.pasted(after: "try   call ", wrong.errors).prefix { $0.isLetter }
    #expect(name == "parseDateOrNull")
    let mended = try Self.library(attribute: "\(name)($source.printed)", relationship: link)
    #expect(try mended.migrate("--store", "L.sqlite", "--to", "2").status == 0)
  }

  @Test func `a quotation mark that is not closed is reported where it is`() throws {
    let project = try ExampleProject()
    try project.folder.write(
      "{ \"source\": \"1,\n  \"destination\": \"2\",\n  \"entityMappings\": [] }",
      to: "Mappings/StepOne.json")
    let outcome = try project.migrate("plan")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("StepOne.json:1:13"))
    #expect(outcome.errors.contains("no closing quotation mark"))
  }

  /// The versions have other names in the history than in their files.
  @Test func `what is told about an inferred way makes it a named one`() throws {
    let folder = try TemporaryDirectory()
    func model(_ name: String, _ entities: String) -> String {
      #"{ "name": "\#(name)", "entities": [ \#(entities) ] }"#
    }
    func history(_ steps: String) throws {
      try folder.write(
        """
        { "versions": [ { "name": "1", "model": "Old.json" }, { "name": "2", "model": "New.json" } ],
          "steps": [ \(steps) ] }
        """, to: "It's ours/history.json")
    }
    try folder.write(model("Old", #"{ "name": "A" }"#), to: "It's ours/Old.json")
    try folder.write(model("New", #"{ "name": "A" }, { "name": "B" }"#), to: "It's ours/New.json")
    try folder.write("", to: "Mappings/.keep")
    try history("")
    func check() throws -> MigrateProcess.Outcome {
      try MigrateProcess.run(["check", "--migrations", "It's ours"], in: folder.path)
    }
    let told = try check().output
    #expect(told.contains("no step with mapping models leads from “1” to “2”"))
    let command = try Self.pasted(after: "name it in a step of the history: ", told)
    let written = try MigrateProcess.run(Self.words(command), in: folder.path)
    #expect(written.status == 0, "\(command): \(written.errors)")
    // It is not asked for again.
    #expect(try check().output.contains("name the mapping model “1To2” in a step of the history"))
    // The rest of what is told.
    try history(#"{ "from": "1", "to": "2", "mappings": ["1To2"] }"#)
    let text = try #require(folder.contents("Mappings/1To2.json"))
    try folder.write(
      String(decoding: text, as: UTF8.self).replacing("\"Old\"", with: "\"1\"")
        .replacing("\"New\"", with: "\"2\""), to: "Mappings/1To2.json")
    let done = try check()
    #expect(done.status == 0 && !done.output.contains("CHK-011"), "\(done.output)\(done.errors)")
  }
}
