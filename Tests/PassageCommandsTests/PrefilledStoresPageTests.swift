import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// Every command of the page on pre-filled stores, in its order, in a copy of the example.
struct PrefilledStoresPageTests {
  private static let page = "Sources/Passage/Passage.docc/PreFilledStores.md"

  /// The lines of the page's shell blocks.
  private static func commands() throws -> [String] {
    let text = try String(decoding: bytes(of: Repository.file(page)), as: UTF8.self)
    return text.components(separatedBy: "```sh\n").dropFirst().flatMap { block in
      (block.components(separatedBy: "```").first ?? "").split(separator: "\n").map(String.init)
    }
  }

  private static let hasShell = ["/bin/bash", "/usr/bin/sqlite3"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Runs lines in one shell after another; each must end well.
  private func run(_ line: String, in project: ExampleProject) throws -> String {
    let tools = try MigrateProcess.executable.deletingLastPathComponent().path
    let outcome = try ChildProgram.run(
      "/bin/bash", ["-euo", "pipefail", "-c", line], in: project.folder.path,
      environment: ["PATH": "\(tools):/usr/bin:/bin"])
    #expect(outcome.status == 0, "\(line): \(outcome.errors)")
    return outcome.output + outcome.errors
  }

  @Test(.enabled(if: hasShell))
  func `every command of the page does what the page says`() throws {
    let project = try ExampleProject()
    let commands = try Self.commands()
    #expect(commands.count > 12)
    var said: [String: String] = [:]
    for line in commands { said[line] = try run(line, in: project) }
    func answer(_ beginning: String) throws -> String {
      let line = try #require(commands.first { $0.hasPrefix(beginning) })
      return said[line] ?? ""
    }
    // The page's own output, but for the time.
    let page = try String(decoding: bytes(of: Repository.file(Self.page)), as: UTF8.self)
    let shown = try #require(
      page.components(separatedBy: "```text\n").dropFirst().first?
        .components(separatedBy: "\n```").first)
    #expect(
      try answer("migrate install --store Default.sqlite --output Store.sqlite").hasPrefix(shown))
    // What was saved last is in the log alone.
    #expect(try answer("sqlite3 copied") == "ok\n2000\n")
    #expect(try answer("sqlite3 Packed.sqlite") == "2001\n")
    let again = commands.filter {
      $0 == "migrate install --store Packed.sqlite --output First.sqlite"
    }
    #expect(again.count == 1)
    #expect(
      said[again[0]]?.hasPrefix("Already there: First.sqlite is a store of version “1”") == true)
    #expect(
      try answer("migrate install --store Packed.sqlite --output Refused").contains(
        "exit status 10"))
    #expect(project.folder.everything.filter { $0.hasSuffix(".passage") } == [])
  }

  /// The page's one command, from the sample itself.
  @Test func `the example is installed by one command`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate(
      "install", "--from", ExampleProject.sample, "--to", "Store.sqlite", "--mappings",
      "StepOne,StepTwo")
    #expect(outcome.status == 0)
    let contents = try StoreContents(
      path: project.path("Store.sqlite"),
      model: ModelFile.read(path: project.path("Migrations/Events 2.json")))
    #expect(contents["EventPrintedDate"].count == 2_000)
    #expect(contents["EventTimestamp"].count == 1_875)
  }
}
