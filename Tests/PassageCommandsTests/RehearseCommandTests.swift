import Foundation
import PassageTesting
import TestSupport
import Testing

/// `migrate rehearse`.
struct RehearseCommandTests {
  @Test func `the example passes, and nothing is left`() throws {
    let project = try ExampleProject()
    let before = (names: project.names(), bytes: try project.sampleBytes())
    let outcome = try project.migrate(
      "rehearse", "--seed", "1", "--size", "9", "--stores", "Migrations/Sample")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("Rehearsed 2 stores to version “2”, seed 1: all ways gave"))
    #expect(outcome.output.contains("made up "))
    #expect(outcome.output.contains("Migrations/Sample/Events.sqlite"))
    #expect(project.names() == before.names)
    #expect(try project.sampleBytes() == before.bytes)
  }

  @Test func `what fails is in the text, the JSON, the XML and the exit status`() throws {
    let project = try ExampleProject()
    let path = "Mappings/StepTwo.json"
    let text = try String(decoding: bytes(of: project.path(path)), as: UTF8.self)
    try project.folder.write(
      Array(text.replacing("\"timestamp\":", with: "\"timestmp\":").utf8), to: path)
    let outcome = try project.migrate(
      "rehearse", "--seed", "1", "--junit", "result.xml", "--format", "json")
    #expect(outcome.status == 65)
    #expect(try outcome.json["passed"]?.truth == false)
    #expect(try outcome.json["stores"]?[0]?["ways"]?[0]?["outcome"]?.text == "failed")
    #expect(try outcome.json["stores"]?[0]?["ways"]?[1]?["outcome"]?.text == "skipped")
    let xml = try String(decoding: bytes(of: project.path("result.xml")), as: UTF8.self)
    #expect(xml.contains("<failure") && xml.contains("MAP-014"))
    #expect(try project.migrate("rehearse").output.contains("MAP-014"))
  }

  @Test func `the page of a rehearsal that fails says what to do, and how to do it again`() throws {
    let project = try ExampleProject()
    let path = "Mappings/StepTwo.json"
    let text = try String(decoding: bytes(of: project.path(path)), as: UTF8.self)
    try project.folder.write(
      Array(text.replacing("\"timestamp\":", with: "\"timestmp\":").utf8), to: path)
    let outcome = try project.migrate(
      "rehearse", "--seed", "7", "--size", "3", "--stores", "Migrations/Sample", "--report",
      "page.html", "--format", "json")
    #expect(outcome.status == 65)
    #expect(try outcome.json["report"]?.text?.hasSuffix("/page.html") == true)
    let again = "migrate rehearse --seed 7 --size 3 --stores 'Migrations/Sample'"
    #expect(try outcome.json["again"]?.text == again)
    let page = try String(decoding: bytes(of: project.path("page.html")), as: UTF8.self)
    for words in [
      "2 ways failed", "MAP-014", "did you mean “timestamp”?", "migrate explain MAP-014",
      "<bdi>Migrations/Sample/Events.sqlite</bdi>", "<b>12</b> <span>ways not gone</span>",
      "step by step of 2 stores", again.replacing("'", with: "&#39;"),
    ] {
      #expect(page.contains(words), "\(words)")
    }
    // Both stores failed for one reason, which is told once.
    #expect(page.components(separatedBy: "did you mean").count == 2)
  }

  @Test func `a rehearsal that does not begin has a page, too`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate("rehearse", "--to", "9", "--report", "page.html")
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasSuffix("report: page.html\n"))
    let page = try String(decoding: bytes(of: project.path("page.html")), as: UTF8.self)
    #expect(page.contains("PLN-018") && page.contains("use one of: 1, 2"))
  }

  @Test func `a store that is at the version already goes no way and does not fail`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    let outcome = try project.migrate(
      "rehearse", "--seed", "1", "--size", "2", "--stores", "Migrations/Sample", "--format", "json")
    #expect(outcome.status == 0)
    let ways = try outcome.json["stores"]?[1]?["ways"]
    #expect(ways?[0]?["outcome"]?.text == "skipped")
    #expect(ways?[6]?["detail"]?.text == "the store is at “2” already")
  }

  @Test func `a rehearsal of nothing says so, and why`() throws {
    let project = try NotesProject([NotesProject.old])
    let made = try project.migrate("init", NotesProject.bundle)
    #expect(made.output.hasSuffix("Next: migrate check\n"), "\(made.output)\(made.errors)")
    let text = try project.migrate("rehearse", "--report", "page.html")
    let why = "the history has no version before “Notes 1”, and there are no real stores"
    #expect(text.status == 0)
    #expect(text.output.hasPrefix("Nothing was rehearsed: \(why)\n"), "\(text.output)")
    let page = String(decoding: project.folder.contents("page.html") ?? [], as: UTF8.self)
    #expect(page.contains("Nothing was rehearsed: \(why)") && !page.contains("same stores"))
    let json = try project.migrate("rehearse", "--format", "json").json
    #expect(json["passed"]?.truth == true && json["nothingRehearsed"]?.text == why)
    // A store that is there already went no way either.
    try FileManager.default.createDirectory(
      atPath: project.folder.path("Samples"), withIntermediateDirectories: true)
    try project.makeStore("Samples/Notes.sqlite")
    let rested = try project.migrate("rehearse", "--stores", "Samples")
    #expect(rested.status == 0)
    #expect(
      rested.output.hasPrefix("Nothing was rehearsed: every store is at “Notes 1” already\n"))
  }

  @Test(arguments: ["Migrations/Sample/Events.sqlite", "Mappings/StepOne.json", "page.html"])
  func `the XML replaces nothing but such a file`(path: String) throws {
    let project = try ExampleProject()
    let before = try? bytes(of: project.path(path))
    let outcome = try project.migrate("rehearse", "--junit", path, "--report", "page.html")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("CMD-100"), "\(outcome.errors)")
    #expect((try? bytes(of: project.path(path))) == before)
  }

  @Test(arguments: [
    (["--size", "0"], "CMD-002"), (["--to", "9"], "PLN-018"),
    (["--migrations", "Mappings"], "PLN-017"), (["--stores", "missing"], "RUN-003"),
    (["--junit", "missing/result.xml"], "RUN-003"), (["--junit", "Migrations"], "RUN-002"),
  ])
  func `wrong calls are refused`(arguments: [String], code: String) throws {
    let project = try ExampleProject()
    let before = project.names()
    let outcome = try project.migrate(["rehearse"] + arguments)
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains(code), "\(outcome.errors)")
    #expect(project.names() == before)
  }

  @Test func `a file that is named like a store and is none is not passed over`() throws {
    let project = try ExampleProject()
    for (name, text) in [("a.sqlite", ""), ("b.db", "version https://git-lfs"), ("c.md", "text")] {
      try FileManager.default.createDirectory(
        atPath: project.path("Samples"), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: project.path("Samples/\(name)")))
    }
    let outcome = try project.migrate(
      "rehearse", "--seed", "1", "--size", "2", "--stores", "Samples")
    #expect(outcome.status != 0)
    #expect(outcome.output.contains("a.sqlite") && outcome.output.contains("b.db"))
    #expect(!outcome.output.contains("c.md"))
  }

  /// The XML is read by another program.
  @Test func `the XML is well formed`() throws {
    let project = try ExampleProject()
    #expect(
      try project.migrate("rehearse", "--seed", "1", "--junit", "result.xml").status == 0)
    let outcome = try ChildProgram.run(
      "/usr/bin/env",
      [
        "python3", "-c",
        "import sys, xml.etree.ElementTree as x; r = x.parse('result.xml').getroot(); "
          + "print(r.get('tests'), r.get('failures'), len(r.findall('.//testcase')))",
      ], in: project.folder.path)
    #expect(outcome.output == "7 0 7\n", "\(outcome.errors)")
  }
}
