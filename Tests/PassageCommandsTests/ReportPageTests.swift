import Foundation
import Passage
import TestSupport
import Testing

@testable import PassageCommands

/// `--report FILE.html` of `run`, `plan` and `verify`.
struct ReportPageTests {
  private static let main = ["--mappings", "StepOne,StepTwo"]

  private func page(_ project: ExampleProject, _ name: String = "page.html") throws -> String {
    try String(contentsOfFile: project.path(name), encoding: .utf8)
  }

  @Test func `the page of a run shows the flow, the account and the record`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate(Self.main + ["--report", "page.html"])
    #expect(outcome.status == 0)
    #expect(outcome.output.hasSuffix("  report    page.html\n"))
    let page = try page(project)
    for text in [
      "Events.sqlite", "Migrated", "EventToEventPrintedDate", "StepTwo · page lane",
      "1,875 migrated", "125 filtered", "2,000 objects", "1,875 objects", "$source.timeStamp",
      "Record of the store", "objects/s",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    for text in ["http://", "https://", "<script", "src="] { #expect(!page.contains(text)) }
    // A value of the sample.
    #expect(!page.contains("Jan 1, 2001"))
    #expect(project.names().filter { $0.contains("page.html") } == ["page.html"])
  }

  @Test func `the JSON of a run has one member more`() throws {
    let project = try ExampleProject()
    let with = try project.migrate(Self.main + ["--report", "page.html", "--format", "json"])
    #expect(with.errors.isEmpty)
    let path = try #require(try with.json["report"]?.text)
    #expect(path.hasPrefix("/") && path.hasSuffix("/page.html"))
    let without = try ExampleProject().migrate(Self.main + ["--format", "json"])
    #expect(try without.json["report"] == nil)
    #expect(try with.json.memberNames == without.json.memberNames + ["report"])
  }

  @Test func `a plan has a page with the objects that are there to be read`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate(["plan"] + Self.main + ["--report", "page.html"])
    #expect(outcome.status == 0)
    let page = try page(project)
    for text in ["Planned", "2,000 objects", "filter timeStamp != nil", "policy PrintedDatePolicy"]
    {
      #expect(page.contains(text), "\(text)")
    }
    #expect(try project.migrate(Self.main + ["--dry-run", "--report", "page.html"]).status == 0)
    #expect(try self.page(project).contains("migrate run"))
  }

  @Test func `a verification has a page, without values even when they are printed`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    try project.change(
      ExampleProject.migrated, "UPDATE ZEVENTTIMESTAMP SET ZTIMESTAMP = 4711 WHERE Z_PK = 1")
    let outcome = try project.migrate(
      ["verify"] + Self.main + ["--show-values", "--report", "page.html"])
    #expect(outcome.status == 42)
    #expect(outcome.output.contains("4711"))
    let page = try page(project)
    #expect(page.contains("EventTimestamp 1: different values in timestamp"))
    #expect(!page.contains("4711"))
  }

  @Test func `a run that fails has a page that says why`() throws {
    let project = try ExampleProject()
    let text = try String(contentsOfFile: project.path("Mappings/StepTwo.json"), encoding: .utf8)
    try project.folder.write(
      text.replacing("timeStamp != nil", with: "timeStmp != nil"), to: "Mappings/Wrong.json")
    let outcome = try project.migrate(
      "--mappings", "StepOne,Wrong", "--report", "page.html", "--format", "json")
    #expect(outcome.status == 65)
    #expect(try outcome.json["error"]?["exitStatus"]?.number == 65)
    #expect(try outcome.json["report"]?.text?.hasSuffix("/page.html") == true)
    let page = try page(project)
    for text in [
      "Failed", "PRE-010", "migrate explain PRE-010", "Mappings/Wrong.json:10:18", "timeStmp",
      "did you mean", "65:",
      "on disk",
    ] {
      #expect(page.contains(text), "\(text)")
    }
  }

  @Test func `a run that fails in the middle shows what it would have done`() throws {
    let project = try ExampleProject()
    try project.change(
      ExampleProject.sample, "UPDATE ZEVENT SET ZTIMESTAMP = 'soon' WHERE Z_PK = 1500")
    let outcome = try project.migrate(Self.main + ["--report", "page.html"])
    #expect(outcome.status == 41)
    #expect(outcome.errors.hasSuffix("report: page.html\n"))
    let page = try page(project)
    for text in ["What failed", "2,000 objects", "the source is unchanged"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(!page.contains("soon"))
  }

  @Test func `a call that cannot be prepared has a page too`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate("--to", "9", "--report", "page.html")
    #expect(outcome.status == 64)
    #expect(try page(project).contains("CMD-007"))
  }

  // MARK: The file

  @Test(arguments: [
    ("page.txt", "CMD-050"), ("none/page.html", "CMD-051"),
    ("folder.html", "CMD-051"), ("notes.html", "CMD-052"), ("new.html", "CMD-052"),
    ("new.html-wal", "CMD-050"),
  ])
  func `a report in a wrong place is refused before the work starts`(
    _ path: String, _ code: String
  ) throws {
    let project = try ExampleProject()
    try FileManager.default.createDirectory(
      atPath: project.path("folder.html"), withIntermediateDirectories: false)
    try project.folder.write("mine", to: "notes.html")
    let names = project.names()
    let outcome = try project.migrate(
      Self.main + ["--output", "new.html", "--report", path])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("[\(code)]"), "\(outcome.errors)")
    #expect(project.names() == names)
    #expect(try page(project, "notes.html") == "mine")
  }

  @Test func `a report is refused in the place of the store that the history names`() throws {
    let project = try ExampleProject()
    try FileManager.default.moveItem(
      atPath: project.path(ExampleProject.sample), toPath: project.path("Migrations/store.html"))
    let history = try String(
      contentsOfFile: project.path("Migrations/history.json"), encoding: .utf8)
    try project.folder.write(
      history.replacing("Sample/Events.sqlite", with: "store.html"), to: "Migrations/history.json")
    let before = try bytes(of: project.path("Migrations/store.html"))
    for report in ["Migrations/store.html", "Migrations/store.migrated.html"] {
      let outcome = try project.migrate(Self.main + ["--report", report])
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("CMD-052"))
    }
    #expect(try bytes(of: project.path("Migrations/store.html")) == before)
  }

  @Test func `a page of an earlier call is replaced`() throws {
    let project = try ExampleProject()
    #expect(try project.migrate(["plan"] + Self.main + ["--report", "page.html"]).status == 0)
    #expect(try project.migrate(Self.main + ["--report", "page.html"]).status == 0)
    #expect(try page(project).contains("Migrated"))
    #expect(try project.migrate(Self.main + ["--report", "page.html"]).status == 0)
    #expect(try page(project).contains("Nothing to do"))
  }

  @Test func `a page that cannot be written is a warning`() throws {
    let file = PageFile("/proc/none/page.html")
    #expect(file.write(html: "<html>")?.code == "CMD-053")
  }

  @Test func `a page leaves what is beside it alone`() throws {
    let project = try ExampleProject()
    try Data("mine".utf8).write(to: URL(filePath: project.path("page.html.new")))
    #expect(try project.migrate(Self.main + ["--report", "page.html"]).status == 0)
    #expect(try page(project).contains("Migrated"))
    #expect(try String(contentsOfFile: project.path("page.html.new"), encoding: .utf8) == "mine")
  }
}
