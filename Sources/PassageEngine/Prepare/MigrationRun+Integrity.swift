internal import PassageDiagnostics

/// SQLite's check of the finished store as a whole, on request.
extension MigrationRun {
  /// Checks the finished store, unless this was done when its pages were checked.
  ///
  /// - Parameter path: of the sealed store of the last step.
  /// - Throws: `RUN-035` when SQLite does not accept it.
  func checkIntegrity(of path: String) throws {
    guard options.checksIntegrity, !isWholeChecked else { return }
    try control.checkCancellation()
    control.update(isMilestone: true) { $0.phase = .verify }
    guard let fault = try PageCheck.fault(path: path, control: control) else { return }
    throw MigrationError(
      .verificationFailed,
      Diagnostic(
        "RUN-035", "SQLite does not accept the finished store", reason: fault,
        remedy: "run the same command again; if it fails again, the disk or the memory of this "
          + "machine may be faulty"))
  }
}
