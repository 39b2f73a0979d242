import Foundation
import Passage
import TestSupport
import Testing

/// `migrate check` as it is called.
struct CheckCommandTests {
  @Test func `the example passes, with a note of what is not recorded`() throws {
    let project = try ExampleProject()
    let before = project.names()
    let outcome = try project.migrate("check")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.output.contains("note[CHK-013]"))
    #expect(outcome.output.contains("  --> Migrations/history.json:5:15\n"))
    #expect(outcome.output.contains("checked   1 step, 2 mapping models: 1 note"))
    #expect(try project.migrate("check", "--fail-on", "note").status == 12)
    #expect(project.names() == before)
  }

  @Test func `a history that is a folder or too large is told as such`() throws {
    for isFolder in [true, false] {
      let project = try ExampleProject()
      let history = project.path("Migrations/history.json")
      if isFolder {
        try FileManager.default.removeItem(atPath: history)
        try FileManager.default.createDirectory(
          atPath: history, withIntermediateDirectories: false)
      } else {
        let text = try String(contentsOfFile: history, encoding: .utf8)
        try project.folder.write(
          text + String(repeating: " ", count: 17 << 20), to: "Migrations/history.json")
      }
      let outcome = try project.migrate("check")
      #expect(outcome.status == 65, "\(outcome.errors)")
      #expect(outcome.errors.contains("error[MOD-102]"))
      #expect(outcome.errors.contains(isFolder ? "not a regular file" : "larger than 16777216"))
      #expect(outcome.errors.contains("try   name a regular file") == isFolder)
    }
  }

  @Test func `a recorded release that changes is exit status 12`() throws {
    let project = try ExampleProject()
    let history = project.path("Migrations/history.json")
    let before = try String(contentsOfFile: history, encoding: .utf8)
    let recorded = try project.migrate("check", "--record", "1")
    #expect(recorded.status == 0 && recorded.output.contains("recorded  the hashes of “1”"))
    // Nothing but the hashes is added.
    let after = try String(contentsOfFile: history, encoding: .utf8)
    let start = try #require(after.range(of: ",\n      \"versionHashes\": {"))
    let end = try #require(after.range(of: "}", range: start.upperBound..<after.endIndex))
    #expect(after.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "") == before)
    #expect(try project.migrate("check", "--fail-on", "note").status == 0)
    let again = try project.migrate("check", "--record", "1", "--format", "json")
    #expect(try again.json["recorded"]?.elements.isEmpty == true)
    #expect(try String(contentsOfFile: history, encoding: .utf8) == after)

    let model = project.path("Migrations/Events 1.json")
    let text = try String(contentsOfFile: model, encoding: .utf8)
    try project.folder.write(
      text.replacing(#""type": "date""#, with: #""type": "date", "optional": false"#),
      to: "Migrations/Events 1.json")
    let changed = try project.migrate("check", "--format", "json")
    #expect(changed.status == 12)
    let json = try changed.json
    #expect(json["outcome"]?.text == "failed" && json["exitStatus"]?.number == 12)
    let finding = try #require(
      json["findings"]?.elements.first { $0["code"]?.text == "CHK-012" })
    #expect(finding["severity"]?.text == "error" && finding["version"]?.text == "1")
    #expect(finding["reason"]?.text == "changed: “Event”")
    #expect(finding["file"]?.text?.hasSuffix("/Migrations/history.json") == true)
    let refused = try project.migrate("check", "--record", "1")
    #expect(refused.status == 64 && refused.errors.contains("error[CMD-071]"))
    #expect(try String(contentsOfFile: history, encoding: .utf8) == after)
  }

  @Test func `an exception of the history is counted and told`() throws {
    let project = try ExampleProject()
    let history = try String(
      contentsOfFile: project.path("Migrations/history.json"), encoding: .utf8)
    try project.folder.write(
      history.replacing(
        #""steps": ["#,
        with: #""check": {"exceptions": [{"code": "CHK-013", "reason": "an example"}]}, "steps": ["#
      ),
      to: "Migrations/history.json")
    let outcome = try project.migrate("check", "--fail-on", "note")
    #expect(outcome.status == 0)
    #expect(
      outcome.output
        == "checked   1 step, 2 mapping models: nothing found; excepted by the history: 1\n")
    let json = try project.migrate("check", "--format", "json").json
    #expect(json["excepted"]?[0]?["exceptedBecause"]?.text == "an example")
  }

  @Test(arguments: [
    (["check", "--migrations", "Mappings"], Int32(64), "CMD-070"),
    (["check", "--migrations", "none"], 64, "CMD-003"),
    (["check", "--record", "3"], 64, "CMD-007"), (["check", "--fail-on", "all"], 64, "fail-on"),
  ])
  func `a wrong call says what is wrong`(
    _ arguments: [String], _ status: Int32, _ text: String
  ) throws {
    let project = try ExampleProject()
    let before = project.names()
    let outcome = try project.migrate(arguments)
    #expect(outcome.status == status && outcome.errors.contains(text), "\(outcome.errors)")
    #expect(outcome.output.isEmpty && project.names() == before)
  }

  @Test func `a mapping model that is wrong is refused as by plan`() throws {
    let project = try ExampleProject()
    let text = try String(contentsOfFile: project.path("Mappings/StepTwo.json"), encoding: .utf8)
    try project.folder.write(
      text.replacing("\"timestamp\"", with: "\"timestmp\""), to: "Mappings/StepTwo.json")
    let outcome = try project.migrate("check")
    #expect(outcome.status == 65 && outcome.errors.contains("error[MAP-014]"))
    #expect(outcome.errors.contains("Mappings/StepTwo.json:12:9"))
  }
}
