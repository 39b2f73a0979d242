package import PassageDiagnostics

extension Diagnostics {
  /// Throws a migration error of the given kind if the diagnostics contain an error.
  package func throwing(_ kind: MigrationError.Kind) throws(MigrationError) {
    if hasErrors { throw MigrationError(kind, self) }
  }
}
