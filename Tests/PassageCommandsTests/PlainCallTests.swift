import ArgumentParser
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

@testable import PassageCommands

/// The danger that a call that is read without the parser means or prints something else.
@Suite struct PlainCallTests {
  @Test func `a call in the simplest form is read as the parser reads it`() throws {
    var random = SeededRandom(seed: RandomSeed.told(for: "PlainCallTests"))
    let names = [
      "--store", "--to", "--migrations", "--mappings-dir", "--models", "--format", "--memory",
      "--color", "-q", "--verbose", "--store=a", "--help", "status", "--", "-h", "",
    ]
    let values = [
      "a", "b/../c", "./d//e", "2", "json", "text", "xml", "never", "", "-", "--to", "-1", "ä",
    ]
    var read = 0
    for _ in 0..<120 {
      var arguments = random.chance(95) ? ["status"] : [random.pick(names)]
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        arguments.append(random.pick(random.chance(90) ? Array(names.prefix(6)) : names))
        if random.chance(97) {
          arguments.append(random.pick(random.chance(70) ? Array(values.prefix(5)) : values))
        }
      }
      guard let call = PlainCall(arguments) else { continue }
      read += 1
      let command = try #require(
        (try? MigrateCommand.parseAsRoot(arguments)) as? StatusCommand, "\(arguments)")
      #expect(call == .status(command.request, command.format.format, command.look), "\(arguments)")
      #expect(command.format.memory == nil)
    }
    #expect(read > 8)
  }

  @Test(arguments: [
    [], ["--version", "--format", "xml"], ["--version", "--store", "a"], ["version"],
    ["status", "--version"], ["status", "a"],
    ["status", "--store"], ["status", "--store", "--to"], ["status", "--format", "xml"],
    ["status", "--format=json"], ["status", "--to", "1", "--to", "2"], ["status", "--help"],
    ["status", "--memory", "1G"], ["status", "-q", "-v"], ["status", "--color"],
    ["status", "--color", "red"], ["status", "--color", "never", "--color", "never"],
    ["run", "--to", "2"], ["--to", "2"], ["status", "--store", ""],
  ])
  func `any other call is left to the parser`(arguments: [String]) {
    #expect(PlainCall(arguments) == nil)
  }

  @Test func `the version is the one that the parser prints`() throws {
    #expect(PlainCall(["--version"]) == .version(.text))
    let project = try ExampleProject()
    let short = try project.migrate("--version")
    #expect(throws: (any Error).self) { try MigrateCommand.parseAsRoot(["--version"]) }
    do {
      _ = try MigrateCommand.parseAsRoot(["--version"])
    } catch {
      #expect(short.output == MigrateCommand.fullMessage(for: error) + "\n")
      #expect(short.status == MigrateCommand.exitCode(for: error).rawValue)
    }
    #expect(short.errors.isEmpty)
  }

  @Test(arguments: [
    ["--version", "--format", "json"], ["--format", "json", "--version"],
    ["--version", "--format=json"],
  ])
  func `the versions of what the program was built with are told`(arguments: [String]) throws {
    let project = try ExampleProject()
    let json = try project.migrate(arguments).json
    #expect(try json["version"]?.text == project.migrate("--version").output.dropLast().description)
    let sqlite = try Connection(path: project.path(ExampleProject.sample), mode: .readOnly)
      .rows("SELECT sqlite_version()")[0][0].string
    #expect(json["sqlite"]?.text == sqlite)
    #expect(json["swift"]?.text?.contains(".") == true)
    // Whoever measures a build for debugging is told so.
    let isOptimised = json["optimised"]?.kind == .bool(true)
    let text = try project.migrateByName().output
    #expect(text.contains("objects/s (built without optimisation)") == !isOptimised)
  }

  @Test func `status prints the same either way`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    let other = project.path("other.sqlite")
    try project.folder.copy(project.path(ExampleProject.sample), to: "other.sqlite")
    try Connection(path: other, mode: .readWrite).execute("DELETE FROM Z_METADATA")
    let calls: [[String]] = [
      [], ["--store", ExampleProject.migrated], ["--store", "./Migrations//Sample/Events.sqlite"],
      ["--store", ExampleProject.migrated, "--to", "1"], ["--to", "3"], ["--store", "missing"],
      ["--store", "other.sqlite"], ["--migrations", "nowhere"], ["--mappings-dir", "Mappings"],
      ["--migrations", "Mappings", "--models", "Migrations/Events 1.json"],
      ["--models", "missing.json"], ["--store", "Migrations/history.json"], ["--color", "always"],
      ["-q", "--store", "missing", "--color", "always"], ["--verbose"],
    ]
    var statuses: Set<Int32> = []
    for call in calls {
      for format in [[], ["--format", "json"], ["--format", "text"]] {
        let arguments = ["status"] + call + format
        #expect(PlainCall(arguments) != nil)
        let short = try MigrateProcess.run(arguments, in: project.folder.path)
        // What is the default anyway makes it a call for the parser.
        let long = try MigrateProcess.run(
          arguments + ["--memory", "512M"], in: project.folder.path)
        #expect(short.output == long.output && short.errors == long.errors, "\(arguments)")
        #expect(short.status == long.status, "\(arguments)")
        statuses.insert(short.status)
      }
    }
    #expect(statuses.isSuperset(of: [0, 10, 64]))
  }
}
