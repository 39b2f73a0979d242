import Foundation
import Passage
import Testing

/// Every command with every class of failure that can be brought about from outside: standard output is
/// one JSON object, and the exit status is the one inside it.
struct FailureOutputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var status: Int32
    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static let commands: [[String]] = [
    ["run", "--to", "2", "--output", "new.sqlite", "--store"], ["plan", "--to", "2", "--store"],
    ["status", "--store"], ["inspect"], ["select", "--entity", "Event", "--store"],
    ["pack", "--output", "new.sqlite"], ["install", "--to", "new.sqlite", "--from"],
    ["convert", "--output", "converted"], ["infer", "--to", "Migrations/Events 2.json", "--from"],
    ["create", "--output", "new.sqlite", "--model"],
    ["verify", "--to", "2", "--output", "Sample.sqlite", "--store"], ["--to", "2", "--store"],
  ]

  private static let allCommands = [
    "run", "plan", "status", "inspect", "select", "pack", "install", "convert", "infer", "create",
    "verify",
  ]

  static let cases: [Case] = {
    var cases: [Case] = []
    for command in commands {
      cases.append(Case(arguments: command + ["missing.sqlite"], status: 64))
      cases.append(Case(arguments: command + ["Damaged.sqlite"], status: 40))
    }
    for command in allCommands {
      cases.append(Case(arguments: [command, "--nope"], status: 64))
      if !["select", "inspect", "pack", "create", "convert", "infer", "install"].contains(command) {
        cases.append(Case(arguments: [command, "--migrations", "Broken", "--to", "2"], status: 65))
      }
    }
    return cases + [
      Case(arguments: ["statsu"], status: 64),
      Case(arguments: ["select", "--store", "Sample.sqlite", "--entity", "Evnt"], status: 64),
      Case(
        arguments: ["select", "--store", "Sample.sqlite", "--entity", "Event", "--filter", "a ="],
        status: 65),
      Case(arguments: ["run", "--store", "Stranger.sqlite", "--to", "2"], status: 20),
      Case(
        arguments: ["run", "--store", "Sample.sqlite", "--to", "2", "--time-budget", "0"],
        status: 33),
      Case(arguments: ["run", "--store", "", "--to", "2"], status: 64),
      Case(arguments: ["run", "--store", "Migrations", "--to", "2"], status: 64),
      Case(arguments: ["run", "--store", "/dev/null", "--to", "2"], status: 64),
      Case(arguments: ["run", "--store", "Text.sqlite", "--to", "2"], status: 65),
      Case(arguments: ["run", "--store", "Empty.sqlite", "--to", "2"], status: 65),
    ]
  }()

  @Test(arguments: cases)
  func `a failure is one JSON object with its exit status`(trial: Case) throws {
    let project = try ExampleProject()
    try project.folder.copy(project.path(ExampleProject.sample), to: "Sample.sqlite")
    try FileManager.default.createDirectory(
      atPath: project.path("Broken"), withIntermediateDirectories: true)
    try project.folder.write("{ oops", to: "Broken/history.json")
    try project.folder.write("a text", to: "Text.sqlite")
    try project.folder.write("", to: "Empty.sqlite")
    let sample = try project.sampleBytes()
    try project.folder.write(Array(sample.prefix(9_000)), to: "Damaged.sqlite")
    try StoreCreator.create(
      model: Model(
        name: "x",
        entities: [Entity(name: "Event", attributes: [Attribute(name: "other", type: .date)])]),
      at: project.path("Stranger.sqlite"))
    let outcome = try MigrateProcess.run(
      trial.arguments + ["--format", "json"], in: project.folder.path)
    #expect(outcome.status == trial.status, "\(outcome.output)\(outcome.errors)")
    let error = try outcome.json["error"]
    #expect(error?["exitStatus"]?.number == Int(outcome.status))
    let diagnostics = try #require(error?["diagnostics"]?.elements)
    #expect(!diagnostics.isEmpty)
    // One kind of path: from the root.
    #expect(
      diagnostics.compactMap { $0["file"]?.text }.allSatisfy {
        $0.hasPrefix("/") && !$0.contains("//") || $0.hasPrefix("--") || $0.isEmpty
      })
  }
}
