import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// `verify` compares a migrated store with its source.
struct VerifyTests {
  @Test
  func `a migrated store is verified and nothing is left behind`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    let before = project.names()
    let outcome = try project.migrate("verify", "--mappings", "StepOne,StepTwo")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("Verified"))
    #expect(project.names() == before)
  }

  @Test(arguments: [
    ("UPDATE ZEVENTTIMESTAMP SET ZTIMESTAMP = ZTIMESTAMP + 0.001 WHERE Z_PK = 77", "changed", 1),
    ("DELETE FROM ZEVENTPRINTEDDATE WHERE Z_PK IN (5, 6)", "missing", 2),
    (
      "INSERT INTO ZEVENTTIMESTAMP (Z_PK, Z_ENT, Z_OPT) VALUES (5000, 2, 1);"
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = 5000 WHERE Z_ENT = 2", "unexpected", 1
    ),
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 1", "missing", 1),
    ("UPDATE Z_PRIMARYKEY SET Z_SUPER = 1, Z_MAX = 3 WHERE Z_ENT = 2", "changed", 1),
    ("UPDATE ZEVENTPRINTEDDATE SET ZPRINTEDDATE = NULL WHERE Z_PK = 1", "changed", 1),
  ])
  func `a planted difference exits with 42`(_ sql: String, _ kind: String, _ count: Int) throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    try project.change(ExampleProject.migrated, sql)
    let outcome = try project.migrate("verify", "--format", "json")
    #expect(outcome.status == 42)
    let json = try outcome.json
    #expect(json["outcome"]?.text == "different")
    #expect(json["differenceCount"]?.number == count)
    #expect(
      json["differences"]?.elements.map { $0["kind"]?.text }
        == Array(repeating: kind, count: count))
    #expect(try project.migrate("verify").status == 42)
  }

  @Test
  func `an index that does not agree with its table exits with 42`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    try EmptiedIndex.add(
      toDatabaseAt: project.path(ExampleProject.migrated), table: "ZEVENTTIMESTAMP",
      column: "ZTIMESTAMP")
    let outcome = try project.migrate("verify")
    #expect(outcome.status == 42)
    #expect(outcome.errors.contains("VAL-041"))
  }

  @Test
  func `a largest key that is recorded too low is shown with the one that is needed`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    try project.change(
      ExampleProject.migrated, "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_ENT = 1")
    let hidden = try project.migrate("verify")
    #expect(hidden.output.contains("Z_PRIMARYKEY 1: different values in Z_MAX"))
    let shown = try project.migrate("verify", "--show-values")
    #expect(shown.output.contains("Z_PRIMARYKEY 1: expected Z_MAX at least 2000, found 3"))
    let parts = try project.migrate("verify", "--format", "json").json["entities"]?.elements
    let part = parts?.first { $0["name"]?.text == "Z_PRIMARYKEY" }
    #expect(part?["differences"]?.number == 1)
    #expect(part?.memberNames.contains("foundDigest") == true && part?["foundDigest"]?.text == nil)
  }

  @Test
  func `the name in Z_PRIMARYKEY and a key that was given out do not count`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    try project.change(
      ExampleProject.migrated,
      "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 7, Z_NAME = 'Old' WHERE Z_ENT = 1")
    let outcome = try project.migrate("verify")
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("Z_PRIMARYKEY"))
  }

  @Test
  func `a save count does not count as a difference`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    try project.change(ExampleProject.migrated, "UPDATE ZEVENTTIMESTAMP SET Z_OPT = 9")
    #expect(try project.migrate("verify").status == 0)
  }

  @Test(arguments: ["Result.sqlite", "Result.xml"])
  func `values of the migration's time and chance are the same again`(output: String) throws {
    let project = try ExampleProject()
    try project.folder.write(
      """
      { "source": "1", "destination": "2", "entityMappings": [
        { "type": "transform", "source": "Event", "destination": "EventPrintedDate",
          "attributes": { "printedDate":
            "concatenate(CAST(randomUUID(), 'NSString'), CAST(random(), 'NSString'), \
      CAST(now().timeIntervalSince1970, 'NSString'))" } } ] }
      """, to: "Mappings/StepOne.json")
    #expect(try project.migrate("--output", output).status == 0)
    // A time that is told apart by the store's milliseconds.
    Thread.sleep(forTimeInterval: 0.01)
    let outcome = try project.migrate("verify", "--output", output)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test
  func `a store of another model exits with 42`() throws {
    let project = try ExampleProject()
    try project.folder.copy(project.path(ExampleProject.sample), to: "copy.sqlite")
    let outcome = try project.migrate("verify", "--output", "copy.sqlite")
    #expect(outcome.status == 42)
    #expect(outcome.errors.contains("VAL-040"))
  }

  @Test
  func `a store migrated in place is verified against its backup`() throws {
    let project = try ExampleProject()
    #expect(try project.migrate("--in-place").status == 0)
    let outcome = try project.migrate(
      "verify", "--store", "\(ExampleProject.sample).before-1", "--output", ExampleProject.sample,
      "--mappings", "StepOne,StepTwo")
    #expect(outcome.status == 0)
  }

  @Test
  func `differences beyond the first are counted`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    try project.change(ExampleProject.migrated, "DELETE FROM ZEVENTTIMESTAMP WHERE Z_PK % 2 = 0")
    let json = try project.migrate("verify", "--format", "json").json
    #expect(json["differences"]?.elements.count == 20)
    // Half of the keys, without those that have no time stamp.
    #expect(json["differenceCount"]?.number == 875)
  }

  /// The printed date is made by a policy.
  @Test
  func `values are shown only on request`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    try project.change(
      ExampleProject.migrated,
      "UPDATE ZEVENTPRINTEDDATE SET ZPRINTEDDATE = 'planted' || char(27) WHERE Z_PK = 3")
    let hidden = try project.migrate("verify")
    #expect(hidden.status == 42)
    #expect(hidden.output.contains("EventPrintedDate 3: different values in printedDate"))
    #expect(!hidden.output.contains("planted"))
    let shown = try project.migrate("verify", "--show-values")
    #expect(shown.status == 42)
    #expect(shown.output.contains("found “planted\\u{1B}”"))
    let json = try project.migrate("verify", "--show-values", "--format", "json").json
    #expect(json["differences"]?[0]?["values"]?[0]?["property"]?.text == "printedDate")
    #expect(json["differences"]?[0]?["values"]?[0]?["found"]?.text == "“planted\u{1B}”")
  }

  @Test
  func `as many differences are listed as asked for`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    try project.change(ExampleProject.migrated, "DELETE FROM ZEVENTTIMESTAMP")
    for limit in ["0", "3", "1000"] {
      let json = try project.migrate("verify", "--limit", limit, "--format", "json").json
      #expect(json["differences"]?.elements.count == Int(limit))
      #expect(json["differenceCount"]?.number == 1_875)
    }
    #expect(try project.migrate("verify", "--limit", "-1").status == 64)
  }
}
