internal import PassageDiagnostics
package import PassageFiles
internal import PassageSQLite
internal import PassageStores

/// Handles what a cut-over in place leaves beside the old store if it is killed while it folds in
/// the log: a rollback journal. Until it is rolled back, only a user who may write to the store can
/// read it.
package enum InterruptedCutOver {
  /// Lets SQLite roll back the unfinished transaction, under SQLite's locks and that of the work
  /// folder. Only a migration in place may call this, because a plan writes nothing.
  ///
  /// Nothing happens unless the journal is Passage's own: the mark of a cut-over names the store's
  /// file, or the contents of the journal show that rolling it back changes nothing but the journal
  /// mode. The mark alone is not enough, because a power failure may remove its name.
  ///
  /// - Throws: `RUN-010` when another runner is at work, `RUN-050` when the work folder is not
  ///   Passage's own, `StoreError` when the journal cannot be rolled back.
  package static func rollBack(
    storePath: String, files: FileSystem = FileSystem()
  ) throws(MigrationError) {
    do {
      // Beside a file that is no link, a journal is where the path says.
      if files.entry(storePath)?.kind == .file, try !isLeft(at: storePath, files) { return }
      let path = files.resolved(storePath)
      guard try isLeft(at: path, files) else { return }
      // A journal that names another file is refused before SQLite may act on it.
      _ = try StoreFile.readHeader(path: path)
      let workspace = Workspace(destination: path, files: files)
      guard let folder = try WorkFolder.hold(workspace.directory, files: files) else {
        throw Contention.isLocked(workspace.lockPath)
      }
      // The runner that had the lock may have finished in the meantime.
      if try isLeft(at: path, files) {
        // The first read rolls the journal back.
        _ = try Connection(path: path, mode: .readWrite)
          .integer("SELECT count(*) FROM sqlite_master")
      }
      // The next run continues the work that is in the folder, and a restoration needs its mark.
      let left = Workspace(destination: path, files: folder.files)
      if try !left.holdsRun, try left.cutOverMark()?.unwrittenCounter == nil { _ = folder.end() }
    } catch {
      throw Failure(sourcePath: files.resolved(storePath), workspace: "", keepsWork: false)
        .migrationError(error)
    }
  }

  /// Whether a journal that Passage left is beside the store.
  static func isLeft(at path: String, _ files: FileSystem) throws -> Bool {
    let unit = StoreUnit(path: path)
    guard files.entry(unit.journalPath)?.kind == .file,
      try files.byteCount(unit.journalPath) > 0
    else { return false }
    return try isMarked(path, files) || ModeChangeJournal.isLeft(besides: unit)
  }

  private static func isMarked(_ storePath: String, _ files: FileSystem) throws -> Bool {
    let path = Workspace.directory(ofDestination: storePath)
    guard let inside = WorkFolder.look(path, files: files),
      let mark = try Workspace(destination: storePath, files: inside).cutOverMark(),
      let file = try files.identity(storePath)
    else { return false }
    return file.last == mark.oldFile
  }
}
