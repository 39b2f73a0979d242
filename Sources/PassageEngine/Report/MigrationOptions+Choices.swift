extension MigrationOptions {
  /// Which lane carries the objects of an entity mapping over. Later versions may add cases.
  public enum Lane: String, Sendable, Hashable, Codable, CaseIterable {
    /// The fastest that can carry out the mapping; the plan names it, with the reason.
    case automatic
    /// Object by object, also where SQL could carry them over: slower, and the same store. `verify`
    /// compares the two with each other.
    case rows
  }

  /// What becomes of the work that an interrupted run has left.
  public enum UnfinishedWork: String, Sendable, Hashable, Codable, CaseIterable {
    /// It continues after its last batch.
    case `continue`
    /// It is thrown away, and the migration starts again.
    case discard
  }

  /// What becomes of the old store when it is migrated in place.
  public enum OldStore: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is kept beside the new one, under the name of its version, until somebody removes it.
    case keep
    /// It is removed once the new store has taken its place.
    case remove
  }

  /// What a migration does with references to files of external data that are missing, and with those
  /// that name no file.
  public enum MissingFiles: String, Sendable, Hashable, Codable, CaseIterable {
    /// The migration is refused before anything is written.
    case refuse
    /// The references are carried over as they are, and reported. A value that must be read from a missing
    /// file, because the new model keeps it in the column, is refused.
    case keep
    /// As `keep`, and a value that must be read becomes nil.
    case drop
  }
}
