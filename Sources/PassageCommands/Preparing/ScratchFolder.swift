internal import Passage

/// The folder beside a migrated store in which its source is migrated again.
struct ScratchFolder {
  /// The folder itself.
  let path: String
  private let files = FileSystem()

  init(beside store: String) { path = store + ".verify" }

  var storePath: String { path + "/expected.sqlite" }

  /// Where a migrated store of another type is read into Core Data's layout.
  var foundPath: String { path + "/found.sqlite" }

  /// Makes the folder, for its owner alone; the result of a verification that was interrupted while
  /// it compared is thrown away.
  func make() throws(MigrationError) {
    do {
      try files.makeDirectory(path)
      for path in [storePath, foundPath] {
        for file in [path] + StoreUnit(path: path).sidecarPaths { try files.remove(file) }
      }
    } catch {
      var failure = MigrationError(error, store: path)
      failure.diskState = "both stores are unchanged"
      throw failure
    }
  }

  /// Removes the folder. What cannot be removed is left: it hides no failure.
  func remove() { try? files.removeDirectory(path) }
}
