internal import PassageSQLite
internal import PassageStores

/// What a cut-over in place leaves beside the old store when it is killed while it folds the log in: a
/// rollback journal, with which nobody can read the store who may not write it.
enum InterruptedCutOver {
  /// Lets SQLite roll back what was not finished, under its own locks; nothing happens unless the mark
  /// of a cut-over stands. Failing is no harm: opening the store says what is wrong.
  static func rollBack(storePath: String, files: FileSystem = FileSystem()) {
    let unit = StoreUnit(path: storePath)
    guard files.byteCount(unit.journalPath) > 0,
      files.exists(Workspace(destination: storePath, files: files).cutOverMarkPath),
      let connection = try? Connection(path: storePath, mode: .readWrite)
    else { return }
    // The first read rolls back.
    _ = try? connection.integer("SELECT count(*) FROM sqlite_master")
  }
}
