import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// The main job: `migrate --mappings StepOne,StepTwo`.
struct ExampleMigrationTests {
  @Test
  func `the main form migrates the sample beside it`() throws {
    let project = try ExampleProject()
    let before = (names: project.names(), bytes: try project.sampleBytes())
    let outcome = try project.migrateByName()
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains("2,000 EventPrintedDate, 1,875 EventTimestamp"))
    #expect(outcome.output.contains("source    unchanged"))
    #expect(try project.sampleBytes() == before.bytes)
    #expect(project.names() == (before.names + [ExampleProject.migrated]).sorted())
  }

  /// Written by hand, from the instants of the sample.
  @Test(arguments: [
    (1, "Jan 1, 1970 at 12:00:00 AM", 0.0), (2, "Jan 1, 2001 at 12:00:00 AM", 978_307_200),
    (3, "Dec 31, 2000 at 11:59:59 PM", 978_307_199.5),
    (4, "Mar 28, 2021 at 12:59:59 AM", 1_616_893_199.75),
    (5, "Mar 28, 2021 at 1:00:00 AM", 1_616_893_200),
    (6, "Oct 31, 2021 at 12:30:00 AM", 1_635_640_200),
    (8, "Feb 29, 2024 at 12:34:56 PM", 1_709_210_096.789),
    (9, "Jun 23, 1912 at 12:00:00 AM", -1_815_350_400),
    (10, "Jan 19, 2038 at 3:14:08 AM", 2_147_483_648),
    (12, "Jan 1, 4001 at 12:00:00 AM", 64_092_211_200),
  ])
  func `the dates are printed and counted`(_ key: Int64, _ printed: String, _ seconds: Double)
    throws
  {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    let contents = try project.migratedContents()
    let text = try #require(contents.object("EventPrintedDate", key)?["printedDate"].string)
    // Locale data may put a narrow space that does not break before AM.
    #expect(text.replacing("\u{202F}", with: " ") == printed)
    #expect(contents.object("EventTimestamp", key)?["timestamp"].double == seconds)
  }

  @Test
  func `an event without time stamp becomes an empty printed date and no timestamp`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    let contents = try project.migratedContents()
    let printed = contents["EventPrintedDate"]
    #expect(printed.count == 2_000)
    #expect(printed.filter { $0["printedDate"].isNull }.map(\.key).allSatisfy { $0 % 16 == 0 })
    #expect(printed.count { $0["printedDate"].isNull } == 125)
    #expect(contents["EventTimestamp"].count == 1_875)
    #expect(contents.object("EventTimestamp", 16) == nil)
  }

  @Test
  func `the same command again says that it is done`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    let first = try bytes(of: project.path(ExampleProject.migrated))
    let again = try project.migrateByName()
    #expect(again.status == 0)
    #expect(again.output.hasPrefix("Nothing to do"))
    #expect(try bytes(of: project.path(ExampleProject.migrated)) == first)
  }

  @Test
  func `the history gives the mapping models when none are named`() throws {
    let named = try ExampleProject()
    let found = try ExampleProject()
    #expect(try named.migrateByName().status == 0)
    #expect(try found.migrate().status == 0)
    #expect(try found.migratedContents() == named.migratedContents())
    #expect(try found.migrate("--to", "2").output.hasPrefix("Nothing to do"))
  }

  @Test
  func `the report is one JSON object where asked for`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate("--mappings", "StepOne,StepTwo", "--format", "json")
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    let json = try outcome.json
    #expect(json["outcome"]?.text == "migrated")
    // From the root, whatever folder the program is in.
    for (member, path) in [
      ("source", ExampleProject.sample), ("destination", ExampleProject.migrated),
    ] {
      let text = try #require(json[member]?.text)
      #expect(text.hasPrefix("/") && text.hasSuffix("/" + path))
    }
    let passes = try #require(json["steps"]?[0]?["passes"])
    #expect(passes.elements.map { $0["name"]?.text } == ["StepOne", "StepTwo"])
    #expect(passes[0]?["mappings"]?[0]?["lane"]?.text == "page")
    let second = passes[1]?["mappings"]?[0]
    #expect(second?["lane"]?.text == "page")
    #expect(second?["read"]?.number == 2_000)
    #expect(second?["filtered"]?.number == 125)
    #expect(second?["migrated"]?.number == 1_875)
    #expect(second?["made"]?["EventTimestamp"]?.number == 1_875)
    #expect(json["totals"]?["migrated"]?.number == 3_875)
  }

  @Test
  func `a run in place keeps the old store beside the new one`() throws {
    let project = try ExampleProject()
    let before = try project.sampleBytes()
    let outcome = try project.migrate("--in-place", "--format", "json")
    #expect(outcome.status == 0)
    let backup = try #require(try outcome.json["backup"]?.text)
    #expect(backup.hasSuffix("Events.sqlite.before-1"))
    #expect(try project.migrate("status").status == 0)
    #expect(project.names().contains("\(ExampleProject.sample).before-1"))
    let kept = try StoreComparison(
      expected: StoreFile.open(path: Repository.file(ExampleProject.sample)),
      found: StoreFile.open(path: project.path("\(ExampleProject.sample).before-1")),
      model: SampleStore.eventsModel
    ).run()
    #expect(kept.isEqual)
    #expect(try project.sampleBytes() != before)
    #expect(try project.migrate("--in-place").output.hasPrefix("Nothing to do"))
  }

  @Test
  func `a run in place without backup keeps nothing`() throws {
    let project = try ExampleProject()
    let before = project.names()
    #expect(try project.migrate("--in-place", "--no-backup").status == 0)
    #expect(project.names() == before)
    #expect(try project.migrate("status").status == 0)
  }

  @Test
  func `small batches give the same store`() throws {
    let large = try ExampleProject()
    let small = try ExampleProject()
    #expect(try large.migrateByName().status == 0)
    #expect(try small.migrate("--batch-size", "7", "--jobs", "3").status == 0)
    #expect(try small.migratedContents() == large.migratedContents())
  }

  @Test
  func `a store that is checked as a whole is the same store`() throws {
    let plain = try ExampleProject()
    let checked = try ExampleProject()
    #expect(try plain.migrateByName().status == 0)
    #expect(try checked.migrate("--integrity-check").status == 0)
    #expect(try checked.migratedContents() == plain.migratedContents())
  }

  @Test
  func `a link to the store is followed`() throws {
    let project = try ExampleProject()
    try FileManager.default.createSymbolicLink(
      atPath: project.path("link.sqlite"), withDestinationPath: project.path(ExampleProject.sample))
    #expect(try project.migrate("--store", "link.sqlite").status == 0)
    #expect(project.names().contains("link.migrated.sqlite"))
  }
}
