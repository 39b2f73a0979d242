internal import PassageDiagnostics
internal import PassageSQLite
internal import PassageStores

/// SQLite's check of the finished store, on request as a whole.
extension MigrationRun {
  /// Checks the finished store, unless this was done when its pages were checked. What an earlier process has
  /// written may have changed since, so work that was continued is always checked.
  ///
  /// - Parameter path: of the sealed store of the last step.
  /// - Throws: `RUN-035` when SQLite does not accept it.
  func checkIntegrity(of path: String) throws {
    guard options.checksIntegrity || wasContinued, !isWholeChecked else { return }
    try control.checkCancellation()
    control.update(isMilestone: true) { $0.phase = .verify }
    let fault = try PageCheck.fault(
      path: path, isWhole: options.checksIntegrity, control: control)
    guard let fault else { return }
    throw MigrationError(
      .verificationFailed,
      Diagnostic(
        "RUN-035", "SQLite does not accept the finished store", reason: fault,
        remedy: "run the same command again; if it fails again, the disk or the memory of this "
          + "machine may be faulty"))
  }

  /// Checks the store of a step that an earlier process has finished, before it is read.
  ///
  /// - Throws: `StoreError` of kind `damaged` when SQLite does not accept it.
  func checkTakenOver(_ path: String) throws {
    try control.checkCancellation()
    guard let fault = try PageCheck.fault(path: path, isWhole: false, control: control) else {
      return
    }
    throw StoreError(.damaged, path: path, detail: fault)
  }

  /// Looks for the cause of a failure in work that was continued, if the source is sound: other programs and
  /// the disk may have changed it.
  ///
  /// - Returns: `nil` when the failure has another cause.
  func damagedWork(behind failure: any Error) -> MigrationError? {
    guard wasContinued else { return nil }
    let reason: String?
    switch failure {
    case let error as DamagedWork: reason = error.reason
    case let error as MigrationError where error.isAboutUnreadableRecord:
      reason = error.diagnostics.errors.first.map {
        "\($0.location.map { "\($0): " } ?? "")\($0.message)"
      }
    case let error as SQLiteError
    where error.isDamage || error.isStatementError || error.isConstraint:
      guard isSourceSound else { return nil }
      reason = "the source is sound, so the work was damaged: \(error.message)"
    case let error as StoreError where error.isDamage && error.path == source.path:
      guard isSourceSound else { return nil }
      reason =
        "the source is sound, so the work was damaged" + (error.detail.map { ": \($0)" } ?? "")
    default: return nil
    }
    return MigrationError(
      .inputOutput,
      Diagnostic(
        "RUN-063", "the work so far cannot be continued",
        at: SourceLocation(file: workspace.directory), reason: reason,
        remedy: "run the same command again: it starts over"),
      diskState: "the source is unchanged; the work so far was removed")
  }

  private var isSourceSound: Bool {
    sourceStore.type == nil
      && (try? StoreFile.open(path: source.path).fullCheck(limit: 1).isEmpty) == true
  }
}
