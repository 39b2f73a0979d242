internal import PassageDiagnostics
internal import PassageSQLite
package import PassageStores

/// What a cut-over in place leaves beside the old store when it is killed while it folds the log in: a
/// rollback journal, with which nobody can read the store who may not write it.
package enum InterruptedCutOver {
  /// Lets SQLite roll back what was not finished, under its own locks and that of the work folder;
  /// nothing happens unless the mark of a cut-over stands. Only a migration in place may: a plan writes
  /// nothing.
  ///
  /// - Throws: `RUN-010` when another runner is at work, `StoreError` when it cannot be rolled back.
  package static func rollBack(
    storePath: String, files: FileSystem = FileSystem()
  ) throws(MigrationError) {
    let path = files.resolved(storePath)
    do {
      guard try isLeft(at: path, files) else { return }
      let lockPath = Workspace(destination: path, files: files).lockPath
      guard let lock = try files.lock(lockPath) else { throw Contention.isLocked(lockPath) }
      defer { withExtendedLifetime(lock) {} }
      // The runner that had the lock may have ended meanwhile.
      guard try isLeft(at: path, files) else { return }
      // The first read rolls back.
      _ = try Connection(path: path, mode: .readWrite)
        .integer("SELECT count(*) FROM sqlite_master")
    } catch {
      throw Failure(sourcePath: path, workspace: "", keepsWork: false).migrationError(error)
    }
  }

  /// Whether a journal and the mark of a cut-over stand.
  static func isLeft(at path: String, _ files: FileSystem) throws -> Bool {
    try files.byteCount(StoreUnit(path: path).journalPath) > 0
      && files.exists(Workspace(destination: path, files: files).cutOverMarkPath)
  }
}
