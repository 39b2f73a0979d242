package import PassageFiles
package import PassageDiagnostics
internal import PassageStores

/// What a finished migration leaves when it was interrupted, or failed, while it cleaned up: the folder
/// of its work; and the empty log that readers have left to each other. Every call that finds nothing to
/// do removes them, whatever form it has.
package enum FinishedWork {
  /// Removes the empty log unless somebody has the store open, and the folder unless another process works in it, it is not Passage's, or the work of a
  /// migration of this very store is in it.
  ///
  /// - Parameters:
  ///   - destinationPath: what the folder is named after.
  ///   - storePath: the source of the migration.
  /// - Returns: what is left of the folder, as a warning.
  package static func remove(
    destinationPath: String, storePath: String, files: FileSystem = FileSystem()
  ) -> Diagnostics {
    // Readers at the same time may each leave an empty log to the other.
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

  /// Whether work in place was begun for the very store that is at the path now, for instance towards
  /// another version. It is nothing that a finished migration has left.
  private static func isOfStore(
    _ storePath: String, _ destinationPath: String, _ files: FileSystem
  ) throws -> Bool {
    guard try files.identity(storePath) == files.identity(destinationPath),
      let identity = try Workspace(destination: destinationPath, files: files).identity()
    else { return false }
    return try identity.source == "\(StoreFingerprint(path: storePath))"
  }
}
