package import PassageDiagnostics
package import PassageFiles

extension FileSystem.Failure {
  /// The diagnostic of a project's file, or of one beside a store, that the system could not read, such as
  /// `MOD-133` for a failing disk. `nil` where the path or its permissions are the reason: each kind of file
  /// has a code of its own for that.
  package var systemDiagnostic: Diagnostic? {
    if isTooManyOpenFiles { return StoreError(self, path: path).diagnostic }
    guard isOfSystem else { return nil }
    return Diagnostic(
      "MOD-133", "the system could not read the file", at: SourceLocation(file: path),
      reason: description, remedy: "check the disk, then run the same command again")
  }
}
