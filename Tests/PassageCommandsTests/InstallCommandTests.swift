import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

struct InstallCommandTests {
  @Test
  func `a store of another version exits with 10, and is migrated where that is asked for`() throws
  {
    let project = try ExampleProject()
    let before = try project.sampleBytes()
    let refused = try project.migrate(
      "install", "--from", ExampleProject.sample, "--to", "A.sqlite")
    #expect(refused.status == 10)
    #expect(refused.errors.contains("INS-010"))
    #expect(refused.errors.contains("EventTimestamp: only in “2”"))
    let migrated = try project.migrate(
      "install", "--from", ExampleProject.sample, "--to", "A.sqlite", "--to-version", "2",
      "--format", "json")
    #expect(migrated.status == 0)
    #expect(try migrated.json["outcome"]?.text == "migrated")
    #expect(try migrated.json["version"]?.text == "2")
    let again = try project.migrate(
      "install", "--from", ExampleProject.sample, "--to", "A.sqlite", "--format", "json")
    #expect(again.status == 0)
    #expect(try again.json["outcome"]?.text == "alreadyThere")
    #expect(try again.json["needsMigration"]?.truth == false)
    #expect(try project.sampleBytes() == before)
    #expect(try project.migrate("status", "--store", "A.sqlite").status == 0)
  }

  @Test(arguments: [
    ["--store", ExampleProject.sample, "--output", "A.sqlite", "--to", "2"],
    ["--from", ExampleProject.sample, "--to", "A.sqlite", "--to-version", "2"],
    ["--from", ExampleProject.sample, "--output", "A.sqlite", "--to", "2"],
    ["--store", ExampleProject.sample, "--output", "A.sqlite", "--to-version", "2"],
  ])
  func `old and new names of the options mean the same`(arguments: [String]) throws {
    let project = try ExampleProject()
    let outcome = try project.migrate(["install"] + arguments + ["--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json["version"]?.text == "2")
    #expect(project.names().contains("A.sqlite"))
  }

  @Test(arguments: [
    (["install", "--store", "a", "--from", "b", "--output", "c"], "CMD-046"),
    (["install", "--from", "a", "--output", "c", "--to", "2", "--to-version", "1"], "CMD-046"),
    (["install", "--output", "c"], "CMD-047"), (["install", "--store", "a"], "CMD-047"),
    (["install", "--store", "a", "--to", "2"], "CMD-047"), (["install"], "CMD-047"),
    (["pack", "a", "--store", "b", "--output", "c"], "CMD-046"),
    (["pack", "--output", "c"], "CMD-047"),
  ])
  func `a name that is missing or given twice is refused`(
    arguments: [String], code: String
  ) throws {
    let project = try ExampleProject()
    let before = project.names()
    let outcome = try project.migrate(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(code), "\(outcome.errors)")
    #expect(project.names() == before)
  }

  @Test
  func `without a project the store arrives as it is`() throws {
    let folder = try TemporaryDirectory()
    try SampleStore.writeEvents(to: folder.path("Default.sqlite"))
    let outcome = try MigrateProcess.run(
      ["install", "--from", "Default.sqlite", "--to", "Store.sqlite"], in: folder.path)
    #expect(outcome.status == 0)
    #expect(try bytes(of: folder.path("Store.sqlite")) == bytes(of: folder.path("Default.sqlite")))
    #expect(folder.everything == ["Default.sqlite", "Store.sqlite"])
  }

  @Test
  func `no way exits with 22, and an unknown store with 20 and the differences`() throws {
    let project = try ExampleProject()
    let back = try project.migrate(
      "install", "--from", ExampleProject.sample, "--to", "New.sqlite", "--to-version", "2")
    #expect(back.status == 0)
    let none = try project.migrate(
      "install", "--from", "New.sqlite", "--to", "B.sqlite", "--to-version", "1")
    #expect(none.status == 22)
    #expect(none.errors.contains("INS-012"))
    let stranger = Model(
      name: "x",
      entities: [Entity(name: "Event", attributes: [Attribute(name: "other", type: .date)])])
    try StoreCreator.create(model: stranger, at: project.path("Stranger.sqlite"))
    let unknown = try project.migrate("install", "--from", "Stranger.sqlite", "--to", "C.sqlite")
    #expect(unknown.status == 20)
    #expect(unknown.errors.contains("Event"))
    #expect(!project.names().contains { $0.hasPrefix("B.") || $0.hasPrefix("C.") })
  }

  @Test(arguments: [
    (["--from", "Missing.sqlite", "--to", "A.sqlite"], Int32(64), "STO-101"),
    (["--from", "text", "--to", "A.sqlite"], 65, "STO-106"),
    (["--from", ExampleProject.sample, "--to", "none/A.sqlite"], 64, "RUN-003"),
    (["--from", ExampleProject.sample, "--to", "Migrations"], 64, "INS-001"),
    (["--from", ExampleProject.sample, "--to", "dangling"], 64, "INS-002"),
    (["--from", ExampleProject.sample, "--to", "text"], 64, "INS-003"),
    (
      ["--from", ExampleProject.sample, "--to", "A.sqlite", "--mappings", "StepOne,"], 64, "CMD-006"
    ),
    (["--from", ExampleProject.sample, "--to", "A.sqlite", "--to-version", "9"], 64, "CMD-007"),
  ])
  func `a wrong call says what is wrong`(_ arguments: [String], _ status: Int32, _ code: String)
    throws
  {
    let project = try ExampleProject()
    try project.folder.write("a text", to: "text")
    try FileManager.default.createSymbolicLink(
      atPath: project.path("dangling"), withDestinationPath: "nowhere")
    let before = project.names()
    let outcome = try MigrateProcess.run(["install"] + arguments, in: project.folder.path)
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(code))
    #expect(project.names() == before)
  }

  // MARK: Several processes

  @Test
  func `of processes that start together, one installs`() throws {
    let project = try ExampleProject()
    for round in 1...8 {
      let arguments = [
        "install", "--from", ExampleProject.sample, "--to", "Store-\(round).sqlite",
        "--to-version", round.isMultiple(of: 2) ? "2" : "1", "--format", "json",
      ]
      let programs = try (1...3).map { _ in
        try MigrateProcess.start(arguments, in: project.folder.path)
      }
      let outcomes = programs.map { $0.outcome() }
      #expect(outcomes.map(\.status) == [0, 0, 0], "\(outcomes.map(\.errors))")
      let said = try outcomes.map { try $0.json["outcome"]?.text ?? "" }.sorted()
      #expect(
        said
          == ["alreadyThere", "alreadyThere", round.isMultiple(of: 2) ? "migrated" : "installed"])
      #expect(try project.migrate("inspect", "Store-\(round).sqlite").status == 0)
      #expect(!project.folder.everything.contains { $0.contains(".passage") }, "round \(round)")
    }
  }

