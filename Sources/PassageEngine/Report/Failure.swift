internal import PassageDiagnostics

/// Turns any error that ended a run into a ``MigrationError``, and adds what is on disk. The rest
/// comes from the error itself: ``MigrationFailure``.
package struct Failure {
  let sourcePath: String
  let workspace: String
  /// Whether the workspace holds work that the next run continues.
  let keepsWork: Bool
  /// Whether the call discards such work, so that it is continued only by one that does not.
  let startsOver: Bool
  /// Whether the workspace is still there, although it holds no such work.
  let leavesFolder: Bool
  /// Whether the source's log was folded into its file, wholly or partly, before the failure.
  let hasFoldedSource: Bool

  package init(
    sourcePath: String, workspace: String, keepsWork: Bool, startsOver: Bool = false,
    leavesFolder: Bool = false, hasFoldedSource: Bool = false
  ) {
    self.sourcePath = sourcePath
    self.workspace = workspace
    self.keepsWork = keepsWork
    self.startsOver = startsOver
    self.leavesFolder = leavesFolder
    self.hasFoldedSource = hasFoldedSource
  }

  package func migrationError(_ error: any Error) -> MigrationError {
    let found = MigrationError(error, store: sourcePath)
    var result = damagedWork(found) ?? stopped(found) ?? found
    if result.diskState == nil {
      result.diskState =
        if hasFoldedSource {
          "the source has the same objects, but its log was being merged into its file, or its "
            + "journal mode changed, so the file's bytes may have changed; run the same command again"
        } else if keepsWork {
          "the source is unchanged; "
            + (isResultRefused(result) ? "without a correction the result is refused again; " : "")
            + "the work so far is in \(workspace), and the same command "
            + (startsOver ? "without --fresh " : "") + "continues from there"
        } else if leavesFolder, result.kind != .locked {
          "the source is unchanged; the folder \(workspace) is still there, but holds no work: "
            + "the next run takes it over, and it may be removed"
        } else {
          "the source is unchanged and nothing was left behind"
        }
    }
    return result
  }

  /// Whether the finished store was refused by the type in which it was to be written.
  private func isResultRefused(_ error: MigrationError) -> Bool {
    error.diagnostics.errors.contains { ["ATM-015", "ATM-016", "ATM-052"].contains($0.code) }
  }

  /// The error about work so far that another program, or the disk, has changed; `nil` if the error is about
  /// something else. What is wrong with it is told as of a store, but nobody gave that store to the call.
  private func damagedWork(_ error: MigrationError) -> MigrationError? {
    guard !workspace.isEmpty, [.wrongFile, .sourceDamaged, .inputOutput].contains(error.kind),
      let found = error.diagnostics.all.first(where: { $0.severity == .error }),
      let path = found.location?.file, path.utf8.starts(with: "\(workspace)/".utf8),
      found.code == Self.unreadableWork || error.kind != .inputOutput
    else { return nil }
    var diagnostic = found
    if found.code != Self.unreadableWork {
      diagnostic = Diagnostic(
        Self.unreadableWork, "the work so far cannot be read", at: found.location,
        reason: [found.message, found.reason].compactMap(\.self).joined(separator: ": "))
    }
    diagnostic.remedy =
      keepsWork ? "start over (--fresh)" : "run the same command again: it starts over"
    return MigrationError(
      .inputOutput, diagnostic,
      diskState: keepsWork
        ? "the source is unchanged; the work so far in \(workspace) cannot be continued"
        : "the source is unchanged; the work so far was removed")
  }

  /// The error about a run that was stopped, with what becomes of its work; `nil` for any other error.
  private func stopped(_ error: MigrationError) -> MigrationError? {
    guard var diagnostic = error.diagnostics.all.first, diagnostic.code == "RUN-013" else {
      return nil
    }
    diagnostic.remedy =
      keepsWork
      ? "run the same command again\(startsOver ? ", without --fresh," : "") to continue"
      : "run the same command again: nothing that this call did is kept"
    return MigrationError(error.kind, diagnostic, diskState: error.diskState)
  }

  /// The code of damaged work.
  private static let unreadableWork = "RUN-063"
}
