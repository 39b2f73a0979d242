import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// What a store says of what made it, on the command line.
struct RecordCommandTests {
  @Test
  func `another list of mapping models is refused, and the remedy helps`() throws {
    let project = try ExampleProject()
    #expect(try project.migrate("--mappings", "StepTwo").status == 0)
    for fresh in [[], ["--fresh"]] {
      let outcome = try MigrateProcess.run(
        ["--mappings", "StepOne,StepTwo", "--format", "json"] + fresh, in: project.folder.path)
      #expect(outcome.status == 64)
      let diagnostic = try #require(try outcome.json["error"]?["diagnostics"]?[0])
      #expect(diagnostic["code"]?.text == "RUN-070")
      let reason = try #require(diagnostic["reason"]?.text)
      #expect(
        reason.contains("made by “StepTwo” (") && reason.contains("run “StepOne”, “StepTwo” ("))
      guard fresh.isEmpty else { continue }
      let remedy = try #require(diagnostic["remedy"]?.text)
      let words = remedy.split(separator: " ").map(String.init)
      let place = try #require(words.firstIndex(of: "--output"))
      let output = String(words[place + 1].prefix { $0 != "," })
      let again = try project.migrate("--mappings", "StepOne,StepTwo", "--output", output)
      #expect(again.status == 0)
      #expect(again.output.contains("2,000 EventPrintedDate, 1,875 EventTimestamp"))
    }
  }

  @Test
  func `status and inspect show what ran`() throws {
    let project = try ExampleProject()
    let before = try project.migrate("status", "--format", "json")
    #expect(before.output.contains("\"record\": null"))
    #expect(try project.migrateByName().status == 0)
    for arguments in [["status", "--store"], ["inspect"]] {
      let text = try MigrateProcess.run(
        arguments + [ExampleProject.migrated], in: project.folder.path)
      #expect(text.status == 0)
      #expect(
        text.output.contains("“1” to “2” by StepOne, StepTwo: 4,000 read, 3,875 made"))
      let json = try MigrateProcess.run(
        arguments + [ExampleProject.migrated, "--format", "json"], in: project.folder.path
      ).json
      let record = try #require(json["record"])
      #expect(record["isCurrent"]?.truth == true)
      let step = try #require(record["migrations"]?[0]?["steps"]?[0])
      #expect(step["mappings"]?.elements.map { $0.text } == ["StepOne", "StepTwo"])
      #expect(step["counts"]?["filtered"]?.number == 125)
      #expect(step["digest"]?.text?.count == 64)
    }
    let again = try project.migrate("--mappings", "StepOne,StepTwo", "--format", "json")
    #expect(again.status == 0)
    #expect(try again.json["outcome"]?.text == "upToDate")
    #expect(
      try again.json["record"]?["steps"]?[0]?["mappings"]?.elements.map { $0.text }
        == ["StepOne", "StepTwo"])
  }

  @Test
  func `a record in place answers the same mapping models and the version`() throws {
    let project = try ExampleProject()
    #expect(try project.migrate("--mappings", "StepOne,StepTwo", "--in-place").status == 0)
    for arguments in [["--mappings", "StepOne,StepTwo"], ["--to", "2"], []] {
      let again = try MigrateProcess.run(arguments + ["--in-place"], in: project.folder.path)
      #expect(again.status == 0)
      #expect(again.output.hasPrefix("Nothing to do"))
    }
    let other = try project.migrate("--mappings", "StepTwo,StepOne", "--in-place")
    #expect(other.status == 64)
    #expect(other.errors.contains("RUN-070"))
    #expect(other.errors.contains("Events.sqlite.before-1 --output "))
    #expect(try project.migrate("--to", "2", "--in-place").status == 0)
  }

  @Test
  func `a mapping model within a version runs when it is named`() throws {
    let project = try ExampleProject()
    #expect(try project.migrate("--in-place").status == 0)
    try project.folder.write(
      """
      {"source": "2", "destination": "2", "entityMappings": [
        {"type": "copy", "source": "EventPrintedDate", "destination": "EventPrintedDate",
         "filter": "printedDate != nil"},
        {"type": "copy", "source": "EventTimestamp", "destination": "EventTimestamp"}]}
      """, to: "Mappings/Clean.json")
    let plan = try project.migrate("plan", "--mappings", "Clean", "--in-place")
    #expect(plan.status == 0)
    #expect(!plan.output.contains("Nothing to do"))
    let cleaned = try project.migrate("--mappings", "Clean", "--in-place")
    #expect(cleaned.status == 0)
    #expect(cleaned.output.contains("1,875 EventPrintedDate"))
    let again = try project.migrate("--mappings", "Clean", "--in-place")
    #expect(again.status == 0)
    #expect(again.output.contains("Nothing to do"))
    #expect(again.output.contains("by Clean on "))
    #expect(try project.migrate("--to", "2", "--in-place").output.hasPrefix("Nothing to do"))
  }
}
