public import PassageEngine

extension KeptStore {
  /// Which kept store is put back.
  public enum Choice: Sendable, Hashable {
    /// The one that was written last of those that migrations in place have replaced.
    case newest
    /// The one with this file name, at this path, or the newest one of this version.
    case named(String)
  }
}
