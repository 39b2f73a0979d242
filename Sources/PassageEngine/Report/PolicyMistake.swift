internal import PassageDiagnostics
public import PassagePlatform

/// A policy asked for something that is not possible.
public struct PolicyMistake: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// What is not possible, in one sentence without a final full stop.
  public var description: String

  /// The same sentence, for programs that show errors.
  public var errorDescription: String? { description }

  /// Creates an error from a sentence.
  public init(_ description: String) { self.description = description }
}

extension PolicyMistake {
  /// A policy has kept its context and uses it later.
  ///
  /// - Parameter mapping: the entity mapping whose policy it is.
  static func passIsOver(_ mapping: String) -> Self {
    PolicyMistake(
      "the context of “\(mapping)” was used when its pass was over: "
        + "it is only for the hook that receives it")
  }
}

extension PolicyMistake {
  /// A policy has kept an object of another step.
  ///
  /// - Parameter entity: the entity's name, in both steps.
  static func isOfOtherStep(_ entity: String) -> Self {
    PolicyMistake(
      "an object of “\(entity)” was made in another step, in which “\(entity)” has other attributes: "
        + "make it again in this step")
  }
}

extension PolicyMistake: MigrationFailure {
  func migrationError(store path: String) -> MigrationError {
    MigrationError(Diagnostic("RUN-041", "a policy failed", reason: description))
  }
}
