public import PassageDiagnostics

/// Why a migration did not come about, and in what state it left the disk.
public struct MigrationError: Error, Sendable {
  /// The classes of failure. The numbers are the command line's exit statuses and never change.
  public enum Kind: Int32, Sendable, CaseIterable {
    /// Passage itself is wrong.
    case bug = 1
    /// A store would have to be migrated first, and nobody asked for it.
    case migrationNeeded = 10
    case sourceModelUnknown = 20
    case noMapping = 22
    case locked = 30
    case diskTooSmall = 31
    case inputOutput = 32
    case cancelled = 33
    case sourceDamaged = 40
    case policyFailed = 41
    case verificationFailed = 42
    /// Values would be lost that may not be: see ``MigrationOptions/losses``.
    case valuesLost = 43
    case wrongCall = 64
    case wrongFile = 65
  }

  public var kind: Kind
  /// What happened, where, why, and what to do next.
  public var diagnostics: Diagnostics
  /// What is on disk now, in one sentence.
  public var diskState: String?

  public init(_ kind: Kind, _ diagnostics: Diagnostics, diskState: String? = nil) {
    self.kind = kind
    self.diagnostics = diagnostics
    self.diskState = diskState
  }

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
  public var description: String {
    ([diagnostics.description] + (diskState.map { ["  disk  \($0)"] } ?? []))
      .joined(separator: "\n")
  }
}
