package import PassageDiagnostics
package import PassageFiles

extension StoreUnit {
  /// Makes the new name of a store durable. The store is in place, so a failure is reported as a
  /// warning.
  ///
  /// - Returns: `RUN-053` if the folder cannot be synced.
  package func synchronizePlacedName(_ files: FileSystem) -> Diagnostics {
    do {
      try files.synchronizeDirectory(folder)
      return Diagnostics()
    } catch {
      return Diagnostics([
        Diagnostic(
          "RUN-053", "the store is in place, but its name may not survive a power failure",
          severity: .warning, at: SourceLocation(file: path),
          reason: "the folder could not be synced: \(error)",
          remedy:
            "check the disk; after a power failure, check whether the new store is at the path, "
            + "and if not, run the same command again")
      ])
    }
  }
}
