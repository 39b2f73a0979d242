package import PassageFiles
package import PassageDiagnostics

extension StoreUnit {
  /// Makes the name of a store durable that has just got it. The store is there, so nothing is a
  /// failure any more: what it means is reported.
  ///
  /// - Returns: `RUN-053` where the folder cannot be synced.
  package func synchronizePlacedName(_ files: FileSystem) -> Diagnostics {
    do {
      try files.synchronizeDirectory(folder)
      return Diagnostics()
    } catch {
      return Diagnostics([
        Diagnostic(
          "RUN-053", "the store is in its place, but its name may not survive a power failure",
          severity: .warning, at: SourceLocation(file: path),
          reason: "the folder could not be synced: \(error)",
          remedy:
            "check the disk; after a power failure check what is at the path: if it is as it was "
            + "before, run the same command again")
      ])
    }
  }
}
