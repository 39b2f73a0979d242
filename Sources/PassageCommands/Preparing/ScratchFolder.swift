internal import Passage
internal import PassageFiles

/// The folder beside a migrated store in which its source is migrated again for a comparison.
struct ScratchFolder {
  private let folder: WorkFolder
  private let path: String
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
    self.path = path
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
      var failure = MigrationError(
        error, store: path,
        elsewhere: "copy the migrated store, with what belongs to it, to a folder in which this "
          + "user can write, and name the copy with --output")
      failure.diskState = "both stores are unchanged"
      throw failure
    }
  }

  /// Removes the folder after a failure, unless it has the work of a stopped migration.
  ///
  /// - Returns: the failure, with what is on disk now.
  func ended(by failure: MigrationError) -> MigrationError {
    var failure = failure
    if failure.kind == .cancelled, holdsWork {
      failure.diskState =
        "both stores are unchanged; the work so far is in \(path), and the same command continues "
        + "from there"
    } else {
      failure.diskState =
        remove().all.isEmpty
        ? "both stores are unchanged and nothing was left behind"
        : "both stores are unchanged; the folder \(path) could not be removed, and the next "
          + "verification uses it"
    }
    return failure
  }

  /// Whether the folder has work that the same command continues.
  private var holdsWork: Bool {
    (try? Workspace(destination: storePath, files: FileSystem()).holdsRun) ?? true
  }

  /// Removes the folder.
  ///
  /// - Returns: a warning with what could not be removed; it never hides a failure.
  func remove() -> Diagnostics { folder.end() }
}
