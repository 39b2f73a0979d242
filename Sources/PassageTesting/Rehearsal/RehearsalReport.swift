public import Passage
public import PassageDiagnostics

/// What a rehearsal found.
public struct RehearsalReport: Sendable, Hashable {
  /// A way in which a store was brought to the newest version.
  public enum Way: String, Sendable, Hashable, CaseIterable {
    /// All steps in one migration, as `run` does it.
    case direct
    /// Each step as a migration of its own.
    case stepByStep
    /// Page by page, where that is possible.
    case page
    /// In sets by SQL, where that is possible.
    case set
    /// Object by object.
    case row
    /// Stopped several times and continued, object by object.
    case interrupted
    /// In place, on a copy.
    case inPlace
  }

  /// How a way ended.
  public enum Outcome: Sendable, Hashable {
    /// The store was made; a way other than the direct one made the same store as that.
    case passed
    /// What went wrong: the diagnostics of a migration, or what differs, and the class of failure.
    case failed(String, MigrationError.Kind)
    /// The way was not gone, and why.
    case skipped(String)
  }

  /// One way of one store.
  public struct Trial: Sendable, Hashable {
    /// The way.
    public var way: Way
    /// How it ended.
    public var outcome: Outcome
    /// The duration in seconds.
    public var seconds: Double
    /// What went wrong, why, and what to do next: of a failed way at least one, `REH-010` where two
    /// ways gave different stores.
    public var findings: [Diagnostic] = []

    /// Whether something went wrong.
    public var hasFailed: Bool { if case .failed = outcome { true } else { false } }
  }

  /// One store, and the ways it went.
  public struct Subject: Sendable, Hashable {
    /// `made up`, or the path of a real store.
    public var name: String
    /// Whether it was made up by the rehearsal.
    public var isMadeUp: Bool
    /// The name of its version; `nil` when that is not known.
    public var version: String?
    /// The number of its objects.
    public var objects: Int64
    /// One for each way.
    public var trials: [Trial]

    /// The ways that went wrong.
    public var failures: [Trial] { trials.filter(\.hasFailed) }
  }

  /// The version to which the stores were brought.
  public var target: String
  /// The seed of the made-up objects.
  public var seed: UInt64
  /// The stores, made-up ones first.
  public var subjects: [Subject]
  /// The duration in seconds.
  public var seconds: Double = 0

  /// Whether nothing went wrong.
  public var hasPassed: Bool { subjects.allSatisfy { $0.failures.isEmpty } }

  /// Why no way was gone; `nil` when one was, with whatever outcome.
  package var nothingRehearsed: String? {
    guard !subjects.isEmpty else {
      return "the history has no version before “\(target)”, and there are no real stores"
    }
    let isNothing = subjects.flatMap(\.trials).allSatisfy { trial in
      if case .skipped = trial.outcome { true } else { false }
    }
    return isNothing ? "every store is at “\(target)” already" : nil
  }

  /// What went wrong, one line each: for the message of a failed test.
  public var failures: [String] {
    subjects.flatMap { subject in
      subject.failures.map { trial in
        let text = if case .failed(let text, _) = trial.outcome { text } else { "" }
        return "\(subject.name), version “\(subject.version ?? "unknown")”, \(trial.way.rawValue): "
          + text
      }
    }
  }
}
