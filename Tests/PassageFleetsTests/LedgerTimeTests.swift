import Passage
import PassageEngine
import TestSupport
import Testing

@testable import PassageFleets

/// The times in the lines of a ledger.
struct LedgerTimeTests {
  @Test func `a store was migrated when it says so, and not when its line was made`() {
    var report = MigrationReport(
      outcome: .migrated, sourcePath: "a.sqlite", destinationPath: "a.sqlite")
    report.recordedSeconds = 100.9
    let result = FleetResult(
      .success(report), store: "a.sqlite", bytes: 1, notes: StoreNotes(), seconds: 0)
    #expect(result.entry.migratedAt == "2001-01-01T00:01:40Z")
    #expect(result.entry.time != result.entry.migratedAt)
  }
}
