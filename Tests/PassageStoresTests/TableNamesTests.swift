import TestSupport
import Testing

@testable import PassageStores

struct TableNamesTests {
  @Test(arguments: [
    ("failed_banks", "FailedBank"), ("people", "Person"), ("categories", "Category"),
    ("addresses", "Address"), ("boxes", "Box"), ("statuses", "Status"), ("status", "Status"),
    ("news", "News"), ("OrderLines", "OrderLine"), ("HTTPRequests", "HttpRequest"),
    ("2010 results", "_2010Result"), ("série", "Série"), ("--", "Table"), ("movies", "Movie"),
  ])
  func `an entity is called after one row of its table`(table: String, entity: String) {
    #expect(TableNames.entity(table: table) == entity)
  }

  @Test(arguments: [
    ("close_date", "closeDate"), ("ID", "id"), ("URL", "url"), ("imageURL", "imageUrl"),
    ("first name", "firstName"), ("description", "descriptionValue"), ("1st", "_1st"),
    ("order", "order"), ("", "column"), ("\u{0}\"", "column"),
  ])
  func `a property is called after its column`(column: String, property: String) {
    #expect(TableNames.property(column: column) == property)
  }

  @Test(arguments: [
    ("bank_id", "bank"), ("authorId", "author"), ("parent", "parent"), ("id", "id"),
    ("created_by_fk", "createdBy"),
  ])
  func `a relationship is called after its column without the word for keys`(
    column: String, relationship: String
  ) {
    #expect(TableNames.relationship(column: column) == relationship)
  }

  @Test(arguments: [
    ("FailedBank", "failed_banks"), ("Person", "people"), ("Category", "categories"),
    ("FailedBankDetails", "failed_bank_details"), ("Box", "boxes"), ("Day", "days"),
    ("URLCache", "url_caches"), ("Address", "addresses"),
  ])
  func `a table is called after several objects of its entity`(entity: String, table: String) {
    #expect(TableNames.table(entity: entity) == table)
  }

  @Test func `names that clash are numbered without regard to case`() {
    var taken: Set<String> = []
    let names = ["name", "Name", "NAME", "name2"].map { TableNames.unique($0, among: &taken) }
    #expect(names == ["name", "Name2", "NAME3", "name22"])
  }

  @Test(arguments: [
    ("2001-01-01", 0.0), ("2010-03-19 00:00:00", 290_649_600),
    ("2010-03-19T00:00:00Z", 290_649_600),
    ("2010-03-19 01:30", 290_655_000), ("2010-03-19 01:00:00+01:00", 290_649_600),
    ("2010-03-19 00:00:00.25", 290_649_600.25), ("1969-12-31 23:59:59", -978_307_201),
    ("2000-02-29", -26_524_800), ("0000-01-01", -63_145_526_400),
  ])
  func `a date of ISO 8601 is read in UTC`(text: String, seconds: Double) {
    #expect(DateText.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "soon", "2010-02-30", "1900-02-29", "2010-13-01", "2010-03-19 24:00", "2010-03-19 1:00",
    "2010-03-19 00:00:00.", "2010-03-19 00:00:00+1", "2010-03-19x", "19.3.2010",
  ])
  func `text in any other form is not a date`(text: String) {
    #expect(DateText.seconds(text) == nil)
  }

  @Test func `dates come back from their text`() {
    let seed = RandomSeed.told(for: "TableNamesTests")
    var random = SeededRandom(seed: seed)
    for _ in 0..<2_000 {
      // Milliseconds of the years from 1900 to 2100.
      let seconds =
        Double(Int64.random(in: -3_200_000_000_000..<3_100_000_000_000, using: &random)) / 1_000
      let text = DateText.text(seconds)
      #expect(text.flatMap(DateText.seconds) == seconds, "seed \(seed): \(seconds)")
    }
  }

  @Test func `a date beyond what text can say has none`() {
    #expect(DateText.text(1e18) == nil && DateText.text(-1e18) == nil)
    #expect(DateText.text(.nan) == nil && DateText.text(.infinity) == nil)
  }

  @Test func `UUIDs are read in either case and nothing else is`() {
    let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    let bytes = UUIDText.bytes(text)
    #expect(bytes?.count == 16 && bytes.flatMap(UUIDText.text) == text)
    #expect(UUIDText.bytes(text.lowercased()) == bytes)
    #expect(UUIDText.bytes("E621E1F8-C36C-495A-93FC-0C247A3E6E5") == nil)
    #expect(UUIDText.bytes("+621E1F8-C36C-495A-93FC-0C247A3E6E5F") == nil)
  }

  @Test func `names of long headings are short enough for a model, and differ`() {
    var taken: Set<String> = []
    let names = ["word", "数", "😀 é"].flatMap { word in
      (1...3).map { String(repeating: "\(word) ", count: 400) + "\($0)" }
    }.map { TableNames.unique(TableNames.property(column: $0), among: &taken) }
    #expect(Set(names).count == 9)
    #expect(names.allSatisfy { $0.utf8.count <= TableNames.maximumBytes + 1 })
  }

  @Test func `many equal names are numbered in time, without a gap`() {
    var taken: Set<String> = ["a7"]
    let names = (0..<20_000).map { _ in TableNames.unique("a", among: &taken) }
    #expect(names.prefix(7) == ["a", "a2", "a3", "a4", "a5", "a6", "a8"])
    #expect(names.last == "a20001" && Set(names).count == 20_000)
  }

  @Test(arguments: [
    (-1e-17, "2001-01-01 00:00:00"), (-0.25, "2000-12-31 23:59:59.75"),
    (0.5, "2001-01-01 00:00:00.5"),
  ])
  func `a date just before a second is written as that second`(seconds: Double, text: String) {
    #expect(DateText.text(seconds) == text)
  }
}
