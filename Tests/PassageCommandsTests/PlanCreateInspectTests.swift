import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// `plan`, `create` and `inspect`.
struct PlanCreateInspectTests {
  @Test(arguments: [["plan"], ["run", "--dry-run"], ["--dry-run"]])
  func `a plan writes nothing and names every pass`(_ arguments: [String]) throws {
    let project = try ExampleProject()
    let before = (project.names(), try project.sampleBytes())
    let outcome = try MigrateProcess.run(arguments, in: project.folder.path)
    #expect(outcome.status == 0)
    for text in [
      "pass 1 of 2: StepOne", "pass 2 of 2: StepTwo", "filter    timeStamp != nil",
      "policy    PrintedDatePolicy", "nothing was written",
    ] {
      #expect(outcome.output.contains(text))
    }
    #expect(project.names() == before.0)
    #expect(try project.sampleBytes() == before.1)
  }

  @Test
  func `a plan names the parts of a filter beside a policy with their places`() throws {
    let project = try ExampleProject()
    let text = try String(contentsOfFile: project.path("Mappings/StepOne.json"), encoding: .utf8)
    let filter = "timeStamp != nil AND CAST(timeStamp, 'NSString') LIKE '2*'"
    try text.replacing("\"policy\":", with: "\"filter\": \"\(filter)\", \"policy\":")
      .write(toFile: project.path("Mappings/StepOne.json"), atomically: true, encoding: .utf8)
    // As if a library before 3.7.0 had written last: the pages are left to SQLite.
    var sample = try project.sampleBytes()
    sample[95] ^= 1
    sample += Array(repeating: 0, count: 100)
    try Data(sample).write(to: URL(fileURLWithPath: project.path(ExampleProject.sample)))
    let output = try project.migrate("plan").output
    #expect(output.contains("        in SQL     timeStamp != nil\n"), "\(output)")
    #expect(output.contains("        in memory  CAST(timeStamp, \"NSString\") LIKE \"2*\" (it can"))
    let json = try project.migrate("plan", "--format", "json").json
    let mapping = json["steps"]?[0]?["passes"]?[0]?["mappings"]?[0]
    #expect(
      mapping?["filterParts"]?.elements.map { $0["runsIn"]?.text } == ["sql", "memory"])
    #expect(mapping?["lane"]?.text == "row")
    let report = try project.migrate("--format", "json").json
    let account = report["steps"]?[0]?["passes"]?[0]?["mappings"]?[0]
    #expect(account?["read"]?.number == 2_000)
    // 125 events have no time, and three lie outside the years 2000 to 2999.
    #expect(account?["filtered"]?.number == 128)
  }

  @Test
  func `a plan shows lists, merging and listed objects`() throws {
    let project = try ExampleProject()
    let path = project.path("Mappings/StepOne.json")
    var text = try String(contentsOfFile: path, encoding: .utf8)
    let start = try #require(text.range(of: "\"entityMappings\": ["))
    text.insert(
      contentsOf: """

            { "name": "Parts", "type": "transform", "source": "Event", "destination": "EventTimestamp",
              "forEach": "split(CAST($source.timeStamp, 'NSString'), '-')",
              "mergeBy": { "value": "$element", "keep": "last" } },
            { "name": "Extra", "type": "add", "destination": "EventTimestamp", "objects": [{}, {}] },

        """, at: start.upperBound)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let output = try project.migrate("plan").output
    #expect(
      output.contains("      for each  split(CAST($source.timeStamp, 'NSString'), '-')\n"),
      "\(output)")
    #expect(output.contains("      merge by  $element (keeps the last)\n"))
    #expect(output.contains("      adds      2 objects\n"))
    let mappings =
      try project.migrate("plan", "--format", "json")
      .json["steps"]?[0]?["passes"]?[0]?["mappings"]?.elements ?? []
    #expect(mappings.compactMap { $0["forEach"]?.text }.count == 1)
    #expect(mappings.compactMap { $0["mergeBy"]?.text } == ["$element"])
    #expect(mappings.compactMap { $0["keep"]?.text } == ["last"])
    #expect(mappings.compactMap { $0["listedObjects"]?.number }.max() == 2)
  }

  /// A public store that Core Data wrote, beside the package; skipped where it is missing.
  static let foreignStore = Corpus.file("messaging/store2-75-0.wiredatabase")

  @Test(.enabled(if: FileManager.default.fileExists(atPath: foreignStore)))
  func `a store of no known model is described by the model it keeps`() throws {
    let folder = try TemporaryDirectory()
    try FileManager.default.copyItem(
      atPath: Self.foreignStore, toPath: folder.path("foreign.sqlite"))
    let json = try ExampleProject()
      .migrate("inspect", folder.path("foreign.sqlite"), "--format", "json").json
    #expect(json["entities"]?[0]?["name"]?.text == "AddressBookEntry")
    #expect(json["entities"]?[0]?["attributes"]?[0]?["type"]?.text == "string")
  }

  @Test
  func `a plan is one JSON object where asked for`() throws {
    let json = try ExampleProject().migrate("plan", "--format", "json").json
    #expect(json["outcome"]?.text == "planned")
    #expect(json["objects"]?.number == 2_000)
    #expect(json["steps"]?[0]?["passes"]?[1]?["mappings"]?[0]?["lane"]?.text == "page")
  }

  /// By the store's version, and by the record of the destination.
  @Test(arguments: [["--store", "new.sqlite", "--to", "2"], ["--mappings", "StepOne,StepTwo"]])
  func `a plan with nothing to do has the members of any plan`(way: [String]) throws {
    let project = try ExampleProject()
    let planned = try project.migrate("plan", "--format", "json").json.memberNames
    _ = try project.migrate(
      "create", "--model", "Migrations/Events 2.json", "--output", "new.sqlite")
    _ = try project.migrateByName()
    for call in [["plan"], ["run", "--dry-run"]] {
      let json = try project.migrate(call + way + ["--format", "json"]).json
      #expect(json["outcome"]?.text == "upToDate")
      #expect(planned.filter { !json.memberNames.contains($0) } == [])
      #expect(json["dryRun"]?.truth == (call.count > 1))
      #expect(json["steps"]?.elements.isEmpty == true && (json["bytes"]?.number ?? 0) > 0)
    }
  }

  @Test func `a failure has its members without a command too`() throws {
    let outcome = try ExampleProject().migrate("plna", "--format", "json")
    #expect(outcome.status == 64)
    #expect(try outcome.json.memberNames == ["command", "error"])
    #expect(try outcome.json["command"]?.kind == .null)
  }

  /// What SQLite finds there it removes, or applies, when the other store is opened.
  @Test(
    arguments: [
      ["create", "--model", "Migrations/Events 1.json"], ["run", "--store", "a.sqlite"],
      ["pack", "--store", "a.sqlite"], ["install", "--store", "a.sqlite"],
      ["infer", "--from", "Migrations/Events 1.json", "--to", "Migrations/Events 2.json"],
    ], ["-wal", "-shm", "-journal"])
  func `nothing is made under the name of a file of another store`(
    call: [String], end: String
  ) throws {
    let project = try ExampleProject()
    try project.folder.copy(project.path(ExampleProject.sample), to: "a.sqlite")
    try project.folder.copy(project.path(ExampleProject.sample), to: "b.sqlite")
    let outcome = try project.migrate(call + ["--output", "b.sqlite\(end)"])
    #expect(outcome.status == 64 && outcome.errors.contains("RUN-096"), "\(outcome.errors)")
    #expect(!project.folder.everything.contains { $0.hasPrefix("b.sqlite") && $0 != "b.sqlite" })
    // Where there is no store, it is a name like any other.
    let free = try project.migrate(call + ["--output", "c.sqlite\(end)", "--format", "json"])
    #expect(!free.output.contains("RUN-096"), "\(free.output)")
  }

  @Test func `create shares no folder of external data`() throws {
    let project = try ExampleProject()
    try project.folder.write(
      """
      { "name": "m", "entities": [ { "name": "Photo", "attributes": [
        { "name": "image", "type": "binary", "allowsExternalBinaryDataStorage": true } ] } ] }
      """, to: "m.json")
    try project.folder.copy(project.path(ExampleProject.sample), to: "a.sqlite")
    let shared = try project.migrate("create", "--model", "m.json", "--output", "a.store")
    #expect(shared.status == 64 && shared.errors.contains("STO-315"), "\(shared.errors)")
    let plain = try project.migrate(
      "create", "--model", "Migrations/Events 1.json", "--output", "a.store")
    #expect(plain.status == 0, "\(plain.errors)")
    #expect(try project.migrate("create", "--model", "m.json", "--output", "b.store").status == 0)
  }

  @Test
  func `create makes an empty store that status knows`() throws {
    let project = try ExampleProject()
    let made = try project.migrate(
      "create", "--model", "Migrations/Events 2.json", "--output", "new.sqlite")
    #expect(made.status == 0)
    #expect(try project.migrate("status", "--store", "new.sqlite").status == 0)
    let json = try project.migrate("inspect", "new.sqlite", "--format", "json").json
    #expect(json["entities"]?.elements.map { $0["objects"]?.number } == [0, 0])
    let again = try project.migrate(
      "create", "--model", "Migrations/Events 2.json", "--output", "new.sqlite")
    #expect(again.status == 64)
  }

  @Test
  func `inspect describes a store with its model`() throws {
    let project = try ExampleProject()
    let json = try project.migrate("inspect", ExampleProject.sample, "--format", "json").json
    #expect(json["kind"]?.text == "store")
    #expect(json["version"]?.text == "1")
    #expect(json["journalMode"]?.text == "wal")
    let event = try #require(json["entities"]?[0])
    #expect(event["name"]?.text == "Event")
    #expect(event["objects"]?.number == 2_000)
    #expect(event["attributes"]?[0]?["type"]?.text == "date")
    let model = SampleStore.eventsModel
    let hash = try #require(model.versionHashes["Event"])
    #expect(event["versionHash"]?.text == Data(hash).base64EncodedString())
    #expect(json["versionHashesDigest"]?.text == model.versionHashesDigest)
    #expect(json["versionChecksum"]?.text == model.versionChecksum)
  }

  @Test
  func `inspect describes a store without its model from its metadata`() throws {
    let project = try ExampleProject()
    try FileManager.default.removeItem(atPath: project.path("Migrations/history.json"))
    let json = try project.migrate("inspect", ExampleProject.sample, "--format", "json").json
    #expect(json["version"]?.text == nil)
    #expect(json["entities"]?[0]?["name"]?.text == "Event")
    #expect(json["versionChecksum"]?.text == SampleStore.eventsModel.versionChecksum)
    #expect(json["tables"]?[0]?["rows"]?.number == 2_000)
    let named = try project.migrate(
      "inspect", ExampleProject.sample, "--models", "Migrations/Events 1.json", "--format", "json")
    #expect(try named.json["version"]?.text == "Events 1")
  }

  @Test
  func `inspect describes a model and a mapping model`() throws {
    let project = try ExampleProject()
    let model = try project.migrate("inspect", "Migrations/Events 2.json", "--format", "json").json
    #expect(model["kind"]?.text == "model")
    #expect(
      model["entities"]?.elements.map { $0["name"]?.text } == [
        "EventPrintedDate", "EventTimestamp",
      ])
    let mapping = try project.migrate("inspect", "Mappings/StepTwo.json", "--format", "json").json
    #expect(mapping["kind"]?.text == "mappingModel")
    #expect(mapping["entityMappings"]?[0]?["filter"]?.text == "timeStamp != nil")
  }

  @Test(arguments: [
    ["status"], ["plan"], ["run"], ["inspect", ExampleProject.sample], ["verify"],
    ["create", "--model", "Migrations/Events 1.json", "--output", "new.sqlite"],
  ])
  func `every command gives one JSON object`(_ arguments: [String]) throws {
    let project = try ExampleProject()
    if arguments == ["verify"] { #expect(try project.migrateByName().status == 0) }
    let outcome = try MigrateProcess.run(arguments + ["--format", "json"], in: project.folder.path)
    #expect(try outcome.json["command"]?.text == arguments[0])
    #expect(outcome.errors.isEmpty)
  }
}
