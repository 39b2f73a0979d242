package import PassageDiagnostics
package import PassageFiles
internal import PassageStores

/// Removes what a finished migration left behind because it was interrupted, or failed, while it
/// cleaned up: its work folder, and the empty log that readers left. Every call that finds nothing
/// to do removes them, whatever its form.
package enum FinishedWork {
  /// Removes the empty log unless a program has the store open. Removes the folder unless another
  /// process works in it, it is not Passage's, or it contains the work of a migration of the store
  /// that is at the path now.
  ///
  /// - Parameters:
  ///   - destinationPath: the path that the folder is named after.
  ///   - storePath: the source of the migration.
  /// - Returns: a warning about what remains of the folder.
  package static func remove(
    destinationPath: String, storePath: String, files: FileSystem = FileSystem()
  ) -> Diagnostics {
    // Two simultaneous readers may each have left the empty log for the other to remove.
    StoreVisit(path: destinationPath, takesLeftovers: true).end()
    let path = Workspace.directory(ofDestination: destinationPath)
    guard let folder = try? WorkFolder.holdExisting(path, files: files) else {
      return Diagnostics()
    }
    do {
      if try isOfStore(storePath, destinationPath, folder.files) { return Diagnostics() }
    } catch {
      // Work that cannot be examined is not removed.
      return Diagnostics()
    }
    return folder.end()
  }

  /// Whether the folder contains the work of a migration in place of the store that is at the path
  /// now, for instance to another version. A finished migration does not leave such work.
  private static func isOfStore(
    _ storePath: String, _ destinationPath: String, _ files: FileSystem
  ) throws -> Bool {
    guard let identity = try Workspace(destination: destinationPath, files: files).identity() else {
      return false
    }
    if try files.identity(storePath) == files.identity(destinationPath) {
      return try identity.source == "\(StoreFingerprint(path: storePath))"
    }
    // The result of another store's migration may have been migrated on in place. A text file has no fingerprint.
    return (try? StoreFingerprint(path: destinationPath)).map { identity.source == "\($0)" }
      ?? false
  }
}
