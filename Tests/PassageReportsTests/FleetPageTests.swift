import Foundation
import PassageFleets
import PassageStores
import PassageTesting
import TestSupport
import Testing

@testable import PassageReports

/// The page about a fleet.
struct FleetPageTests {
  private static func page(_ entries: [LedgerEntry]) throws -> FleetPage {
    let folder = try TemporaryDirectory()
    try folder.write(entries.map(\.line).joined(), to: "fleet.jsonl")
    return FleetPage(
      try FleetSummary(reading: [folder.path("fleet.jsonl")]), timeText: "2026-11-24T00:00:00Z",
      toolVersion: "0")
  }

  private static func entries(_ count: Int, failed: Int, name: String = "") -> [LedgerEntry] {
    (0..<count).map { number in
      var entry = LedgerEntry(
        store: "\(number)\(name)", outcome: number < failed ? .failed : .migrated)
      entry.plan = "p"
      (entry.from, entry.to) = ("1\(name)", "2")
      (entry.seconds, entry.time) = (0.01, "2026-11-24T00:00:00Z")
      if number < failed {
        (entry.code, entry.message) = ("STO-110", "it is damaged \(name)")
        (entry.exitClass, entry.remedy) = (40, "look \(name)")
      }
      return entry
    }
  }

  @Test func `hostile names stay texts, and every element is closed`() throws {
    let html = try Self.page(Self.entries(4, failed: 2, name: SamplePages.hostile)).html
    #expect(!html.contains("<script"))
    #expect(!html.contains("onload='"))
    #expect(html.contains("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;"))
    #expect(ClosedElements.mistakes(in: html) == [])
    #expect(MigrationPage.isPage(Array(html.utf8.prefix(MigrationPage.prefixBytes))))
    for word in ["http://", "https://", "<link", "<img", "src=", "@import", "url("] {
      #expect(!html.contains(word), "\(word)")
    }
  }

  @Test func `a code is told once with its remedy, before everything else`() throws {
    let html = try Self.page(Self.entries(30, failed: 7)).html
    #expect(html.components(separatedBy: "it is damaged").count == 2)
    #expect(html.components(separatedBy: "look").count == 2)
    for words in [
      "7 stores failed", "<b>23</b> <span>migrated</span>", "5 ms to 10 ms",
      "Fleet at version “<bdi>2</bdi>”",
    ] {
      #expect(html.contains(words), "\(words)")
    }
    let failure = try #require(html.firstRange(of: "it is damaged")).lowerBound
    #expect(failure < (try #require(html.firstRange(of: "<table"))).lowerBound)
  }

  @Test func `a fleet without failures and one without stores have a page`() throws {
    #expect(try Self.page(Self.entries(3, failed: 0)).html.contains("All stores are well"))
    let empty = try Self.page([]).html
    #expect(empty.contains("No store is in the ledgers"))
    #expect(ClosedElements.mistakes(in: empty) == [])
  }
}
