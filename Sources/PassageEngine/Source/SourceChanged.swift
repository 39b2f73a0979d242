internal import PassageDiagnostics

/// The source has changed since the work began.
package struct SourceChanged: Error {
  package init() {}
}

extension SourceChanged: MigrationFailure {
  func migrationError(store path: String) -> MigrationError {
    MigrationError(
      Diagnostic(
        "RUN-012", "the source was changed while it was migrated", at: SourceLocation(file: path),
        remedy: "end the programs that write to it, then run the same command again"),
      diskState: "the source is as the other program left it; the work so far was discarded")
  }
}
