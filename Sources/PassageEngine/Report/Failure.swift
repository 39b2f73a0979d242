internal import PassageDiagnostics

/// Turns any error that ended a run into a ``MigrationError``, and adds what is on disk. The rest
/// comes from the error itself: ``MigrationFailure``.
package struct Failure {
  let sourcePath: String
  let workspace: String
  /// Whether the workspace holds work that the next run continues.
  let keepsWork: Bool
  /// Whether the source's log was folded into its file, wholly or partly, before the failure.
  var hasFoldedSource = false

  package init(
    sourcePath: String, workspace: String, keepsWork: Bool, hasFoldedSource: Bool = false
  ) {
    self.sourcePath = sourcePath
    self.workspace = workspace
    self.keepsWork = keepsWork
    self.hasFoldedSource = hasFoldedSource
  }

  package func migrationError(_ error: any Error) -> MigrationError {
    var result = MigrationError(error, store: sourcePath)
    if result.diskState == nil {
      result.diskState =
        if hasFoldedSource {
          "the source has the same objects, but its log was being merged into its file, so the "
            + "file's bytes may have changed; run the same command again"
        } else if keepsWork {
          "the source is unchanged; the work so far is in \(workspace), and the same command continues "
            + "from there"
        } else {
          "the source is unchanged and nothing was left behind"
        }
    }
    return result
  }
}
