internal import PassageDiagnostics
package import PassageEngine
internal import PassagePlatform
internal import PassageStores

/// What became of one store.
package struct FleetResult: Sendable {
  package var entry: LedgerEntry
  /// `nil` unless it failed.
  package var error: MigrationError?
  /// `nil` if it failed.
  package var report: MigrationReport?

  /// - Parameters:
  ///   - bytes: the size of the source before.
  ///   - notes: what is known about the store.
  init(
    _ result: Result<MigrationReport, MigrationError>, store: String, bytes: Int64,
    notes: StoreNotes, seconds: Double
  ) {
    switch result {
    case .success(let report):
      entry = LedgerEntry(
        store: store, outcome: report.outcome == .migrated ? .migrated : .upToDate)
      entry.counts = report.totals
      entry.losses = report.losses.reduce(0) { $0.saturatingAdd($1.count ?? 0) }
      entry.warnings = Int64(report.warnings.warnings.count)
      self.report = report
      error = nil
    case .failure(let error):
      entry = LedgerEntry(store: store, outcome: .failed)
      let first = error.diagnostics.errors.first ?? error.diagnostics.all.first
      entry.code = first?.code
      entry.message = first.map { first in
        ([first.message] + [first.reason].compactMap(\.self)).joined(separator: ": ")
      }
      entry.remedy = first?.remedy
      entry.exitClass = error.kind.rawValue
      self.error = error
      report = nil
    }
    // A store that has the version already did not come from another one in this run.
    entry.from = notes.way.flatMap { $0.sourceName ?? $0.targetName }
    // Of a file that could not be read, the version is not known.
    if entry.outcome == .failed, notes.metadata == nil { entry.from = nil }
    entry.to = notes.way?.targetName
    entry.bytes = bytes
    entry.seconds = seconds
    entry.time = MigrationRecord.timeText(Date().timeIntervalSinceReferenceDate)
    switch entry.outcome {
    case .migrated, .published:
      // The store records when its migration began, and no time of this line.
      let recorded = report?.recordedSeconds.map { MigrationRecord.timeText($0) }
      (entry.migratedFrom, entry.migratedAt) = (entry.from, recorded ?? entry.time)
    case .upToDate:
      // A run that was killed may not have written its line about the store.
      let last = notes.metadata?.migrationLedger.migrations.last
      entry.migratedFrom = last?.steps.first?.source
      entry.migratedAt = last.map { MigrationRecord.timeText($0.seconds) }
    case .failed: break
    }
  }
}