  /// Killed while it copies one of the files of external data: the first that is larger than a file may
  /// be. The first, the last and some between them; the campaigns kill at every call.
  @Test
  func `a kill at any moment leaves nothing or the whole store`() throws {
    let folder = try TemporaryDirectory()
    let model = Model(
      name: "1",
      entities: [
        Entity(
          name: "Photo",
          attributes: [
            Attribute(name: "image", type: .binary, allowsExternalBinaryDataStorage: true)
          ])
      ])
    try FileManager.default.createDirectory(
      atPath: folder.path("bundle/.Default_SUPPORT/_EXTERNAL_DATA"),
      withIntermediateDirectories: true)
    let store = try TestStore(model: model, at: folder.path("bundle/Default.sqlite"))
    let names = (10..<30).map { "8B1E4C1C-6C58-4C7D-9B8B-3C1F0E5D9A\($0)" }
    for (number, name) in names.enumerated() {
      try store.insert("Photo", ["image": .blob([2] + Array(name.utf8) + [0])])
      try folder.write(
        Array(repeating: UInt8(number), count: 300_000 + number * 8_192),
        to: "bundle/.Default_SUPPORT/_EXTERNAL_DATA/\(name)")
    }
    try store.close(isLogKept: true)
    let bundle = try StoreRows(path: folder.path("bundle/Default.sqlite"))
    var random = SeededRandom(seed: RandomSeed.told(for: "InstallCommandTests"))
    let between = (1..<names.count - 1).shuffled(using: &random).prefix(4)
    for moment in [0, names.count - 1] + between {
      let app = "app-\(moment)"
      try FileManager.default.createDirectory(
        atPath: folder.path(app), withIntermediateDirectories: false)
      let arguments = [
        "install", "--from", "bundle/Default.sqlite", "--to", "\(app)/Store.sqlite",
      ]
      let killed = try ChildProgram.run(
        MigrateProcess.executable.path, arguments, in: folder.path,
        interruptedAtFileBytes: 298_000 + moment * 8_192)
      #expect(killed.wasInterrupted, "\(killed.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder.path("\(app)/Store.sqlite")))
      #expect(try MigrateProcess.run(arguments, in: folder.path).status == 0)
      let installed = folder.path("\(app)/Store.sqlite")
      #expect(try StoreRows(path: installed).differences(from: bundle) == [])
      let external = try StoreFile.open(path: installed).externalData(of: model)
      #expect(external?.files == 20)
      #expect(external?.isComplete == true)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path(app)).sorted()
          == [".Store_SUPPORT", "Store.sqlite"])
    }
  }
}
