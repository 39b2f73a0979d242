internal import PassageDiagnostics

extension MigrationError {
  /// A record of the work so far is not what Passage wrote: another program, or the disk, has changed it.
  ///
  /// - Parameter path: of the file with the record.
  static func unreadableRecord(_ path: String) -> MigrationError {
    MigrationError(
      .inputOutput,
      Diagnostic(
        "RUN-063", "a record of the work so far cannot be read", at: SourceLocation(file: path),
        reason: "it is not what Passage wrote", remedy: "start over (--fresh)"))
  }

  var isAboutUnreadableRecord: Bool { diagnostics.errors.first?.code == "RUN-063" }
}
