public import PassageDiagnostics

/// Why a migration did not come about, and in what state it left the disk.
public struct MigrationError: Error, Sendable {
  /// The classes of failure. The numbers are the command line's exit statuses and never change.
  public enum Kind: Int32, Sendable, CaseIterable {
    /// Passage itself is wrong.
    case bug = 1
    /// A store would have to be migrated first, and nobody asked for it.
    case migrationNeeded = 10
    /// No known model has the version hashes of the store.
    case sourceModelUnknown = 20
    /// Nothing leads from the one model to the other.
    case noMapping = 22
    /// Another runner is at work on the same destination.
    case locked = 30
    /// There is not enough room; nothing was written.
    case diskTooSmall = 31
    /// The system failed to read or write; the same call continues.
    case inputOutput = 32
    /// It was stopped, or its time was over; the same call continues.
    case cancelled = 33
    /// The source store is damaged.
    case sourceDamaged = 40
    /// A policy, a value or a validation failed.
    case policyFailed = 41
    /// The new store is not what it should be; nothing was put in place.
    case verificationFailed = 42
    /// Values would be lost that may not be: see ``AllowedLosses``.
    case valuesLost = 43
    /// What was asked for cannot be.
    case wrongCall = 64
    /// A model, a mapping model, a history or a predicate is wrong.
    case wrongFile = 65
  }

  /// The class of failure.
  public var kind: Kind
  /// What happened, where, why, and what to do next.
  public var diagnostics: Diagnostics
  /// What is on disk now, in one sentence.
  public var diskState: String?

  /// Describes a failure by all that was found.
  public init(_ kind: Kind, _ diagnostics: Diagnostics, diskState: String? = nil) {
    self.kind = kind
    self.diagnostics = diagnostics
    self.diskState = diskState
  }

  /// Describes a failure by one diagnostic.
  public init(_ kind: Kind, _ diagnostic: Diagnostic, diskState: String? = nil) {
    self.init(kind, Diagnostics([diagnostic]), diskState: diskState)
  }
}

extension MigrationError {
  /// A failure with the class that its code has.
  public init(_ diagnostic: Diagnostic, diskState: String? = nil) {
    self.init(diagnostic.failureKind, diagnostic, diskState: diskState)
  }

  /// A failure with the class that its errors' codes have.
  public init(_ diagnostics: Diagnostics, diskState: String? = nil) {
    self.init(diagnostics.failureKind, diagnostics, diskState: diskState)
  }
}

extension MigrationError: CustomStringConvertible {
  /// All diagnostics as they are printed for a person, and what is on disk.
  public var description: String {
    ([diagnostics.description] + (diskState.map { ["  disk  \($0)"] } ?? []))
      .joined(separator: "\n")
  }
}
