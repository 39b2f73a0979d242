import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

@testable import PassageCommands

/// What authors and callers get wrong, and what they are reported.
struct WrongInputTests {
  @Test(arguments: [
    ["infer", "--from", ExampleProject.sample, "--to", "Migrations/Events 2.json", "--draft"]
      + ["--output", ExampleProject.sample, "--force"],
    ["create", "--model", ExampleProject.sample, "--output", ExampleProject.sample],
  ])
  func `a store that is read is never replaced by a text`(arguments: [String]) throws {
    let project = try ExampleProject()
    let before = try project.sampleBytes()
    let outcome = try project.migrate(arguments)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(try project.sampleBytes() == before)
  }

  @Test(
    arguments: [
      ["convert", "Migrations/Events 1.json"], ["schema"],
      ["schema", "--for", "Migrations/Events 1.json,Migrations/Events 2.json"],
    ], ["Migrations/history.json"])
  func `a folder for files that cannot be one is refused`(call: [String], folder: String) throws {
    let project = try ExampleProject()
    let outcome = try project.migrate(call + ["--output", folder, "--force"])
    #expect(outcome.status == 64 && outcome.errors.contains("CMD-003"), "\(outcome.errors)")
  }

  @Test func `a store is not created in a folder that does not exist`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate(
      "create", "--model", "Migrations/Events 1.json", "--output", "nodir/x.sqlite")
    #expect(outcome.status == 64 && outcome.errors.contains("RUN-003"), "\(outcome.errors)")
    #expect(outcome.errors.contains("create the folder first"))
  }

  @Test(arguments: [2_100, 1_990])
  func `a destination with more columns than SQLite takes is refused before the run`(
    attributes: Int
  ) throws {
    let folder = try TemporaryDirectory()
    let name = Attribute(name: "name", type: .string)
    let source = Model(name: "1", entities: [Entity(name: "A", attributes: [name])])
    let more = (1..<attributes).map { Attribute(name: "a\($0)", type: .string) }
    let destination = Model(name: "2", entities: [Entity(name: "A", attributes: [name] + more)])
    try folder.write(ModelDocument.encode(source), to: "1.json")
    try folder.write(ModelDocument.encode(destination), to: "2.json")
    let store = try TestStore(model: source, at: folder.path("old.sqlite"))
    try store.insert("A", ["name": .text("x")])
    try store.close()
    let isRefused = attributes == 2_100
    for command in ["plan", "run"] {
      let outcome = try MigrateProcess.run(
        [command, "--store", "old.sqlite", "--models", "1.json", "--models", "2.json", "--to", "2"]
          + ["--infer", "--output", "new.sqlite"], in: folder.path)
      #expect(outcome.status == (isRefused ? 65 : 0), "\(outcome.errors)")
      #expect(outcome.errors.contains("error[STO-207]") == isRefused)
    }
    #expect(folder.names.contains("new.sqlite") != isRefused)
    guard !isRefused else { return }
    let made = try StoreContents(path: folder.path("new.sqlite"), model: destination)
    #expect(made.object("A", 1)?["name"] == .text("x"))
  }

  @Test(arguments: ["inspect", "plan", "status", "run", "verify"])
  func `links that lead to themselves are no store`(command: String) throws {
    let project = try ExampleProject()
    try FileManager.default.createSymbolicLink(
      atPath: project.path("loop"), withDestinationPath: "loop")
    let outcome = try project.migrate(
      command == "inspect" ? ["inspect", "loop"] : [command, "--store", "loop", "--to", "2"])
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.errors.contains(command == "inspect" ? "MOD-100" : "STO-101"))
    #expect(!outcome.errors.contains("did you mean") && !outcome.errors.contains("check the disk"))
  }

  /// SQLite has databases in memory by this name.
  @Test func `a store called as a database in memory is a file`() throws {
    let project = try ExampleProject()
    let before = try project.migrate(["status", "--store", ExampleProject.sample])
    try FileManager.default.copyItem(
      atPath: project.path(ExampleProject.sample), toPath: project.path(":memory:"))
    let outcome = try project.migrate(["status", "--store", ":memory:"])
    #expect(outcome.status == before.status && outcome.status != 65, "\(outcome.errors)")
    let run = try project.migrate(
      ["run", "--store", ":memory:", "--mappings", "StepOne,StepTwo", "--in-place"])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `a process that cannot see its arguments does nothing`() throws {
    let error = try #require(throws: MigrationError.self) { try CallArguments.check([]) }
    #expect(error.diagnostics.all.map(\.code) == ["CMD-048"])
    #expect(error.kind == .wrongCall)
    try CallArguments.check(["migrate"])
  }

  /// Swift reads `\\xff.sqlite` as the name of another file.
  @Test func `a name that is not UTF-8 means no other file`() throws {
    let project = try ExampleProject()
    let other = "\u{FFFD}.sqlite"
    try FileManager.default.copyItem(
      atPath: project.path(ExampleProject.sample), toPath: project.path(other))
    let before = project.folder.everything
    for way in ["--in-place --store", "--output new.sqlite --store", "--store x --output"] {
      let outcome = try MigrateProcess.run(
        ["run", "--mappings", "StepOne,StepTwo"], in: project.folder.path,
        after: "exec \"$@\" \(way) \"$(printf '\\377.sqlite')\"")
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("error[CMD-096]"), "\(outcome.errors)")
    }
    #expect(project.folder.everything == before)
    #expect(try project.migrate("--in-place", "--store", other).status == 0)
  }

  @Test
  func `an unknown mapping model is suggested`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate("--mappings", "StepOen,StepTwo")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("did you mean “StepOne”?"))
  }

  @Test
  func `an unknown flag is suggested`() throws {
    let project = try ExampleProject()
    #expect(try project.migrate("--mapings", "StepOne").errors.contains("--mappings"))
  }

  @Test
  func `every mistake is reported at once`() throws {
    let project = try ExampleProject()
    try project.folder.write("{ \"source\": 5, \"strange\": true }", to: "Mappings/Broken.json")
    let outcome = try project.migrate(
      "--mappings", "StepThree,Broken", "--jobs", "0", "--no-backup", "--format", "json")
    #expect(outcome.status == 65)
    let diagnostics = try #require(try outcome.json["error"]?["diagnostics"]?.elements)
    let codes = Set(diagnostics.compactMap { $0["code"]?.text })
    #expect(codes.isSuperset(of: ["CMD-002", "CMD-011", "PLN-005", "MAP-002"]))
    #expect(try outcome.json["error"]?["exitStatus"]?.number == 65)
    #expect(diagnostics.contains { $0["line"]?.number == 1 && $0["column"]?.number == 13 })
  }

  @Test
  func `mistakes in a mapping come with their line and a caret`() throws {
    let project = try ExampleProject()
    let text = try String(decoding: bytes(of: project.path("Mappings/StepTwo.json")), as: UTF8.self)
    try project.folder.write(
      text.replacing("\"EventTimestamp\"", with: "\"EventTimestmap\"")
        .replacing("timeStamp != nil", with: "timeStmp != nil"), to: "Mappings/StepTwo.json")
    let outcome = try project.migrateByName()
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("\"destination\": \"EventTimestmap\""))
    #expect(outcome.errors.contains("^"))
    #expect(outcome.errors.contains("timeStamp"))
  }

  @Test
  func `a policy that nobody registered is reported in the plan`() throws {
    let project = try ExampleProject()
    let text = try String(decoding: bytes(of: project.path("Mappings/StepOne.json")), as: UTF8.self)
    try project.folder.write(
      text.replacing("PrintedDatePolicy", with: "PrintedDatesPolicy"), to: "Mappings/StepOne.json")
    let outcome = try project.migrate("plan")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("PrintedDatesPolicy"))
    #expect(outcome.errors.contains("PrintedDatePolicy"))
  }

  @Test(arguments: [
    ("\"locale\": \"en_US\",", "", "“locale” is missing"),
    ("\"UTC\"", "\"Mars/Olympus\"", "there is no time zone “Mars/Olympus”"),
    ("\"en_US\"", "\"xx_YY\"", "there is no locale “xx_YY”"),
    ("\"locale\":", "\"local\":", "“local” is not one of"),
  ])
  func `the policy refuses user info it cannot use`(
    _ old: String, _ new: String, _ message: String
  ) throws {
    let project = try ExampleProject()
    let text = try String(decoding: bytes(of: project.path("Mappings/StepOne.json")), as: UTF8.self)
    try project.folder.write(text.replacing(old, with: new), to: "Mappings/StepOne.json")
    let outcome = try project.migrate("plan")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("MAP-028"))
    #expect(outcome.errors.contains(message))
  }

  @Test
  func `a destination that exists is left alone`() throws {
    let project = try ExampleProject()
    try project.folder.write("mine", to: "mine.sqlite")
    for command in ["run", "plan"] {
      let outcome = try project.migrate(command, "--output", "mine.sqlite")
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("RUN-002"))
    }
    #expect(try bytes(of: project.path("mine.sqlite")) == Array("mine".utf8))
  }

  @Test(arguments: [ExampleProject.sample, "./\(ExampleProject.sample)"])
  func `the source cannot be its own destination`(_ output: String) throws {
    let project = try ExampleProject()
    let before = try project.sampleBytes()
    let outcome = try project.migrate("--output", output)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("RUN-001"))
    #expect(try project.sampleBytes() == before)
  }

  @Test
  func `a folder is not a store`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate("--store", "Migrations")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("STO-102"))
    let device = try project.migrate("--store", "/dev/null")
    #expect(device.status == 64)
    #expect(device.errors.contains("STO-103"))
  }

  @Test
  func `an entity that nothing takes over is reported before anything is written`() throws {
    let project = try ExampleProject()
    try project.folder.write(
      """
      { "source": "1", "destination": "2",
        "entityMappings": [ { "type": "add", "destination": "EventTimestamp" } ] }
      """, to: "Mappings/Nothing.json")
    let before = project.names()
    for command in ["plan", "run"] {
      let outcome = try project.migrate(command, "--mappings", "Nothing")
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("PLN-012"))
    }
    #expect(project.names() == before)
  }

  @Test
  func `a wrong call is a JSON object where asked for`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate("--format=json", "--nope")
    #expect(outcome.status == 64)
    #expect(try outcome.json["error"]?["kind"]?.text == "wrongCall")
    #expect(try outcome.json["error"]?["diagnostics"]?[0]?["code"]?.text == "CMD-001")
  }

  @Test(arguments: [
    (["--nope"], "run", "Unknown option"), (["status", "--store"], "status", "Missing value"),
    (["inspect"], "inspect", "Missing expected argument"),
    (["run", "--batch-size", "a\nerror[RUN-001]: b"], "run", "The value"),
    (["run", "--store", ""], "run", "the path is empty"),
    (["fleet", "run", "--nope"], "fleet run", "Unknown option"),
  ])
  func `arguments that cannot be parsed have a code, and the command's usage`(
    call: [String], command: String, words: String
  ) throws {
    let folder = try TemporaryDirectory()
    let outcome = try MigrateProcess.run(call, in: folder.path)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    try #require(lines.count > 2, "\(outcome.errors)")
    #expect(lines[0].hasPrefix("error[CMD-001]: ") && lines[0].contains(words), "\(lines[0])")
    #expect(lines[1] == "  try   see migrate \(command) --help")
    #expect(lines.contains { $0.hasPrefix("Usage: migrate \(command)") }, "\(outcome.errors)")
    #expect(lines.count { $0.hasPrefix("error[") } == 1, "\(outcome.errors)")
    let json = try MigrateProcess.run(call + ["--format", "json"], in: folder.path).json
    #expect(json["error"]?["diagnostics"]?[0]?["code"]?.text == "CMD-001")
  }

  @Test
  func `several ways to the newest version must be decided`() throws {
    let project = try ExampleProject()
    try project.folder.copy(
      project.path("Migrations/Events 2.json"), to: "Migrations/Events 3.json")
    try project.folder.write(
      """
      { "store": "Sample/Events.sqlite",
        "versions": [ { "name": "1", "model": "Events 1.json" },
                      { "name": "between", "model": "Events 1 b.json" },
                      { "name": "2", "model": "Events 2.json" } ],
        "steps": [ { "from": "1", "to": "2", "mappings": ["StepOne", "StepTwo"] },
                   { "from": "1", "to": "between", "mappings": ["A"] },
                   { "from": "between", "to": "2", "mappings": ["B"] } ] }
      """, to: "Migrations/history.json")
    let model = try String(
      decoding: bytes(of: project.path("Migrations/Events 1.json")), as: UTF8.self)
    try project.folder.write(
      model.replacing("timeStamp", with: "instant"), to: "Migrations/Events 1 b.json")
    let undecided = try project.migrate()
    #expect(undecided.status == 64)
    #expect(undecided.errors.contains("CMD-009"))
    let ways = "by “StepOne”, “StepTwo”, and by “A”, then “B”"
    #expect(undecided.errors.contains("the history leads there \(ways)\n"), "\(undecided.errors)")
    #expect(undecided.errors.contains("--> Migrations/history.json"))
    let status = try project.migrate("status")
    #expect(status.output.contains("  several ways lead there, \(ways): run needs --to or"))
    let json = try project.migrate("status", "--format", "json").json
    #expect(json["mappings"]?.elements.map(\.text) == ["StepOne", "StepTwo"])
    #expect(json["otherWays"]?.elements.map { $0.elements.map(\.text) } == [["A", "B"]])
    #expect(try project.migrate("--to", "2").status == 0)
  }

  @Test(arguments: [
    (["create", "--output", "new.sqlite", "--model"], "Mappings/StepOne.json"),
    (["convert", "--output", "converted"], "Mappings/StepOne.json"),
    (["create", "--output", "new.sqlite", "--model"], "Migrations/history.json"),
    (["infer", "--to", "Migrations/Events 2.json", "--from"], "Migrations/history.json"),
  ])
  func `what is not a model is told as what it is, with a command that takes it`(
    call: [String], path: String
  ) throws {
    let project = try ExampleProject()
    let outcome = try project.migrate(call + [path])
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(lines.filter { $0.contains("error[") }.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("MOD-101") && lines.contains("  --> \(path)"))
    let taking = path.hasPrefix("Mappings") ? ["inspect", path] : ["diagram", path]
    #expect(outcome.errors.contains("migrate \(taking[0]) '\(path)'"), "\(outcome.errors)")
    #expect(try project.migrate(taking).status == 0)
  }

  @Test(arguments: [
    ("Migrations/history.json", "it is the history of a project", "migrate diagram"),
    ("Migrations/Events 1.json", "it is a model", "migrate inspect"),
  ])
  func `what is not a mapping model is told once as what it is`(
    path: String, kind: String, remedy: String
  ) throws {
    let project = try ExampleProject()
    for command in ["plan", "run"] {
      let outcome = try project.migrate(command, "--mappings", path)
      let lines = outcome.errors.split(separator: "\n").map(String.init)
      #expect(outcome.status == 65, "\(outcome.errors)")
      #expect(lines.filter { $0.contains("error[") }.count == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains("error[MAP-002]") && outcome.errors.contains(kind))
      #expect(outcome.errors.contains("\(remedy) '\(path)'"), "\(outcome.errors)")
    }
  }

  @Test func `a mapping model is described whatever its name`() throws {
    let project = try ExampleProject()
    try project.folder.copy(project.path("Mappings/StepOne.json"), to: "Step")
    let outcome = try project.migrate("inspect", "Step")
    #expect(outcome.output.hasPrefix("Step: mapping model “Step” from “1” to “2”"))
  }

  /// Whatever a new user points `inspect` to is distinguished.
  @Test
  func `inspect tells what is wrong with a file`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("", to: "empty.sqlite")
    try folder.write("text", to: "text.txt")
    try folder.write("text", to: "text.sqlite")
    try folder.write("SQLite format 3\0", to: "header.sqlite")
    for name in ["empty", "holding", "holding/A.momd", "B.momd", "C.xcdatamodeld", "D.xcdatamodel"]
    {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try folder.write("bplist00", to: "D.xcdatamodel/elements")
    try folder.write("<plist/>", to: "C.xcdatamodeld/.xccurrentversion")
    for name in ["history.json", "history"] {
      try folder.write(#"{ "store": "a.sqlite", "versions": [], "steps": [] }"#, to: name)
    }
    try folder.write("id,name\n", to: "people.csv")
    try folder.write(#"{ "type": "delimited", "ignored": ["name"] }"#, to: "people.csv.store.json")
    try folder.write(#"{ "type": "keyed", "entities": {} }"#, to: "settings.json")
    try folder.write(#"{ "typ": "delimited" }"#, to: "gone.csv.store.json")
    let expected: [(String, Int32, String, String)] = [
      ("empty.sqlite", 65, "STO-104", "empty"),
      ("text.txt", 64, "MOD-101", "not a known kind of model"),
      ("text.sqlite", 65, "STO-106", "not an SQLite database"),
      ("header.sqlite", 40, "STO-105", "incomplete"),
      ("missing.sqlite", 64, "MOD-100", "there is no file"),
      ("empty", 64, "MOD-101", "a folder without models"),
      ("holding", 64, "MOD-101", "name one of them: holding/A.momd"),
      ("B.momd", 65, "MOD-112", "contains no model"),
      ("C.xcdatamodeld", 65, "MOD-112", "contains no model"),
      ("C.xcdatamodeld/.xccurrentversion", 64, "MOD-101", "give the bundle: C.xcdatamodeld"),
      ("D.xcdatamodel", 65, "MOD-112", "Xcode 3"),
      ("history.json", 64, "MOD-101", "draw it with: migrate diagram 'history.json'"),
      ("history", 64, "MOD-101", "it is the history of a project"),
      ("people.csv.store.json", 64, "MOD-101", "store with: migrate inspect 'people.csv'\n"),
      ("people.csv.store.json", 64, "MOD-101", "it is the settings file of a text store"),
      ("settings.json", 64, "MOD-101", "or give it with --store-settings"),
      ("gone.csv.store.json", 64, "MOD-101", "it is the settings file of a text store"),
    ]
    for (path, status, code, words) in expected {
      let outcome = try MigrateProcess.run(["inspect", path], in: folder.path)
      #expect(outcome.status == status, "\(path): \(outcome.errors)")
      #expect(outcome.errors.contains(code), "\(path): \(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(path): \(outcome.errors)")
    }
  }
}
