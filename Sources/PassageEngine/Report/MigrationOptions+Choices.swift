extension MigrationOptions {
  /// The lane in which an entity mapping runs. Later versions may add cases.
  public enum Lane: String, Sendable, Hashable, Codable, CaseIterable {
    /// The first of the others that is possible; the plan names it, with the reason. A small
    /// migration, whose work is in memory, runs page by page only if all of its mappings can.
    case automatic
    /// Page by page, without SQL, where that is possible.
    case page
    /// Many objects with one SQL statement where that is possible, and never page by page.
    case set
    /// Object by object, even where SQL could do it. This is slower and gives the same store;
    /// `verify` compares the lanes.
    case row
  }

  /// What happens to the work of an interrupted run.
  public enum UnfinishedWork: String, Sendable, Hashable, Codable, CaseIterable {
    /// The work is continued after its last batch.
    case `continue`
    /// The work is discarded, and the migration starts again.
    case discard
  }

  /// What happens to the old store in a migration in place.
  public enum OldStore: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is kept with its version in its name, and with a number if a store of that version is kept
    /// already.
    case keep
    /// It is removed once the new store has taken its place.
    case remove
  }

  /// How a migration treats references to files of external data that are missing, and references
  /// that do not name a file.
  public enum MissingFiles: String, Sendable, Hashable, Codable, CaseIterable {
    /// The migration is refused before anything is written.
    case refuse
    /// The references are kept unchanged and reported. If a value must be read from a missing file,
    /// because the new model stores it in the column, the migration is refused.
    case keep
    /// Like `keep`, but a value that must be read becomes nil.
    case drop
  }
}
