import Foundation
import Passage
import PassageFiles
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// The folders that commands work in, seen from outside the process.
struct WorkFolderTests {
  /// A folder of somebody else's, and a link to it where the work would be done.
  private func putLink(_ project: ExampleProject, at name: String) throws -> String {
    let others = project.path("others")
    try FileManager.default.createDirectory(
      atPath: others, withIntermediateDirectories: false)
    try project.folder.write("mine", to: "others/valuable")
    try FileManager.default.createSymbolicLink(
      atPath: project.path(name), withDestinationPath: others)
    return others
  }

  @Test(arguments: ["run", "in place", "verify", "install", "pack"])
  func `a link where the work would be done is refused with 64`(_ command: String) throws {
    let project = try ExampleProject()
    let sample = ExampleProject.sample
    let arguments: [String]
    let name: String
    switch command {
    case "run": (arguments, name) = (["run"], ExampleProject.migrated + ".passage")
    case "in place": (arguments, name) = (["run", "--in-place"], sample + ".passage")
    case "verify":
      #expect(try project.migrateByName().status == 0)
      (arguments, name) = (["verify"], ExampleProject.migrated + ".verify")
    case "install":
      (arguments, name) = (
        ["install", "--from", sample, "--to", "installed.sqlite", "--mappings", "StepOne,StepTwo"],
        "installed.sqlite.passage"
      )
    default:
      (arguments, name) = (
        ["pack", sample, "--output", "packed.sqlite"], "packed.sqlite.passage"
      )
    }
    let others = try putLink(project, at: name)
    let before = try project.sampleBytes()
    let outcome = try MigrateProcess.run(arguments, in: project.folder.path)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.errors.contains("RUN-050"), "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: others) == ["valuable"])
    #expect(try project.sampleBytes() == before)
    // The remedy, pasted.
    let line = try #require(
      outcome.errors.split(separator: "\n").first { $0.contains("mv -- ") })
    let command = String(line[try #require(line.firstRange(of: "mv -- ")).lowerBound...])
    #expect(try ChildProgram.shell(command, in: project.folder.path).status == 0)
    let again = try MigrateProcess.run(arguments, in: project.folder.path)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: others) == ["valuable"])
  }

  @Test(arguments: [
    ["--to", "2"], [], ["--mappings", "StepOne,StepTwo"], ["--to", "2", "--infer"],
  ])
  func `any call removes what a finished migration in place left`(
    _ arguments: [String]
  ) throws {
    let project = try ExampleProject()
    #expect(try project.migrate("--in-place").status == 0)
    let names = project.names()
    do {
      _ = try WorkFolder.hold(project.path(ExampleProject.sample + ".passage"), files: FileSystem())
    }
    let outcome = try MigrateProcess.run(
      arguments + ["--in-place", "--format", "json"], in: project.folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json["outcome"]?.text == "upToDate")
    #expect(project.names() == names)
  }

  @Test func `a folder with something foreign in it is reported as a warning`() throws {
    let project = try ExampleProject()
    let name = ExampleProject.migrated + ".passage"
    do { _ = try WorkFolder.hold(project.path(name), files: FileSystem()) }
    try project.folder.write("mine", to: name + "/mine")
    let outcome = try project.migrate("--format", "json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let json = try outcome.json
    #expect(json["outcome"]?.text == "migrated")
    let warning = try #require(
      json["warnings"]?.elements.first { $0["code"]?.text == "RUN-052" })
    #expect(warning["severity"]?.text == "warning")
    #expect(try bytes(of: project.path(name + "/mine")) == Array("mine".utf8))
  }
}
