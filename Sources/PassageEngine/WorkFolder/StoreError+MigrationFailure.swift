internal import PassageDiagnostics
internal import PassageFiles
internal import PassageStores

extension StoreError: MigrationFailure {
  func migrationError(store: String) -> MigrationError {
    // A read is interrupted only by cancellation, and is reported as that.
    if kind == .interrupted { return Cancellation().migrationError(store: store) }
    guard kind == .unfinishedTransaction,
      (try? InterruptedCutOver.isLeft(at: path, FileSystem())) == true
    else { return MigrationError(diagnostic) }
    return MigrationError(
      Diagnostic(
        "RUN-064",
        "a migration in place was interrupted while it merged the store's log into its file",
        at: SourceLocation(file: path),
        reason: "only the migration itself can roll back the journal that it left",
        remedy: "run the migration in place again (not its plan): it rolls back and continues"))
  }
}
