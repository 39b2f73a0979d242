import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// What cannot be without a record that was quarantined says which record that is, and never that it is
/// not there.
struct QuarantineCauseTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write(
      """
      { "name": "Bills", "entities": [
        { "name": "Invoice", "attributes": [{ "name": "date", "type": "date" }],
          "relationships": [{ "name": "items", "destination": "Item", "inverse": "invoice",
                              "toMany": true, "optional": true }] },
        { "name": "Item",
          "relationships": [{ "name": "invoice", "destination": "Invoice", "inverse": "items",
                              "optional": false }] }
      ] }
      """, to: "Bills.json")
  }

  private func quarantine(_ store: String, allowing count: Int = 9) throws -> [String] {
    let outcome = try MigrateProcess.run(
      [
        "--store", store, "--models", "Bills.json", "--to", "Bills", "--output", "new.sqlite",
        "--max-quarantined", "\(count)",
      ], in: folder.path)
    try #require(outcome.status == 0, "\(outcome.errors)")
    let text = String(
      decoding: try bytes(of: folder.path("new.sqlite.quarantine.jsonl")), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  private static let comma = """
    entity,id,date,invoice
    Invoice,1,2020-01-01T00:00:00Z,
    Invoice,2,rubbish,
    Item,10,,1
    Item,11,,2

    """

  @Test func `an item of an unreadable invoice names its place`() throws {
    try folder.write(Self.comma, to: "in.csv")
    let lines = try quarantine("in.csv")
    try #require(lines.count == 2)
    #expect(lines[0].contains("ATM-010"))
    #expect(lines[1].contains("leads to an object that was quarantined, at"))
    #expect(lines[1].contains("/in.csv:3:"), "\(lines[1])")
  }

  @Test func `without room for its items, the invoice alone is reported`() throws {
    try folder.write(Self.comma, to: "in.csv")
    let outcome = try MigrateProcess.run(
      ["--store", "in.csv", "--models", "Bills.json", "--to", "Bills", "--output", "new.sqlite"],
      in: folder.path)
    #expect(outcome.errors.contains("ATM-010"))
    #expect(!outcome.errors.contains("ATM-012"), "\(outcome.errors)")
  }

  @Test func `a record that cannot be read takes no identifier from one that can`() throws {
    try folder.write(Self.comma + "Invoice,2,2020-01-01T00:00:00Z,\n", to: "in.csv")
    let lines = try quarantine("in.csv")
    #expect(lines.count == 1 && lines[0].contains("ATM-010"))
  }

  private static let markup = """
    <?xml version="1.0"?>
    <database>
      <object type="INVOICE" id="z1"><attribute name="date" type="date">soon</attribute></object>
      <object type="ITEM" id="z2">
        <relationship name="invoice" type="1/1" destination="INVOICE" idrefs="z1"/></object>
    </database>
    """

  @Test func `objects of an XML store name their cause too`() throws {
    try folder.write(Self.markup, to: "in.xml")
    let lines = try quarantine("in.xml")
    try #require(lines.count == 2)
    #expect(lines[1].contains("leads to an object that was quarantined, at"))
    #expect(lines[1].contains("/in.xml:3:"), "\(lines[1])")
  }

  @Test func `a link that is not needed is reported where it is taken out`() throws {
    let model = String(decoding: try bytes(of: folder.path("Bills.json")), as: UTF8.self)
    try folder.write(
      model.replacing("\"optional\": false", with: "\"optional\": true"), to: "Bills.json")
    try folder.write(Self.comma, to: "in.csv")
    try folder.write(Self.markup, to: "in.xml")
    for store in ["in.csv", "in.xml"] {
      let outcome = try MigrateProcess.run(
        [
          "--store", store, "--models", "Bills.json", "--to", "Bills", "--output",
          store + ".sqlite",
          "--max-quarantined", "1",
        ], in: folder.path)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let text = outcome.output + outcome.errors
      #expect(text.contains("ATM-103") && text.contains("“Item.invoice” of 1 object"), "\(text)")
    }
  }

  @Test func `rows of a table name their cause too`() throws {
    let connection = try Connection(path: folder.path("in.db"), mode: .create)
    try connection.execute(
      """
      CREATE TABLE invoice (id INTEGER PRIMARY KEY, date TEXT);
      CREATE TABLE item (id INTEGER PRIMARY KEY, invoice_id INTEGER REFERENCES invoice (id));
      INSERT INTO invoice VALUES (1, '2020-01-01'), (2, 'rubbish');
      INSERT INTO item VALUES (10, 1), (11, 2), (12, 77);
      """)
    let lines = try quarantine("in.db")
    try #require(lines.count == 3)
    #expect(lines[1].contains("row 2 of invoice was quarantined: ROW-006"), "\(lines[1])")
    #expect(!lines[2].contains("was quarantined:"), "\(lines[2])")
  }
}
