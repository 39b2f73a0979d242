import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// The worked example of the page on plain databases: `Tests/Examples/BankList`.
@Suite struct BankListTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["Migrations", "Mappings"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for name in [
      "Migrations/history.json", "Migrations/failed_banks.json", "Migrations/BankList.json",
      "Mappings/FailedBanks.json",
    ] {
      try folder.copy(Repository.file("Tests/Examples/BankList/\(name)"), to: name)
    }
    let script = try String(
      contentsOfFile: Repository.file("Tests/Examples/BankList/banklist.sql"), encoding: .utf8)
    try Connection(path: folder.path("banklist.sqlite3"), mode: .create).execute(script)
  }

  private func migrate(_ arguments: String...) throws -> MigrateProcess.Outcome {
    try MigrateProcess.run(
      ["--store", "banklist.sqlite3", "--mappings", "FailedBanks"] + arguments, in: folder.path)
  }

  private func change(_ sql: String) throws {
    try Connection(path: folder.path("banklist.sqlite3"), mode: .readWrite).execute(sql)
  }

  private var model: Model {
    get throws { try ModelFile.read(path: folder.path("Migrations/BankList.json")) }
  }

  @Test func `one command makes two objects of each row`() throws {
    let outcome = try migrate("--output", "Banks.sqlite")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let store = try Connection(path: folder.path("Banks.sqlite"), mode: .readOnly)
    let infos = try store.rows("SELECT Z_PK, ZNAME, ZDETAILS FROM ZFAILEDBANKINFO ORDER BY 1")
    #expect(infos.map { $0[0] } == [1, 2, 5, 9])
    #expect(infos.map { $0[2] } == [1, 2, 5, 9])
    #expect(infos[2][1] == "Savings Bank of Linden")
    let details = try store.rows(
      "SELECT Z_PK, ZZIP, ZINFO, ZCLOSEDATE, ZUPDATEDDATE FROM ZFAILEDBANKDETAILS ORDER BY 1")
    // Midnight in New York, in seconds since 2001 in UTC: daylight saving time had begun in March,
    // and had not in January.
    #expect(details[0] == [1, 4101, 1, 290_664_000, 291_096_000])
    #expect(details[1] == [2, 66002, 2, 284_619_600, 290_664_000])
    #expect(details[2] == [5, 7036, 5, 279_176_400, .null])
    #expect(details[3] == [9, 81330, 9, 270_766_800, 271_137_600])
  }

  @Test func `the store is one that create would make`() throws {
    try #require(try migrate("--output", "Banks.sqlite").status == 0)
    let empty = folder.path("Empty.sqlite")
    try StoreCreator.create(model: model, at: empty)
    let schema = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
    let (made, created) = (
      try Connection(path: folder.path("Banks.sqlite"), mode: .readOnly),
      try Connection(path: empty, mode: .readOnly)
    )
    #expect(try made.rows(schema) == created.rows(schema))
    let hashes = try [folder.path("Banks.sqlite"), empty].map {
      try StoreMetadata.read(path: $0).versionHashes
    }
    #expect(hashes[0] == hashes[1])
    let inspected = try MigrateProcess.run(["inspect", "Banks.sqlite"], in: folder.path)
    #expect(inspected.status == 0 && inspected.output.contains("BankList"))
  }

  @Test func `the result verifies, and a repetition has nothing to do`() throws {
    try #require(try migrate("--output", "Banks.sqlite").status == 0)
    let verified = try MigrateProcess.run(
      [
        "verify", "--store", "banklist.sqlite3", "--mappings", "FailedBanks", "--output",
        "Banks.sqlite",
      ], in: folder.path)
    #expect(verified.status == 0, "\(verified.errors)")
    let again = try migrate("--output", "Banks.sqlite")
    #expect(again.status == 0 && again.output.contains("Nothing to do"))
    #expect(folder.everything.filter { $0.contains(".passage") } == [])
  }

  @Test func `inspect, status and plan know a plain database`() throws {
    let inspected = try MigrateProcess.run(["inspect", "banklist.sqlite3"], in: folder.path)
    #expect(inspected.status == 0 && inspected.output.contains("closeDate: string"))
    let status = try MigrateProcess.run(["status", "--store", "banklist.sqlite3"], in: folder.path)
    #expect(status.status == 10 && status.output.contains("“failed_banks”"))
    let plan = try MigrateProcess.run(
      ["plan", "--store", "banklist.sqlite3", "--to", "BankList"], in: folder.path)
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.output.contains("Details"))
  }

  @Test func `status of a database at the target says what a run makes of it`() throws {
    let words = ["--to", "failed_banks", "--store", "banklist.sqlite3"]
    let status = try MigrateProcess.run(["status"] + words, in: folder.path)
    #expect(status.status == 0, "\(status.errors)")
    let command = (["migrate"] + words).joined(separator: " ")
    #expect(status.output.contains("  type      a plain SQLite database\n"), "\(status.output)")
    #expect(status.output.contains("a run makes a Core Data store of it: \(command)\n"))
    let json = try MigrateProcess.run(["status", "--format", "json"] + words, in: folder.path).json
    #expect(json["storeType"]?.text == "tables")
    #expect(try MigrateProcess.run(words, in: folder.path).status == 0)
    let made = try MigrateProcess.run(
      ["status", "--to", "failed_banks", "--store", "banklist.migrated.sqlite3"], in: folder.path)
    #expect(made.status == 0 && made.output.contains("  needs no migration\n"), "\(made.output)")
  }

  @Test func `a row that fits no attribute is reported with its number`() throws {
    try change("INSERT INTO failed_banks (id, zip) VALUES (12, 'unknown'), (13, 99999999999)")
    let outcome = try migrate("--output", "Banks.sqlite")
    #expect(outcome.status == 41)
    #expect(outcome.errors.contains("ROW-001") && outcome.errors.contains("row 12 of failed_banks"))
    #expect(outcome.errors.contains("ROW-002") && outcome.errors.contains("row 13 of failed_banks"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("Banks.sqlite")))
  }

  @Test func `a database is never replaced in place`() throws {
    let outcome = try migrate("--in-place")
    #expect(outcome.status == 64 && outcome.errors.contains("RUN-014"))
  }

  @Test func `dates are written only into tables and only into known types`() throws {
    #expect(try migrate("--output", "a", "--dates", "iso").errors.contains("CMD-020"))
    #expect(try migrate("--output", "a", "--output-type", "tablets").errors.contains("RUN-015"))
  }

  @Test func `the tables of the result are written as people write them`() throws {
    let outcome = try migrate("--output", "out.sqlite3", "--output-type", "tables")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let tables = try Connection(path: folder.path("out.sqlite3"), mode: .readOnly)
    let sql = try tables.rows("SELECT sql FROM sqlite_master WHERE type = 'table' ORDER BY name")
    #expect(
      sql.first == [
        """
        CREATE TABLE "failed_bank_details" (
          "id" INTEGER PRIMARY KEY,
          "zip" INTEGER,
          "close_date" DATETIME,
          "updated_date" DATETIME,
          "info_id" INTEGER,
          FOREIGN KEY ("info_id") REFERENCES "failed_bank_infos" ("id") ON DELETE CASCADE
        )
        """
      ])
    #expect(
      try tables.rows("SELECT close_date, info_id FROM failed_bank_details WHERE id = 9")
        == [["2009-07-31 21:00:00", 9]])
    #expect(try tables.rows("PRAGMA foreign_key_check") == [])
    #expect(try tables.rows("PRAGMA integrity_check") == [["ok"]])
  }
}
