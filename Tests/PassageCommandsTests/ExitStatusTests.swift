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

/// Every exit status that can be provoked from outside.
struct ExitStatusTests {
  @Test
  func `status exits with 10 before a needed migration and with 0 after it`() throws {
    let project = try ExampleProject()
    let before = try project.migrate("status")
    #expect(before.status == 10)
    #expect(before.output.contains("Event: only in “1”"))
    #expect(before.output.contains("migrate --mappings StepOne,StepTwo"))
    #expect(try project.migrateByName().status == 0)
    #expect(try project.migrate("status", "--store", ExampleProject.migrated).status == 0)
    #expect(try project.migrate("status", "--to", "1").status == 0)
  }

  @Test(arguments: ["status", "run"])
  func `a store of no known version exits with 20`(_ command: String) throws {
    let project = try ExampleProject()
    let stranger = Model(
      name: "x",
      entities: [Entity(name: "Event", attributes: [Attribute(name: "other", type: .date)])])
    try StoreCreator.create(model: stranger, at: project.path("Stranger.sqlite"))
    let outcome = try project.migrate(command, "--store", "Stranger.sqlite")
    #expect(outcome.status == 20)
    #expect((outcome.output + outcome.errors).contains("Event"))
    #expect((outcome.output + outcome.errors).contains("--models PATH"))
  }

  /// Whatever asks the store for its model meets the damage first in another place.
  @Test(arguments: [
    ["inspect", "Damaged.sqlite"], ["status", "--store", "Damaged.sqlite"],
    ["plan", "--store", "Damaged.sqlite", "--to", "2"],
    ["run", "--store", "Damaged.sqlite", "--to", "2", "--output", "new.sqlite"],
    ["select", "--store", "Damaged.sqlite", "--entity", "Event"],
    ["convert", "Damaged.sqlite", "--output", "converted"],
    ["pack", "Damaged.sqlite", "--output", "new.sqlite"],
    ["install", "--from", "Damaged.sqlite", "--to", "new.sqlite"],
    ["infer", "--from", "Damaged.sqlite", "--to", "Migrations/Events 2.json"],
  ])
  func `a damaged store is 40 for every command, and nothing is written`(
    arguments: [String]
  ) throws {
    let project = try ExampleProject()
    let damaged = try project.folder.copy(
      project.path(ExampleProject.sample), to: "Damaged.sqlite")
    try Connection(path: damaged, mode: .readWrite).execute(
      "PRAGMA journal_mode = DELETE; UPDATE Z_METADATA SET Z_PLIST = x'00'")
    let names = try FileManager.default.contentsOfDirectory(atPath: project.folder.path).sorted()
    let outcome = try MigrateProcess.run(arguments, in: project.folder.path)
    #expect(outcome.status == 40)
    #expect(outcome.errors.contains("error[STO-109]"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: project.folder.path).sorted() == names)
  }

  @Test
  func `no way between two versions exits with 22`() throws {
    let project = try ExampleProject()
    let history = try String(
      decoding: bytes(of: project.path("Migrations/history.json")), as: UTF8.self)
    try project.folder.write(
      history.replacing("\"from\": \"1\", \"to\": \"2\"", with: "\"from\": \"2\", \"to\": \"1\""),
      to: "Migrations/history.json")
    let outcome = try project.migrate("--to", "2")
    #expect(outcome.status == 22)
    #expect(outcome.errors.contains("PLN-019"))
    #expect(outcome.errors.contains("--infer"))
  }

