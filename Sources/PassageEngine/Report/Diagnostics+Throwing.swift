package import PassageDiagnostics

extension Diagnostics {
  /// Throws a migration error of a kind when there is an error among the diagnostics.
  package func throwing(_ kind: MigrationError.Kind) throws(MigrationError) {
    if hasErrors { throw MigrationError(kind, self) }
  }
}
