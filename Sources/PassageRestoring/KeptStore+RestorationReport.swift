public import PassageDiagnostics
public import PassageEngine

extension KeptStore {
  /// What the restoration of a kept store did.
  public struct RestorationReport: Sendable {
    /// How a restoration can end without an error.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
      /// The kept store is in place.
      case restored
      /// An earlier call has put the kept store back, and the store was not written since; nothing was
      /// changed.
      case alreadyThere
    }

    /// How the restoration ended.
    public var outcome: Outcome
    /// The path of the store.
    public var storePath: String
    /// The path of the kept store that is in place now. It is still there.
    public var keptPath: String
    /// The version of the store that is in place now, as in the name of the kept store; of a copy elsewhere,
    /// as its records name it, or `unknown`.
    public var version: String
    /// Where the store that was replaced is kept; `nil` when there was none.
    public var replacedPath: String?
    /// The version of the store that was replaced; `nil` when there was none.
    public var replacedVersion: String?
    /// Warnings about the restoration; none of them prevented it.
    public var warnings = Diagnostics()
    /// The duration in seconds, until the store was durable.
    public var seconds: Double = 0
  }
}
