import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// The worked examples of the page on atomic stores: `Tests/Examples/People`.
@Suite struct PeopleTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["Migrations", "Mappings"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for name in [
      "Migrations/history.json", "Migrations/People.json", "Migrations/AddressBook.json",
      "Mappings/AddressBook.json", "people.csv", "people.csv.store.json", "people.records",
      "people.xml", "people.jsonl",
    ] {
      try folder.copy(Repository.file("Tests/Examples/People/\(name)"), to: name)
    }
  }

  private func run(_ arguments: String...) throws -> MigrateProcess.Outcome {
    try MigrateProcess.run(arguments, in: folder.path)
  }

  private var model: Model {
    get throws { try ModelFile.read(path: folder.path("Migrations/AddressBook.json")) }
  }

  private static let files = ["people.csv", "people.records", "people.xml", "people.jsonl"]

  @Test(arguments: files)
  func `one command makes a store of a file`(_ file: String) throws {
    let outcome = try run("--store", file, "--mappings", "AddressBook", "--output", "Book.sqlite")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let contents = try StoreContents(path: folder.path("Book.sqlite"), model: model)
    #expect(contents["Contact"].map(\.key) == [86_349_382_003, 86_349_382_005, 86_349_382_007])
    #expect(
      contents["Contact"].map { $0["fullName"] } == [
        "Robert Tibbot", "Ann Lee, Jr.", #"Zoë the "Z""#,
      ])
    #expect(contents["Contact"].map { $0["born"].double } == [-657_676_800, nil, -31_622_400.5])
    #expect(
      contents["Contact"].map { $0.keys("friends") } == [
        [86_349_382_005, 86_349_382_007], [86_349_382_003], [86_349_382_003],
      ])
    #expect(contents["Company"].map { $0.keys("staff") } == [[86_349_382_003, 86_349_382_005]])
    #expect(
      try StoreAudit(path: folder.path("Book.sqlite"), model: model).findings == [])
  }

  @Test(arguments: ["db", "csv", "records", "jsonl", "xml"])
  func `a store of another type is verified also without a mapping model`(_ type: String) throws {
    #expect(
      try run("--store", "people.csv", "--mappings", "AddressBook", "--output", "Book.sqlite")
        .status == 0)
    let other = "Book.\(type)"
    let arguments = ["--store", "Book.sqlite", "--to", "AddressBook", "--output", other]
    let made = try MigrateProcess.run(
      arguments + (type == "db" ? ["--output-type", "tables"] : []), in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let verified = try MigrateProcess.run(["verify"] + arguments, in: folder.path)
    #expect(verified.status == 0, "\(verified.errors)")
  }

  @Test(arguments: files)
  func `inspect, status, plan and verify know the file`(_ file: String) throws {
    let inspected = try run("inspect", file)
    #expect(inspected.status == 0, "\(inspected.errors)")
    #expect(inspected.output.uppercased().contains("PERSON"))
    let status = try run("status", "--store", file)
    #expect(status.status == 10 && status.output.contains("“People”"), "\(status.errors)")
    #expect(try run("plan", "--store", file, "--to", "AddressBook").status == 0)
    for output in ["Book.sqlite", "Book.csv", "Book.records", "Book.xml", "Book.jsonl"] {
      let arguments = ["--store", file, "--mappings", "AddressBook", "--output", output]
      let made = try MigrateProcess.run(arguments, in: folder.path)
      #expect(made.status == 0, "\(made.errors)")
      let verified = try MigrateProcess.run(["verify"] + arguments, in: folder.path)
      #expect(verified.status == 0, "\(output): \(verified.errors)\(verified.output)")
    }
    #expect(folder.everything.filter { $0.contains(".passage") || $0.contains(".verify") } == [])
  }

  @Test func `a changed file does not verify`() throws {
    let arguments = ["--store", "people.csv", "--mappings", "AddressBook", "--output", "Book.csv"]
    try #require(try MigrateProcess.run(arguments, in: folder.path).status == 0)
    let text = try String(contentsOfFile: folder.path("Book.csv"), encoding: .utf8)
    try folder.write(text.replacing("Robert", with: "Rupert"), to: "Book.csv")
    #expect(try MigrateProcess.run(["verify"] + arguments, in: folder.path).status == 42)
  }

  @Test(arguments: files, ["Book.csv", "Book.records", "Book.xml", "Book.jsonl"])
  func `the same command again has nothing to do`(_ file: String, _ output: String) throws {
    let arguments = ["--store", file, "--mappings", "AddressBook", "--output", output]
    try #require(try MigrateProcess.run(arguments, in: folder.path).status == 0)
    let (made, names) = (try bytes(of: folder.path(output)), folder.everything)
    let again = try MigrateProcess.run(arguments, in: folder.path)
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.output.contains("Nothing to do: \(output) is at version “AddressBook” already"))
    let plan = try MigrateProcess.run(["plan"] + arguments, in: folder.path)
    #expect(plan.status == 0 && plan.output.contains("RUN-016"), "\(plan.errors)")
    #expect(try bytes(of: folder.path(output)) == made)
    #expect(folder.everything == names)
    try folder.write(made + [10], to: output)
    let changed = try MigrateProcess.run(arguments, in: folder.path)
    #expect(changed.status == 64 && changed.errors.contains("RUN-002"), "\(changed.errors)")
    #expect(folder.everything == names)
  }

  @Test func `a store made from a file that was touched since is refused with the reason`() throws {
    let arguments = ["--store", "people.csv", "--mappings", "AddressBook", "--output", "B.sqlite"]
    try #require(try MigrateProcess.run(arguments, in: folder.path).status == 0)
    #expect(try MigrateProcess.run(arguments, in: folder.path).output.contains("Nothing to do"))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
      ofItemAtPath: folder.path("people.csv"))
    let again = try MigrateProcess.run(arguments, in: folder.path)
    #expect(again.status == 64 && again.errors.contains("RUN-002"), "\(again.errors)")
    #expect(again.errors.contains("not made from the source as it is now"), "\(again.errors)")
  }

  @Test func `a store that is copied into a file again has nothing to do`() throws {
    try #require(
      try run("--store", "people.xml", "--mappings", "AddressBook", "--output", "Book.sqlite")
        .status == 0)
    let arguments = ["--store", "Book.sqlite", "--to", "AddressBook", "--output", "Book.csv"]
    try #require(try MigrateProcess.run(arguments, in: folder.path).status == 0)
    let again = try MigrateProcess.run(arguments, in: folder.path)
    #expect(again.status == 0 && again.output.contains("Nothing to do: Book.csv"))
    #expect(again.output.contains("migrated from Book.sqlite"), "\(again.output)")
  }

  @Test func `a store becomes a file of its own version`() throws {
    try #require(
      try run("--store", "people.xml", "--mappings", "AddressBook", "--output", "Book.sqlite")
        .status == 0)
    let outcome = try run("--store", "Book.sqlite", "--to", "AddressBook", "--output", "out.csv")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let text = try String(contentsOfFile: folder.path("out.csv"), encoding: .utf8)
    #expect(
      text == """
        entity,id,name,born,fullName,employer,friends
        Company,1,Acme,,,,
        Contact,86349382003,,1980-02-29T00:00:00Z,Robert Tibbot,1,86349382005 86349382007
        Contact,86349382005,,,"Ann Lee, Jr.",1,86349382003
        Contact,86349382007,,1999-12-31T23:59:59.5Z,"Zoë the ""Z\""",,86349382003

        """)
  }

  @Test func `every mistake is reported with its line and column`() throws {
    try folder.write(
      """
      Person::id:1:born:yesterday
      Person::id:1:friends:7
      Person::first:Ann

      """, to: "people.records")
    let outcome = try run(
      "--store", "people.records", "--mappings", "AddressBook", "--output", "Book.sqlite")
    #expect(outcome.status == 41)
    for text in ["records:1:19", "ATM-010", "records:2:22", "ATM-012", "records:3:1", "ATM-008"] {
      #expect(outcome.errors.contains(text), "\(text): \(outcome.errors)")
    }
    #expect(!folder.everything.contains("Book.sqlite"))
    let lenient = try run(
      "--store", "people.records", "--mappings", "AddressBook", "--output", "Book.sqlite",
      "--max-quarantined", "3")
    #expect(lenient.status == 0, "\(lenient.errors)")
    #expect(folder.everything.contains("Book.sqlite.quarantine.jsonl"))
  }

  /// A line that is no object is in no mapping's account, but in the totals.
  @Test func `the totals have what was quarantined before any mapping read it`() throws {
    let whole = String(decoding: try bytes(of: folder.path("people.jsonl")), as: UTF8.self)
    try folder.write(whole + "no object at all\n", to: "people.jsonl")
    let outcome = try run(
      "--store", "people.jsonl", "--mappings", "AddressBook", "--output", "Book.sqlite",
      "--max-quarantined", "9", "--format", "json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let json = try outcome.json
    #expect(json["quarantined"]?.number == 1)
    #expect(json["totals"]?["quarantined"]?.number == 1)
    #expect(json["totals"]?["read"]?.number == 5)
    #expect(json["totals"]?["migrated"]?.number == 4)
  }

  /// Such a line is no object of any entity, and so in no mapping's account.
  @Test func `a fleet counts lines that cannot be read as quarantined`() throws {
    let whole = String(decoding: try bytes(of: folder.path("people.jsonl")), as: UTF8.self)
    try folder.write(whole + "no object at all\n", to: "people.jsonl")
    try FileManager.default.createDirectory(
      at: folder.url("out"), withIntermediateDirectories: true)
    let outcome = try run(
      "fleet", "run", "--stores", "people.jsonl", "--mappings", "AddressBook", "--output-dir",
      "out", "--max-quarantined", "9")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("objects     5 read, 4 migrated, 1 quarantined"))
    let report = try run("fleet", "report", "fleet.jsonl", "--format", "json")
    #expect(try report.json["totals"]?["quarantined"]?.number == 1)
  }

  /// A result in text has no place for a record; the run makes it again and compares.
  @Test func `a fleet's status does not know that a result in text is done`() throws {
    try FileManager.default.createDirectory(
      at: folder.url("out"), withIntermediateDirectories: true)
    let call = ["--stores", "people.jsonl", "--mappings", "AddressBook", "--output-dir", "out"]
    for words in ["migrated    1", "up to date  1"] {
      let run = try MigrateProcess.run(["fleet", "run"] + call, in: folder.path)
      #expect(run.status == 0 && run.output.contains(words), "\(run.errors)")
      let status = try MigrateProcess.run(["fleet", "status"] + call, in: folder.path)
      #expect(status.status == 10 && status.output.contains("to do       1"))
    }
    let help = try MigrateProcess.run(["fleet", "status", "--help"], in: folder.path)
    #expect(help.output.contains("Results of other types"))
  }

  @Test func `a zero-length file reserves the place`() throws {
    try folder.write("", to: "Book.xml")
    let outcome = try run(
      "--store", "people.csv", "--mappings", "AddressBook", "--output", "Book.xml")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try folder.write("x", to: "Full.xml")
    #expect(
      try run("--store", "people.csv", "--mappings", "AddressBook", "--output", "Full.xml").errors
        .contains("RUN-002"))
  }

  @Test func `a file longer than allowed is refused`() throws {
    let outcome = try run(
      "--store", "people.csv", "--mappings", "AddressBook", "--output", "Book.sqlite",
      "--max-file-bytes", "100")
    #expect(outcome.errors.contains("ATM-001"))
  }

  @Test(arguments: files)
  func `a filter selects the same objects in every type of file`(_ file: String) throws {
    let temporary = try TemporaryDirectory()
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    func select(_ arguments: String...) throws -> MigrateProcess.Outcome {
      try MigrateProcess.run(
        ["select", "--store", file, "--entity", "Person"] + arguments, in: folder.path,
        after: "TMPDIR='\(temporary.path)' exec \"$@\"")
    }
    let all = try select()
    #expect(all.status == 0 && all.output == "3\n", "\(all.errors)")
    #expect(try select("--filter", "#first BEGINSWITH 'A' OR #first == 'Zoë'").output == "2\n")
    let keys = try select("--filter", "#first == 'Ann'", "--keys")
    #expect(keys.output.split(separator: "\n").count == 1)
    let explained = try select("--filter", "#first == 'Ann'", "--explain", "--format", "json").json
    #expect(explained["count"]?.number == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    let after = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(before == after)
  }

  @Test func `a wrong record ends a selection as it ends a migration`() throws {
    try folder.write(Array("Person,Eve,X,1,yesterday,1,\n".utf8), to: "people.csv")
    let outcome = try run("select", "--store", "people.csv", "--entity", "Person")
    #expect(outcome.status == 41)
    #expect(outcome.errors.contains("ATM-010"))
    #expect(!outcome.errors.contains("yesterday"))
  }

  @Test func `a selection without a folder for temporary files says so`() throws {
    let outcome = try MigrateProcess.run(
      ["select", "--store", "people.csv", "--entity", "Person"], in: folder.path,
      after: "TMPDIR=/nowhere exec \"$@\"")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("CMD-083"))
  }
}
