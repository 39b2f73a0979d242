import Foundation
import Passage
import TestSupport
import Testing

/// `migrate diagram`.
struct DiagramCommandTests {
  @Test(arguments: [
    ("Migrations/Events 1.json", "The model “Events 1”"), ("Migrations", "The history of versions"),
    ("Migrations/history.json", "The history of versions"),
    ("Mappings/StepTwo.json", "The mapping model “StepTwo” from “1” to “2”"),
    (ExampleProject.sample, "The model “1”"),
  ])
  func `everything that can be drawn is drawn in every format`(_ path: String, _ title: String)
    throws
  {
    let project = try ExampleProject()
    let names = project.names()
    let starts = [
      "svg": "<svg xmlns='http://www.w3.org/2000/svg'", "mermaid": "---\ntitle: \"\(title)\"",
      "dot": "digraph passage {",
    ]
    for (format, start) in starts {
      let outcome = try project.migrate("diagram", path, "--format", format)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.hasPrefix(start))
      #expect(outcome.output.contains(title))
      #expect(outcome.output.hasSuffix("\n") && !outcome.output.hasSuffix("\n\n"))
    }
    let json = try project.migrate("diagram", path, "--format", "json").json
    #expect(json["command"]?.text == "diagram")
    #expect(json["title"]?.text == title)
    #expect(json["nodes"]?.elements.isEmpty == false)
    #expect(project.names() == names)
  }

  @Test func `the model of a store is drawn with its objects`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate("diagram", ExampleProject.sample, "--format", "mermaid")
    #expect(outcome.output.hasSuffix("  n0[\"Event<br/>2,000 objects<br/>timeStamp: date\"]\n"))
  }

  @Test(arguments: [
    ("a.svg", "<svg"), ("a.dot", "digraph"), ("a.gv", "digraph"), ("a.mmd", "---"),
    ("a.txt", "<svg"), ("sub/a.json", "{"),
  ])
  func `the extension of the file says the format`(_ name: String, _ start: String) throws {
    let project = try ExampleProject()
    let outcome = try project.migrate("diagram", "Migrations", "--output", name)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == "\(name): The history of versions\n")
    let text = try String(contentsOfFile: project.path(name), encoding: .utf8)
    #expect(text.hasPrefix(start))
    // The same again changes nothing.
    #expect(try project.migrate("diagram", "Migrations", "--output", name).status == 0)
  }

  @Test func `another file is replaced only by force`() throws {
    let project = try ExampleProject()
    try project.folder.write("mine", to: "a.svg")
    let refused = try project.migrate("diagram", "Migrations", "--output", "a.svg")
    #expect(refused.status == 64 && refused.errors.contains("CMD-030"))
    #expect(refused.errors.contains("name another file, "), "\(refused.errors)")
    #expect(try String(contentsOfFile: project.path("a.svg"), encoding: .utf8) == "mine")
    #expect(
      try project.migrate("diagram", "Migrations", "--output", "a.svg", "--force").status == 0)
    #expect(try String(contentsOfFile: project.path("a.svg"), encoding: .utf8).hasPrefix("<svg"))
  }

  @Test func `a store is never replaced by its own drawing`() throws {
    let project = try ExampleProject()
    let before = try project.sampleBytes()
    let outcome = try project.migrate(
      "diagram", ExampleProject.sample, "--output", ExampleProject.sample, "--force")
    #expect(outcome.status == 64 && outcome.errors.contains("CMD-060"))
    #expect(try project.sampleBytes() == before)
  }

  /// Not even by force, and by whatever name it is called.
  @Test(arguments: [
    (ExampleProject.sample, "\(ExampleProject.sample)-wal"),
    ("Migrations/Events 1.json", "Migrations/Events 1.json"),
    ("Migrations", "Migrations/history.json"),
    ("Mappings/StepOne.json", "link.json"),
  ])
  func `what is drawn is not replaced by its drawing`(_ path: String, _ output: String) throws {
    let project = try ExampleProject()
    try FileManager.default.createSymbolicLink(
      atPath: project.path("link.json"),
      withDestinationPath: project.path("Mappings/StepOne.json"))
    let names = project.folder.everything
    let before = try? bytes(of: project.path(output))
    let outcome = try project.migrate("diagram", path, "--output", output, "--force")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("CMD-060"), "\(outcome.errors)")
    #expect((try? bytes(of: project.path(output))) == before)
    #expect(project.folder.everything == names)
  }
}
