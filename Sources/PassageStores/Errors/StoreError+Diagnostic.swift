package import PassageDiagnostics
internal import PassageFiles

extension StoreError {
  /// The failure as a diagnostic: what happened, where, why, and what to do next.
  package var diagnostic: Diagnostic {
    let sentence = Self.sentence(kind, path: path)
    return Diagnostic(
      kind.rawValue, sentence.message, at: SourceLocation(file: path),
      reason: detail ?? sentence.reason, remedy: remedy ?? sentence.remedy)
  }

  private static func sentence(
    _ kind: Kind, path: String
  ) -> (message: String, reason: String?, remedy: String?) {
    switch kind {
    case .missing: ("there is no store at this path", nil, "check the path")
    case .isDirectory:
      ("the path is a folder, not a store", nil, "name the store's main file inside it")
    case .notAFile: ("the path is not a regular file", nil, "name a store file")
    case .empty:
      (
        "the store file is empty", "it has 0 bytes",
        "restore a copy, or delete it so that a new store is created"
      )
    case .truncated:
      (
        "the store file is incomplete", nil,
        "copy the store again, with its -wal file, or restore a backup"
      )
    case .notSQLite:
      (
        "the file is not an SQLite database", "its first bytes are not those of SQLite",
        "name a Core Data store of type SQLite"
      )
    case .notACoreDataStore:
      (
        "the database is not a Core Data store", "it has no table Z_METADATA",
        "name a store that Core Data or Passage wrote"
      )
    case .noMetadata:
      (
        "the store has no metadata", "its table Z_METADATA has no row",
        "copy the store again, with its -wal file: the row may be in that file"
      )
    case .unreadableMetadata:
      ("the store's metadata cannot be read", nil, "restore a backup of the store")
    case .damaged:
      ("the store is damaged", nil, "restore a backup, or recover it with the sqlite3 shell")
    case .locked:
      (
        "another program has locked the store", nil,
        "end the program that uses the store, then run the same command again"
      )
    case .permissionDenied:
      (
        "this user does not have permission to read or write the store", nil,
        "give this user permission to read and write the file and its folder"
      )
    case .walInReadOnlyFolder:
      (
        "the store has a -wal file, and its folder, or a file of SQLite's in it, cannot be written",
        "to read the log, SQLite must write a -shm file beside it",
        "copy the store with its -wal file to a folder that can be written"
      )
    case .unfinishedTransaction:
      (
        "a transaction of the store was not completed, and must be rolled back first",
        "to roll back its -journal file changes the store",
        "copy both files first, because the journal of another database would destroy the store; then "
          + "open it once with its app, or let SQLite roll it back. This does both, and says ok of a "
          + "sound store: \(rollBackCommand(path))"
      )
    case .inputOutput:
      (
        "the store cannot be read or written", nil,
        "check the disk, then run the same command again"
      )
    case .diskFull:
      ("the disk is full", nil, "free some disk space, then run the same command again")
    case .destinationExists:
      ("a file exists at the destination already", nil, "name another file, or move it away")
    case .layoutMismatch:
      (
        "the store's tables are not those of its model", nil,
        "check that the model is the one the store was written with"
      )
    case .interrupted: ("reading the store was stopped", nil, "run the same command again")
    case .failed: ("SQLite refused a statement", nil, nil)
    case .logMissing:
      (
        "the store has no metadata, and no -wal file, which may have had it", nil,
        "copy the store again with the file whose name ends in -wal, if there is one, or restore a backup"
      )
    case .modelNotWritable:
      (
        "a store of this model cannot be written", nil,
        "remove the named parts from the model, or let Core Data write the store"
      )
    case .tableMissing:
      (
        "the database has no table for an entity of the model", nil,
        "name its “table” in the user info of the entity"
      )
    case .columnMissing:
      (
        "a table has no column for a property of the model", nil,
        "name its “column” in the user info of the property, or remove it from the model"
      )
    case .notATable:
      (
        "a model names something that is not an ordinary table", nil,
        "copy its rows into a table first: views and virtual tables of a foreign file are not evaluated"
      )
    case .tooManyOpenFiles:
      (
        "too many files are open", nil,
        "raise the limit (ulimit -n 1024), or have a fleet take one store at a time (--jobs 1 --group 1), "
          + "then run the same command again"
      )
    case .nameTooLong:
      (
        "the name is too long for a store", nil,
        "name a shorter file, in a folder with a shorter path"
      )
    case .sidecarNotAFile:
      (
        "the store's log or journal is not a regular file", nil,
        "move it away: only SQLite's own files belong there"
      )
    case .strangeJournal:
      (
        "the journal beside the store is not one that SQLite writes",
        "it names a file that SQLite would open and remove when it rolls the journal back",
        "do not open the store with another program; get the store again, without the journal"
      )
    case .typeNotWritable:
      ("stores of this type cannot be written", nil, "choose another type for the destination")
    case .generatedColumn:
      (
        "a table of the store has a generated column", nil,
        "give a store that Core Data wrote, or copy the rows into a table without such columns"
      )
    case .computedColumn:
      (
        "a model names a generated column that is not stored",
        "expressions of a foreign file are not evaluated",
        "declare the column STORED in a copy of the database, or remove it from the model"
      )
    }
  }
  /// Copies a store and its journal into a new folder, and then lets SQLite roll the journal back. Where
  /// one step fails, none of those after it is done.
  private static func rollBackCommand(_ path: String) -> String {
    // The journal is beside the store itself, not beside a link to it.
    let path = FileSystem().resolved(path)
    let (store, journal) = (path.shellQuoted, (path + "-journal").shellQuoted)
    let copies = (path + ".unrolled").shellQuoted
    return "mkdir -- \(copies) && cp -p -- \(store) \(journal) \(copies) "
      + "&& sqlite3 \(store) 'PRAGMA quick_check'"
  }
}
