internal import PassageDiagnostics

/// The source has changed since the work began.
package struct SourceChanged: Error {
  /// Where the store that was read is kept, because another took its place; `nil` if it is not.
  private let keptPath: String?

  package init(keptPath: String? = nil) { self.keptPath = keptPath }
}

extension SourceChanged: MigrationFailure {
  func migrationError(store path: String) -> MigrationError {
    MigrationError(
      Diagnostic(
        "RUN-012", "the source was changed while it was migrated", at: SourceLocation(file: path),
        remedy: "end the programs that write to it, then run the same command again"),
      diskState: "the source is as the other program left it; "
        + (keptPath.map { "the store that was read is kept as \($0); " } ?? "")
        + "the work so far was discarded")
  }
}
