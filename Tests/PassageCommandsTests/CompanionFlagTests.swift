import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// What belongs to a store beside its objects, at a terminal.
struct CompanionFlagTests {
  private static let cloudKit =
    "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER)"
  private static let notes = "CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')"

  @Test(arguments: [
    (cloudKit, "STO-304", "--without-cloudkit", "cloudKit"),
    (notes, "STO-306", "--without-other-tables", "appTable"),
  ])
  func `a store is refused until the flag that the message names is given`(
    statements: String, code: String, flag: String, kind: String
  ) throws {
    let project = try ExampleProject()
    try project.change(ExampleProject.sample, statements)
    let before = project.names()
    for arguments in [["run"], ["plan"], ["run", "--dry-run"]] {
      let refused = try MigrateProcess.run(arguments, in: project.folder.path)
      #expect(refused.status == 64)
      #expect(refused.errors.contains(code))
      #expect(refused.errors.contains(flag))
      #expect(project.names() == before)
    }
    let plan = try project.migrate("plan", flag, "--format", "json").json
    #expect(plan["leftOut"]?.elements.map { $0["kind"]?.text } == [kind])
    let run = try project.migrate("run", flag, "--format", "json")
    #expect(run.status == 0)
    #expect(try run.json["leftOut"]?.elements.map { $0["kind"]?.text } == [kind])
    // Comparing drops nothing, so it asks for no leave.
    #expect(try project.migrate("verify").status == 0)
  }

  @Test func `history is carried over or left out, and verify knows which`() throws {
    let project = try ExampleProject()
    try project.change(
      ExampleProject.sample,
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
      ZENTITY INTEGER, ZENTITYPK INTEGER);
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
      INSERT INTO ATRANSACTION VALUES (1, 16002, NULL)
      """)
    let run = try project.migrate("--format", "json")
    #expect(run.status == 0)
    #expect(try run.json["history"]?["rows"]?.number == 1)
    #expect(try project.migrate("verify").status == 0)
    let outcome = try project.migrate("verify", "--without-history", "--format", "json")
    #expect(outcome.status == 42)
    #expect(
      try outcome.json["differences"]?.elements.map { $0["name"]?.text }
        == ["ACHANGE", "ATRANSACTION"])
  }

  @Test func `an unknown way to handle missing files is a wrong call`() throws {
    let project = try ExampleProject()
    #expect(try project.migrate("--missing-files", "maybe").status == 64)
    #expect(try project.migrate("--missing-files", "refuse").status == 0)
  }
}
