internal import Passage
internal import PassageFiles

/// The folder beside a migrated store in which its source is migrated again for a comparison.
struct ScratchFolder {
  private let folder: WorkFolder
  let storePath: String
  /// The path at which a migrated store of another type is read into Core Data's layout.
  let foundPath: String

  /// The path of the folder.
  static func path(beside store: String) -> String { store + ".verify" }

  /// Creates the folder, readable only by its owner, or reuses the one of a stopped verification.
  /// The result of a verification that was interrupted during the comparison is discarded.
  ///
  /// - Throws: ``MigrationError``: `RUN-050` if the folder is not Passage's own, `RUN-010` while
  ///   another verification uses it.
  init(beside store: String) throws(MigrationError) {
    let path = Self.path(beside: store)
    storePath = path + "/expected.sqlite"
    foundPath = path + "/found.sqlite"
    do {
      guard let folder = try WorkFolder.hold(path, files: FileSystem()) else {
        throw MigrationError(
          .locked,
          Diagnostic(
            "RUN-010", "another verification of this store is under way",
            at: SourceLocation(file: path),
            remedy: "wait until it has ended; the lock ends with it"),
          diskState: "both stores are unchanged")
      }
      self.folder = folder
      for path in [storePath, foundPath] {
        for file in [path] + StoreUnit(path: path).sidecarPaths { try folder.files.remove(file) }
      }
      try folder.checkPlace()
    } catch let error as MigrationError {
      throw error
    } catch {
      var failure = MigrationError(error, store: path)
      failure.diskState = "both stores are unchanged"
      throw failure
    }
  }

  /// Removes the folder.
  ///
  /// - Returns: a warning with what could not be removed; it never hides a failure.
  func remove() -> Diagnostics { folder.end() }
}
