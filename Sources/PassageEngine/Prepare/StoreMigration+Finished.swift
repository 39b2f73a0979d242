internal import PassageDiagnostics
internal import PassageFiles
internal import PassageModels
internal import PassagePlanning
package import PassageStores

/// What a store's metadata tells about a call.
extension StoreMigration {
  /// The report of a run that has nothing to do, for a call that was prepared.
  ///
  /// It is what ``run(control:)`` reports, decided by the metadata alone: a caller that has just
  /// read it asks this first, and runs the migration if there is something to do.
  ///
  /// - Parameter metadata: of the source, which is in Core Data's layout.
  /// - Returns: `nil` when there is something to do, and for a call that was not prepared.
  /// - Throws: what a run may refuse, which can be the effect of another runner's work at this
  ///   moment: the run itself decides.
  package func finishedReport(_ metadata: StoreMetadata) throws -> MigrationReport? {
    guard let prepared, let finished = try finished(prepared.call, metadata) else { return nil }
    return try report(
      of: finished, warnings: Diagnostics(prepared.findings.all + finished.warnings.all))
  }

  /// Whether a run would have nothing to do, as ``finishedReport(_:)`` decides it. Nothing is written.
  package func isFinished(_ metadata: StoreMetadata) throws -> Bool {
    guard let prepared, let finished = try finished(prepared.call, metadata) else { return false }
    try RecordedLosses(finished: finished, allowed: options.allowed.losses).judge()
    return true
  }

  /// The store that is already what the call would make: the source, or the file at the destination.
  ///
  /// - Returns: `nil` when there is something to do.
  /// - Throws: `RUN-070` and `RUN-072` when something else made it.
  func finished(_ call: RecordedCall, _ metadata: StoreMetadata) throws -> Finished? {
    guard let target = destinationModel ?? call.steps.last?.destination else { return nil }
    let reached = Compatibility(recordedHashes: metadata.versionHashes, model: target)
    if reached.isCompatible, !options.isWritingAnyway,
      let finished = try finishedSource(call, metadata)
    {
      return finished
    }
    guard case .file(let path) = destination else { return nil }
    return try finishedFile(
      call, path, target, storeUUID: metadata.storeUUID, madeFrom: metadata.migrationLedger)
  }
}
