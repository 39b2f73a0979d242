package import PassageFiles
internal import PassageDiagnostics
internal import PassageSQLite
internal import PassageStores

/// What a cut-over in place leaves beside the old store when it is killed while it folds the log in: a
/// rollback journal, with which only a user who may write the store can read it.
package enum InterruptedCutOver {
  /// Lets SQLite roll back what was not finished, under its own locks and that of the work folder. Only
  /// a migration in place may: a plan writes nothing.
  ///
  /// Nothing happens unless the journal is our own: the mark of a cut-over names the store's file, or
  /// the journal itself shows that rolling it back changes nothing but the journal mode. A mark alone
  /// would not do: a power failure may remove its name.
  ///
  /// - Throws: `RUN-010` when another runner is at work, `RUN-050` when the work folder is not
  ///   Passage's own, `StoreError` when it cannot be rolled back.
  package static func rollBack(
    storePath: String, files: FileSystem = FileSystem()
  ) throws(MigrationError) {
    let path = files.resolved(storePath)
    do {
      guard try isLeft(at: path, files) else { return }
      let workspace = Workspace(destination: path, files: files)
      guard let folder = try WorkFolder.hold(workspace.directory, files: files) else {
        throw Contention.isLocked(workspace.lockPath)
      }
      // The runner that had the lock may have ended meanwhile.
      if try isLeft(at: path, files) {
        // The first read rolls back.
        _ = try Connection(path: path, mode: .readWrite)
          .integer("SELECT count(*) FROM sqlite_master")
      }
      // Work that is in it is continued by the run that comes next.
      if try !Workspace(destination: path, files: folder.files).holdsRun {
        _ = folder.end()
      }
    } catch {
      throw Failure(sourcePath: path, workspace: "", keepsWork: false).migrationError(error)
    }
  }

  /// Whether a journal of our own is beside the store.
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
