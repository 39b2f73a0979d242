internal import PassageDiagnostics

/// A policy asked for something that cannot be.
public struct PolicyMistake: Error, Sendable, Hashable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}

extension PolicyMistake: MigrationFailure {
  func migrationError(store path: String) -> MigrationError {
    MigrationError(Diagnostic("RUN-041", "a policy failed", reason: description))
  }
}
