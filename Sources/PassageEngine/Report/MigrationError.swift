public import PassageDiagnostics
internal import PassagePlatform

/// Why a migration failed, and in what state it left the disk.
public struct MigrationError: Error, Sendable {
  /// The classes of failure. The numbers are the command line's exit statuses and never change.
  public enum Kind: Int32, Sendable, CaseIterable {
    /// A mistake in Passage itself.
    case bug = 1
    /// A store must be migrated first, and the call does not ask for that.
    case migrationNeeded = 10
    /// A check of a history has a finding of the level that the call asks for.
    case checkFailed = 12
    /// No known model has the version hashes of the store.
    case sourceModelUnknown = 20
    /// No mapping model leads from one model to the other.
    case noMapping = 22
    /// Another runner is working on the same destination, or another program has the store open.
    case locked = 30
    /// There is not enough disk space.
    case diskTooSmall = 31
    /// The system failed to read or write; the same call continues the work.
    case inputOutput = 32
    /// The run was cancelled or its time was over; the same call continues the work.
    case cancelled = 33
    /// The source store is damaged.
    case sourceDamaged = 40
    /// A policy, a value or a validation failed.
    case policyFailed = 41
    /// The new store is not correct; nothing was put in place.
    case verificationFailed = 42
    /// Values would be lost that may not be lost: see ``AllowedLosses``.
    case valuesLost = 43
    /// The call asks for something that is not possible.
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

  /// Creates an error from all findings.
  public init(_ kind: Kind, _ diagnostics: Diagnostics, diskState: String? = nil) {
    self.kind = kind
    self.diagnostics = diagnostics
    self.diskState = diskState
  }

  /// Creates an error from one diagnostic.
  public init(_ kind: Kind, _ diagnostic: Diagnostic, diskState: String? = nil) {
    self.init(kind, Diagnostics([diagnostic]), diskState: diskState)
  }
}

extension MigrationError {
  /// Creates an error whose class follows from the diagnostic's code.
  public init(_ diagnostic: Diagnostic, diskState: String? = nil) {
    self.init(diagnostic.failureKind, diagnostic, diskState: diskState)
  }

  /// Creates an error whose class follows from the codes of the errors.
  public init(_ diagnostics: Diagnostics, diskState: String? = nil) {
    self.init(diagnostics.failureKind, diagnostics, diskState: diskState)
  }
}

extension MigrationError: CustomStringConvertible {
  /// All diagnostics as they are printed, and what is on disk.
  public var description: String {
    ([diagnostics.description] + (diskState.map { ["  disk  \($0.visibleLine)"] } ?? []))
      .joined(separator: "\n")
  }
}
