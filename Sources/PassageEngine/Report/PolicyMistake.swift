internal import PassageDiagnostics
public import PassagePlatform

/// A policy asked for something that cannot be.
public struct PolicyMistake: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// What cannot be, in one sentence without a final full stop.
  public var description: String

  /// The same, for who shows errors.
  public var errorDescription: String? { description }

  /// Describes a mistake.
  public init(_ description: String) { self.description = description }
}

extension PolicyMistake: MigrationFailure {
  func migrationError(store path: String) -> MigrationError {
    MigrationError(Diagnostic("RUN-041", "a policy failed", reason: description))
  }
}