  @Test
  func `another runner exits with 30`() throws {
    let project = try ExampleProject()
    let workspace = project.path(ExampleProject.migrated + ".passage")
    try FileManager.default.createDirectory(
      atPath: workspace, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let file = open("\(workspace)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
    let outcome = try project.migrateByName()
    #expect(outcome.status == 30)
    #expect(outcome.errors.contains("RUN-010"))
    #expect(flock(file, LOCK_UN) == 0)
    #expect(try project.migrateByName().status == 0)
  }

  @Test
  func `a disk that is too small exits with 31, and nothing is written`() throws {
    let project = try ExampleProject()
    // A file with a hole counts with its whole length.
    let data = "Migrations/Sample/.Events_SUPPORT/_EXTERNAL_DATA"
    try FileManager.default.createDirectory(
      atPath: project.path(data), withIntermediateDirectories: true)
    try project.folder.write("", to: "\(data)/hole")
    #expect(truncate(project.path("\(data)/hole"), 1 << 43) == 0)
    let before = project.names()
    let outcome = try project.migrateByName()
    #expect(outcome.status == 31)
    #expect(outcome.errors.contains("RUN-005"))
    #expect(project.names() == before)
  }

  @Test
  func `a name that is too long exits with 64`() throws {
    let project = try ExampleProject()
    let long = String(repeating: "n", count: 250)
    let before = try project.sampleBytes()
    let outcome = try project.migrate("--output", "\(long).sqlite")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("STO-161"))
    #expect(try project.sampleBytes() == before)
  }

  @Test
  func `a used-up time budget exits with 33, and the same command continues`() throws {
    let project = try ExampleProject()
    let stopped = try project.migrate("--time-budget", "0")
    #expect(stopped.status == 33)
    #expect(stopped.errors.contains("RUN-013"))
    #expect(!project.names().contains(ExampleProject.migrated))
    #expect(try project.migrate("--format", "json").json["outcome"]?.text == "migrated")
    #expect(!project.names().contains { $0.contains(".passage") })
  }

  @Test(arguments: ["run", "status", "plan", "inspect"])
  func `what never was a store is 65, and one that is cut off is 40`(_ command: String) throws {
    let project = try ExampleProject()
    try project.folder.write("", to: "empty.sqlite")
    try project.folder.write("no database, only a text", to: "text.sqlite")
    let sample = try project.sampleBytes()
    try project.folder.write(Array(sample.prefix(9_000)), to: "cut.sqlite")
    try project.folder.write(
      [UInt8](repeating: 0, count: 4_096) + sample.dropFirst(4_096), to: "lost.sqlite")
    for (name, code, status) in [
      ("empty", "STO-104", 65), ("text", "STO-106", 65), ("cut", "STO-105", 40),
      ("lost", "STO-110", 40),
    ] as [(String, String, Int32)] {
      let before = try bytes(of: project.path("\(name).sqlite"))
      let store = command == "inspect" ? [] : ["--store"]
      let outcome = try MigrateProcess.run(
        [command] + store + ["\(name).sqlite"], in: project.folder.path)
      #expect(outcome.status == status, "\(name)")
      #expect(outcome.errors.contains(code), "\(name)")
      #expect(outcome.output.isEmpty)
      #expect(try bytes(of: project.path("\(name).sqlite")) == before)
    }
  }

  @Test
  func `a policy that fails exits with 41, and the source is unchanged`() throws {
    let project = try ExampleProject()
    try project.change(
      ExampleProject.sample, "UPDATE ZEVENT SET ZTIMESTAMP = 'soon' WHERE Z_PK = 1500")
    let before = try project.sampleBytes()
    let names = project.names()
    let outcome = try project.migrateByName()
    #expect(outcome.status == 41)
    #expect(outcome.errors.contains("1500"))
    #expect(outcome.errors.contains("RUN-041"))
    #expect(!outcome.errors.contains("soon"))
    #expect(try project.sampleBytes() == before)
    #expect(!project.names().contains(ExampleProject.migrated))
    #expect(names.allSatisfy(project.names().contains))
  }

  @Test(arguments: [
    ["--nope"], ["--format", "yaml"], ["--batch-size", "many"], ["--batch-size", "0"],
    ["--jobs", "0"], ["--time-budget", "-1"], ["--mappings", "StepOne,,StepTwo"],
    ["--mappings", "StepOne", "--to", "2"], ["--to", "3"], ["--in-place", "--output", "x.sqlite"],
    ["--no-backup"], ["--store", "missing.sqlite"], ["--mappings", "StepThree"],
    ["--models", "missing.json"], ["--migrations", "missing"], ["--mappings-dir", "missing"],
    ["--output", "missing/x.sqlite"], ["create"], ["create", "--model", "x", "--output", "y"],
    ["inspect"], ["inspect", "missing.sqlite"], ["verify", "--output", "missing.sqlite"],
    ["nonsense"],
  ])
  func `a wrong call exits with 64 and writes nothing`(_ arguments: [String]) throws {
    let project = try ExampleProject()
    let before = project.names()
    let outcome = try MigrateProcess.run(arguments, in: project.folder.path)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(!outcome.errors.isEmpty)
    #expect(project.names() == before)
  }

  @Test(arguments: [
    "Migrations/history.json", "Migrations/Events 1.json", "Mappings/StepOne.json",
  ])
  func `a file that is not JSON exits with 65`(_ name: String) throws {
    let project = try ExampleProject()
    try project.folder.write("{ \"source\": \"1\",\n  oops }", to: name)
    let outcome = try project.migrateByName()
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("\(name):2:3"))
    #expect(outcome.errors.contains("2 |   oops }"))
  }

  @Test
  func `help and version exit with 0`() throws {
    let project = try ExampleProject()
    for arguments in [["--help"], ["run", "--help"], ["--version"], ["help", "verify"]] {
      let outcome = try MigrateProcess.run(arguments, in: project.folder.path)
      #expect(outcome.status == 0)
      #expect(!outcome.output.isEmpty)
      #expect(outcome.errors.isEmpty)
    }
  }
}
