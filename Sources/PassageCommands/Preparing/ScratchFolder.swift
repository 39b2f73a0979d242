internal import PassageFiles
internal import Passage

/// The folder beside a migrated store in which its source is migrated again.
struct ScratchFolder {
  private let folder: WorkFolder
  let storePath: String
  /// Where a migrated store of another type is read into Core Data's layout.
  let foundPath: String

  /// The folder itself.
  static func path(beside store: String) -> String { store + ".verify" }

  /// Makes the folder, for its owner alone, or takes the one that a stopped verification has left; the
  /// result of one that was interrupted while it compared is thrown away.
  ///
  /// - Throws: ``MigrationError``: `RUN-050` when the folder is not Passage's own, `RUN-010` while
  ///   another verification works in it.
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
  /// - Returns: what is left of it, as a warning: it hides no failure.
  func remove() -> Diagnostics { folder.end() }
}
