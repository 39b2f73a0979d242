import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

@testable import PassageCommands

/// Colours, `--quiet` and `--verbose`.
struct TerminalTests {
  @Test(
    arguments: [
      (ColorChoice.auto, true, nil, "xterm", true), (.auto, true, "", "xterm", true),
      (.auto, true, "1", "xterm", false), (.auto, true, nil, "dumb", false),
      (.auto, false, nil, "xterm", false), (.always, false, "1", "dumb", true),
      (.never, true, nil, "xterm", false),
    ] as [(ColorChoice, Bool, String?, String, Bool)])
  func `colours are used where they can be seen and are wanted`(
    color: ColorChoice, isTerminal: Bool, noColor: String?, terminal: String, isColored: Bool
  ) {
    let palette = OutputLook(color: color).palette(isTerminal: isTerminal) {
      $0 == "NO_COLOR" ? noColor : terminal
    }
    #expect(palette.isColored == isColored)
  }

  @Test(arguments: [
    ("{\n\t\"üß\"\n}", "{\n\t\"üß\"\n}"), ("\"\u{1B}[1;31mred\"", #""\u001b[1;31mred""#),
    ("\"\r\u{9B}m\u{7F}\u{202E}\"", #""\u000d\u009bm\u007f\u202e""#),
  ])
  func `JSON does nothing to a terminal, and means the same there`(text: String, shown: String) {
    #expect(TerminalText.harmless(text) == shown)
  }

  @Test(arguments: [
    ["status", "--store", "missing"], ["status", "--store", "missing", "--memory", "512M"],
    ["--mappings", "Missing"], ["sattus"], ["status", "--nope"],
  ])
  func `an error is red when that is asked for, and the same text`(call: [String]) throws {
    let project = try ExampleProject()
    let plain = try project.migrate(call)
    #expect(!plain.errors.contains("\u{1B}"))
    let colored = try project.migrate(call + ["--color", "always"])
    #expect(colored.errors.hasPrefix("\u{1B}[1;31merror["))
    #expect(
      colored.errors.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain.errors)
    #expect(colored.status == plain.status)
  }

  @Test func `quiet leaves out what was done, but not answers, errors and JSON`() throws {
    let project = try ExampleProject()
    let run = try project.migrate("-q", "--mappings", "StepOne,StepTwo")
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
    #expect(project.names().contains(ExampleProject.migrated))
    #expect(try project.migrate("status", "-q").output == project.migrate("status").output)
    #expect(try project.migrate("-q", "--dry-run").output != "")
    #expect(try project.migrate("-q", "--format", "json").json["outcome"]?.text == "upToDate")
    #expect(try project.migrate("-q", "--store", "missing").errors.contains("error["))
    let schemas = try project.migrate("schema", "-q", "--output", ".")
    #expect(schemas.status == 0 && schemas.output.isEmpty && schemas.errors.isEmpty)
    #expect(try project.migrate("schema", "-q").output != "")
    let drawn = try project.migrate("diagram", "Migrations", "-q", "--output", "history.svg")
    #expect(drawn.status == 0 && drawn.output.isEmpty && drawn.errors.isEmpty)
  }

  @Test func `verbose tells each finished pass with its objects`() throws {
    let project = try ExampleProject()
    let run = try project.migrate("-v", "--mappings", "StepOne,StepTwo")
    #expect(run.status == 0)
    let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("pass ") }
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("pass 1 of 2 StepOne: 2,000 objects read, ") == true)
    #expect(lines.last?.hasPrefix("pass 2 of 2 StepTwo: 2,000 objects read, ") == true)
  }

  @Test(arguments: [["run"], ["status"], ["diagram", "Mappings"]])
  func `quiet and verbose contradict each other`(call: [String]) throws {
    let outcome = try ExampleProject().migrate(call + ["-q", "-v"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("CMD-080"))
  }
}
